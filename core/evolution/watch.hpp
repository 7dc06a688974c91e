// Checks of a run between its steps, in addition to those of every back end (core/particles/breakdown.hpp). They read
// the state and change nothing, so no bit of a run depends on them; their results depend on the particles alone, so
// they are the same on every machine.
//
//   |u| > 0.1 c0 somewhere in the fluid       a warning: the density of a flow that fast varies by more than 1 %,
//                                             since it does as (u/c0)^2 (Monaghan 1994, J. Comput. Phys. 110, 399)
//   |rho/rho0 - 1| > 0.1 somewhere in it      a warning: more than ten times what weakly compressible flow allows
//   a residual above 1 % of the energy        a warning: the balance does not close (below: energy_scale())
//   wall_pressure_work or diffusion_work      a warning: walls that take their pressure from the fluid, or density
//   above 5 % of it                           diffusion, feed its motion. What a wave exchanges with them and takes
//                                             back is left out: it is the mean of about the last fifth of the time
//   |u| > c0                                  the run ends: pressure cannot follow such a flow
//   a step below 1 % of the sound's           the run ends: see `collapsed_step`
//   fluid that can only have come through a   a warning
//   wall
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/evolution/simulation.hpp"
#include "core/results/ledger_row.hpp"
#include "core/setup/fluid_region.hpp"

namespace halfulp {

// Fraction of the sound speed that bounds the speeds of weakly compressible flow.
inline constexpr double weakly_compressible = 0.1;

// Deviation of the fluid's density from rest that is no longer weak.
inline constexpr double weak_compression = 0.1;

// Fractions of the energy up to which the residual, and a work that should take energy, cause no warning.
inline constexpr double open_balance = 0.01;
inline constexpr double fed = 0.05;

// The fraction of the step allowed by sound speed and laminar viscosity below which a variable step has collapsed. With
// speeds below that of sound and densities within 0.3 of rest, at least a twelfth is left: signals then travel at most
// at 2.2 c0 + 5 (2 c0), and pressure accelerates by a few c0^2/h. A hundredth takes an acceleration of 10^4 c0^2/h, or
// particles that approach each other at some 20 c0.
inline constexpr double collapsed_step = 0.01;

class Watch {
public:
    explicit Watch(const Problem& problem);

    // Before a step. Throws SimulationBroke if continuing is pointless. last: the last row of the ledger.
    void check(const Simulation& simulation, const LedgerRow& last) const;

    // Rows in order, including those before a resumed run.
    void look(const LedgerRow& row);
    // To be called for every output, on any thread. Returns the first particle ever found behind a wall, in words,
    // once; it is to be passed to remember() when the run is resumed.
    std::optional<std::string> look(const SnapshotSource& snapshot);
    // Restores the finding of look(snapshot) from before the run was resumed.
    void remember(const std::string& first_through_walls);

    // New sentences since the last call, during a run.
    std::vector<std::string> take_news();
    // All warnings at the end of the run.
    [[nodiscard]] std::vector<std::string> warnings() const;

private:
    [[nodiscard]] Breakdown collapse(const Simulation& simulation) const;
    [[nodiscard]] std::string speed_warning() const;
    [[nodiscard]] std::string density_warning() const;
    [[nodiscard]] std::vector<std::string> energy_warnings() const;
    struct EnergyScale {
        double energy;        // J, or J/m in 2D
        const char* of_what;  // after a number of J
    };
    // The energy that can move the fluid: the largest of the available energy, the largest kinetic energy and work of
    // walls and frames so far, a thousandth of the energy at the start, and a hundredth of the work that the inertial
    // forces of a moving frame can do on the fluid.
    [[nodiscard]] EnergyScale energy_scale() const;
    [[nodiscard]] std::vector<std::uint8_t> outside(const SnapshotSource& snapshot) const;

    const Problem& problem_;
    double longest_step_;  // s; 0 for a fixed step
    // Findings from rows of the ledger:
    std::optional<double> fast_since_;  // s
    double largest_speed_ = 0;          // m/s
    double largest_speed_at_ = 0;       // s
    bool speed_told_ = false;
    double largest_deviation_ = 0;     // of the fluid's density
    double largest_deviation_at_ = 0;  // s
    bool deviation_told_ = false;
    std::optional<double> total_at_start_;  // J
    double largest_residual_ = 0;           // J, and when, s
    double largest_residual_at_ = 0;
    double lasting_wall_pressure_work_ = 0;  // J
    double lasting_diffusion_work_ = 0;      // J
    double row_at_ = 0;                      // s: the last row's time
    double largest_motion_ = 0;              // J; kinetic, or put in by walls and frames
    double of_frames_ = 0;                   // J; of the work that inertial forces can do
    // Findings from outputs:
    mutable std::mutex mutex_;
    std::vector<FluidRegion> regions_;
    std::string first_through_walls_;  // empty: none
    bool first_told_ = false;
    std::uint64_t through_walls_ = 0;  // in the last output
};

}  // namespace halfulp
