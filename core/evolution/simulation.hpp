// One simulation: a problem, the back end that holds its particles, a scheme and a clock.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "core/backends/backend.hpp"
#include "core/evolution/scheme.hpp"
#include "core/results/ledger_row.hpp"
#include "core/setup/problem.hpp"
#include "precision/clock.hpp"

namespace halfulp {

// The integrator that a case names, for its physics, settings and precision.
Scheme scheme_of(const Problem& problem);

// The state from which a simulation of a problem continues another one, to the bit.
struct SimulationState {
    Clock clock;
    double next_step = 0;  // time units
    double last_step = 0;
    double initial_energy = 0;  // J
    SavedParticles particles;
};

class Simulation {
public:
    // Carries out the scheme's start, so that the first step can be taken and the first ledger row is that of time 0. A
    // failure of the start is reported by the first step.
    Simulation(const Problem& problem, std::unique_ptr<Backend> backend);

    // In a batch, which carries out the operations of all its runs at once (core/backends/batch.hpp): the back end has
    // been given those of the start; complete_start() follows after the batch has carried them out.
    struct InBatch {};
    Simulation(const Problem& problem, std::unique_ptr<Backend> backend, InBatch);
    void complete_start();

    // Continues from a state of the same problem, from any back end. Throws an Error for a state of another problem.
    Simulation(const Problem& problem, std::unique_ptr<Backend> backend, const SimulationState& state);

    // Valid between two steps, for use before the next, if the simulation has not broken down.
    [[nodiscard]] SimulationState state() const;

    // One whole step. Throws SimulationBroke when the back end does; the clock then still shows the start of the step.
    void step()
    {
        begin_step();
        complete_step();
    }
    // The same in two parts, between which a batch carries out the operations that its back ends have been given.
    void begin_step();
    void complete_step();

    [[nodiscard]] double time() const { return clock_.time() * units_.time(); }  // s
    [[nodiscard]] std::uint64_t steps() const { return clock_.steps(); }
    // Whether the scheme's start broke down; the first step says how.
    [[nodiscard]] bool broken_at_start() const { return broken_start_.has_value(); }
    // The next step, s. 0 if forces allow none that single precision can represent; step() then throws an Error.
    [[nodiscard]] double next_step() const { return next_step_ * units_.time(); }
    // SI units; the residual is relative to the first row requested, the state at time 0.
    [[nodiscard]] LedgerRow ledger_row() const;
    [[nodiscard]] Snapshot snapshot() const { return whole(snapshot_source()); }
    // For use before the next step.
    [[nodiscard]] SnapshotSource snapshot_source() const;
    // See Backend::begin_snapshot.
    [[nodiscard]] std::function<SnapshotSource()> begin_snapshot();
    // Present measurements of some of the problem's probes, in SI units: the values of probe_columns of each.
    [[nodiscard]] std::vector<std::vector<double>> sample(const std::vector<std::size_t>& probes) const;
    [[nodiscard]] const Backend& backend() const { return *backend_; }

private:
    struct NotStarted {};
    Simulation(const Problem& problem, std::unique_ptr<Backend> backend, NotStarted);

    void choose_step();
    // Computes the additional fields that the case's outputs ask for.
    void analyse() const;
    void carry_out(const std::vector<SchemeBlock>& blocks, double step);
    // Prescribes the motions for a step of `step` time units from now.
    void prescribe(double step);

    Units units_;
    int dimensions_;
    std::vector<ProbePlace> probes_;
    std::vector<PrescribedMotion> motions_;
    std::array<std::int32_t, 3> origin_;
    std::array<std::int32_t, 3> period_;  // cells; 0: not periodic
    Vec<3, double> gravity_{};            // in units of the state
    double cell_side_;
    double cfl_;
    double fixed_step_;  // time units; 0 for a variable step
    double smoothing_length_;
    std::uint64_t rebuild_every_;  // steps; 0: only as particle displacements require
    double energy_scale_;          // J: the available energy, or the initial total where there is none
    std::unique_ptr<Backend> backend_;
    double viscosity_;  // for lengthwise waves
    Scheme scheme_;
    std::vector<Operation> analyses_;
    Clock clock_;
    double next_step_ = 0;  // time units, representable in single precision
    double last_step_ = 0;
    std::optional<Breakdown> broken_start_;
    double initial_energy_ = 0;
};

}  // namespace halfulp
