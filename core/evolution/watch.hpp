// The watch over a run between its steps, beside the rules that every back end looks after
// (core/particles/breakdown.hpp). It reads and changes nothing, so no bit of a run depends on it; what it finds depends
// on the particles alone, so it is the same on every machine.
//
//   |u| > 0.1 c0 somewhere in the fluid       a warning: the density of a flow that fast varies by more than 1 %,
//                                             since it does as (u/c0)^2 (Monaghan 1994, J. Comput. Phys. 110, 399)
//   |u| > c0                                  the run ends: no pressure can follow such a flow
//   a step below 1 % of the sound's           the run ends: see `collapsed_step`
//   fluid where it cannot come but through    a warning
//   a wall
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/evolution/simulation.hpp"
#include "core/results/ledger_row.hpp"
#include "core/setup/fluid_region.hpp"

namespace halfulp {

// Of the sound speed: what the speeds of weakly compressible flow stay below.
inline constexpr double weakly_compressible = 0.1;

// Of the step that the sound speed and laminar viscosity allow, where it varies. Speeds below that of sound and
// densities within 0.3 of rest leave a twelfth of it: signals then travel at most at 2.2 c0 + 5 (2 c0), and pressure
// accelerates by a few c0^2/h. A hundredth takes an acceleration of 10^4 c0^2/h or particles that approach each other
// at some 20 c0.
inline constexpr double collapsed_step = 0.01;

class Watch {
public:
    explicit Watch(const Problem& problem);

    // Before a step. Throws SimulationBroke where it is not worth taking. last: the last row of the ledger.
    void check(const Simulation& simulation, const LedgerRow& last) const;

    // Rows in their order, those of before a run was resumed included.
    void look(const LedgerRow& row);
    // Every output, on any thread. The first particle ever found behind a wall, once, in words that remember() takes.
    std::optional<std::string> look(const SnapshotSource& snapshot);
    // What look(snapshot) had found before the run was resumed.
    void remember(const std::string& first_through_walls);

    // Sentences that were not had before, in a run that goes on.
    std::vector<std::string> take_news();
    // All that there is to be said at the end.
    [[nodiscard]] std::vector<std::string> warnings() const;

private:
    [[nodiscard]] Breakdown collapse(const Simulation& simulation) const;
    [[nodiscard]] std::string speed_warning() const;
    [[nodiscard]] std::vector<std::uint8_t> outside(const SnapshotSource& snapshot) const;

    const Problem& problem_;
    double longest_step_;  // s; 0 for a fixed step
    // Of rows.
    std::optional<double> fast_since_;  // s
    double largest_speed_ = 0;          // m/s
    double largest_speed_at_ = 0;       // s
    bool speed_told_ = false;
    // Of outputs.
    mutable std::mutex mutex_;
    std::vector<FluidRegion> regions_;
    std::string first_through_walls_;  // empty: none
    bool first_told_ = false;
    std::uint64_t through_walls_ = 0;  // in the last output
};

}  // namespace halfulp
