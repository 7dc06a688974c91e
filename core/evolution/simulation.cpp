#include "core/evolution/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <utility>

#include "core/error.hpp"
#include "core/operations/find_rates.hpp"
#include "core/particles/work_columns.hpp"
#include "core/setup/policy_table.hpp"
#include "kernels/time_step.hpp"
#include "kernels/viscosity.hpp"

namespace halfulp {

Scheme scheme_of(const Problem& problem)
{
    const Case::Numerics& numerics = problem.source.numerics;
    const PolicyInfo* const policy = find_policy(numerics.precision);
    return scheme_of(
        numerics.integrator, problem.physics,
        {.filter_every =
             numerics.density_filter == DensityFilter::none ? 0 : static_cast<std::uint64_t>(numerics.filter_every),
         .corrector_every = static_cast<std::uint64_t>(numerics.corrector_every),
         .reversible = policy != nullptr && policy->reversible,
         .rates_together = policy != nullptr && policy->every_physics && FindRates::needed(problem.physics)});
}

namespace {

[[noreturn]] void refuse_no_step()
{
    throw input_error("the time step rounds to zero in single precision; raise time.cfl or time.size, or the spacing");
}

// Throws an Error for numbers of a saved state that a run of the problem does not come to.
void check_state(const SimulationState& state, const Problem& problem)
{
    const auto require = [&](bool holds, const char* what) {
        if (holds) return;
        throw input_error(
            "{}: its {} is not one that its case comes to: it was changed or is damaged; run the case anew.",
            state.particles.file, what);
    };
    const Units& units = problem.units;
    const double fixed = static_cast<float>(problem.fixed_step / units.time());
    // The sound speed falls with the density, at most as its third power.
    const double lightest = 1 - problem.source.numerics.density_bound;
    const double longest =
        stable_step(problem.source.time.cfl, static_cast<double>(problem.parameters.smoothing_length), 0,
                    static_cast<double>(problem.parameters.sound_speed)) /
        (lightest * lightest * lightest);
    const auto possible = [&](double step) {
        return fixed > 0 ? step == fixed : step >= 0 && step <= longest && step == static_cast<float>(step);
    };
    const double time = state.clock.time();
    const auto steps = static_cast<double>(state.clock.steps());
    require(possible(state.next_step), "next step");
    require(steps > 0 ? state.last_step > 0 && possible(state.last_step) : state.last_step == 0, "last step");
    constexpr double rounding = 1e-9;
    // The watch over a run lets no step be a hundredth of what sound alone allows, nor viscosity of that much; with
    // room.
    const double shortest = 1e-4 * std::min(longest, state.last_step);
    require(time <= (1 + rounding) * steps * (fixed > 0 ? fixed : longest) &&
                time >= (1 - rounding) * std::max(state.last_step, steps * (fixed > 0 ? fixed : shortest)),
            "number of steps");
    require(std::isfinite(state.initial_energy), "energy at the start");
    // A step has a hundred rounds at most, with a few refreshs each.
    constexpr double most_rebuilds_of_step = 1000;
    require(static_cast<double>(state.particles.rebuilds) <= 1 + most_rebuilds_of_step * steps, "number of rebuilds");
}

}  // namespace

Simulation::Simulation(const Problem& problem, std::unique_ptr<Backend> backend, NotStarted /*unused*/)
    : units_(problem.units), dimensions_(problem.source.dimensions), probes_(problem.probes), motions_(problem.motions),
      origin_(problem.source.origin.cells), period_(problem.period),
      cell_side_(static_cast<double>(problem.parameters.cell_side)), cfl_(problem.source.time.cfl),
      fixed_step_(problem.fixed_step / problem.units.time()),
      smoothing_length_(static_cast<double>(problem.parameters.smoothing_length)),
      rebuild_every_(static_cast<std::uint64_t>(problem.source.numerics.rebuild_every)),
      energy_scale_(problem.available_energy), backend_(std::move(backend)),
      viscosity_(lengthwise_viscosity(problem.source.fluid.laminar_viscosity) *
                 static_cast<double>(problem.parameters.kinematic_viscosity)),
      scheme_(scheme_of(problem)), analyses_(operations_for_outputs(problem.physics))
{
    for (int i = 0; i < problem.source.dimensions; ++i)
        gravity_[i] = static_cast<double>(problem.parameters.gravity[i]);
}

Simulation::Simulation(const Problem& problem, std::unique_ptr<Backend> backend)
    : Simulation(problem, std::move(backend), InBatch{})
{
    complete_start();
}

Simulation::Simulation(const Problem& problem, std::unique_ptr<Backend> backend, InBatch /*unused*/)
    : Simulation(problem, std::move(backend), NotStarted{})
{
    prescribe(0);
    try {
        carry_out(scheme_.start, 0);
    } catch (const SimulationBroke& broke) {
        broken_start_ = broke.breakdown;
    }
}

void Simulation::complete_start()
{
    try {
        if (!broken_start_) {
            backend_->complete();
            choose_step();
        }
    } catch (const SimulationBroke& broke) {
        broken_start_ = broke.breakdown;
    }
    initial_energy_ = ledger_row().total;
    if (!(energy_scale_ > 0)) energy_scale_ = initial_energy_;
}

Simulation::Simulation(const Problem& problem, std::unique_ptr<Backend> backend, const SimulationState& state)
    : Simulation(problem, std::move(backend), NotStarted{})
{
    check_state(state, problem);
    backend_->restore(problem, state.particles);
    clock_ = state.clock;
    next_step_ = state.next_step;
    last_step_ = state.last_step;
    initial_energy_ = state.initial_energy;
    if (!(energy_scale_ > 0)) energy_scale_ = initial_energy_;
}

SimulationState Simulation::state() const
{
    return {.clock = clock_,
            .next_step = next_step_,
            .last_step = last_step_,
            .initial_energy = initial_energy_,
            .particles = backend_->save()};
}

// The step is rounded once to single precision, for every policy; state and clock then use the same number.
void Simulation::choose_step()
{
    double step = fixed_step_;
    if (fixed_step_ == 0) {
        const StepLimits limits = backend_->limits();
        step = stable_step(cfl_, smoothing_length_, limits.max_acceleration, limits.max_signal_speed, viscosity_);
    }
    next_step_ = static_cast<double>(static_cast<float>(step));
    if (fixed_step_ > 0 && !(next_step_ > 0)) refuse_no_step();
}

void Simulation::prescribe(double step)
{
    if (motions_.empty()) return;
    Clock end = clock_;
    if (step > 0) end.advance(step);
    const double halfway = (clock_.time() + 0.5 * step) * units_.time();
    CourseOfStep course;
    for (const PrescribedMotion& motion : motions_) course.poses.push_back(motion.at(halfway));
    for (const PrescribedMotion& motion : motions_) course.poses.push_back(motion.at(end.time() * units_.time()));
    course.forces_at_end = scheme_.force_time != ForceTime::halfway;
    if (motions_.front().frame() == MotionFrame::moving) {
        const Pose& frame = course.forces_at_end ? course.poses.back() : course.poses.front();
        course.inertial = inertial_force(frame, origin_, gravity_, cell_side_);
    }
    backend_->prescribe(course);
}

void Simulation::begin_step()
{
    if (broken_start_) throw SimulationBroke{*broken_start_};
    if (!(next_step_ > 0)) refuse_no_step();
    prescribe(next_step_);
    carry_out(scheme_.step, next_step_);
}

void Simulation::complete_step()
{
    backend_->complete();
    clock_.advance(next_step_);
    last_step_ = next_step_;
    choose_step();
}

// A loop ends when its residual is within rounding, or no longer falls and is close to that; a hundred iterations are
// more than any feasible step takes.
void Simulation::carry_out(const std::vector<SchemeBlock>& blocks, double step)
{
    constexpr int most_rounds = 100;
    constexpr double close_to_rounding = 1000;
    bool renews = rebuild_every_ > 0 && clock_.steps() > 0 && clock_.steps() % rebuild_every_ == 0;
    const auto execute = [&](const Operation& operation) {
        const bool after_drift = operation.kind == kind_of<RefreshMovedNeighbours>;
        const bool renew = renews && (after_drift || operation.kind == kind_of<RefreshNeighbours>);
        const Operation renewal{kind_of<RenewNeighbours>, after_drift ? 0 : operation.fraction};
        backend_->execute(renew ? renewal : operation, step);
        if (renew) renews = false;
    };
    for (const SchemeBlock& block : blocks) {
        double before = std::numeric_limits<double>::infinity();
        for (int round = 0;; ++round) {
            for (const SchemeEntry& entry : block.entries) {
                if (entry.steps.have(clock_.steps())) execute(entry.operation);
            }
            if (!block.loop) break;
            backend_->complete();
            const double residual = backend_->limits().residual;
            if (residual <= 1 || (residual >= before && residual <= close_to_rounding)) break;
            if (round + 1 == most_rounds) {
                execute({kind_of<RequireConvergence>});
                break;
            }
            before = residual;
        }
    }
}

LedgerRow Simulation::ledger_row() const
{
    const LedgerSums sums = backend_->ledger_totals().sums();
    const double energy = units_.energy();
    LedgerRow row;
    row.step = static_cast<double>(clock_.steps());
    row.time = time();
    row.time_step = last_step_ * units_.time();
    row.kinetic = sums.kinetic * energy;
    row.potential = sums.potential * energy;
    row.compressive_fluid = sums.compressive_fluid * energy;
    row.compressive_wall = sums.compressive_wall * energy;
    row.central = sums.central * energy;
    row.total =
        ((sums.kinetic + sums.potential) + (sums.compressive_fluid + sums.compressive_wall) + sums.central) * energy;
    row.residual = row.total - initial_energy_;
    for (std::size_t k = 0; k < work_columns.size(); ++k) {
        row.*work_columns[k] = sums.work[k] * energy;
        if (works[k].work != Work::integrator) row.residual -= row.*work_columns[k];
    }
    row.relative_residual = energy_scale_ > 0 ? row.residual / energy_scale_ : 0;
    row.momentum_x = sums.momentum[0] * units_.momentum();
    row.momentum_y = sums.momentum[1] * units_.momentum();
    row.momentum_z = sums.momentum[2] * units_.momentum();
    row.angular_momentum_x = sums.angular_momentum[0] * units_.angular_momentum();
    row.angular_momentum_y = sums.angular_momentum[1] * units_.angular_momentum();
    row.angular_momentum_z = sums.angular_momentum[2] * units_.angular_momentum();
    row.max_speed = sums.max_speed * units_.velocity;
    row.max_density_deviation = sums.max_density_deviation;
    row.front = sums.front * units_.length;
    row.rebuilds = static_cast<double>(backend_->rebuilds());
    return row;
}

std::vector<std::vector<double>> Simulation::sample(const std::vector<std::size_t>& probes) const
{
    std::vector<ProbePlace> places;
    for (const std::size_t probe : probes) {
        const auto belongs = [probe](const ProbePlace& place) {
            return static_cast<std::size_t>(place.probe) == probe;
        };
        std::copy_if(probes_.begin(), probes_.end(), std::back_inserter(places), belongs);
    }
    for (ProbePlace& place : places) {
        if (place.motion >= 0)
            place.at =
                within_period(carried(motions_[static_cast<std::size_t>(place.motion)].at(time()), origin_, place.at),
                              origin_, period_);
    }
    const std::vector<ProbeTotals> totals = backend_->sample(places);
    std::vector<std::vector<double>> values;
    for (std::size_t k = 0; k < places.size();) {
        const ProbePlace& place = places[k];
        ProbeSums total = totals[k].sums();
        for (++k; k < places.size() && places[k].probe == place.probe; ++k) {
            const ProbeSums more = totals[k].sums();
            for (std::size_t sum = 0; sum < total.size(); ++sum) total[sum] += more[sum];
        }
        values.push_back(probe_values(place, total, units_, dimensions_));
    }
    return values;
}

// Between two steps the lists hold all pairs of the present positions.
void Simulation::analyse() const
{
    for (const Operation& operation : analyses_) backend_->execute(operation, 0);
}

SnapshotSource Simulation::snapshot_source() const
{
    analyse();
    SnapshotSource snapshot = backend_->snapshot_source();
    snapshot.step = clock_.steps();
    snapshot.time = time();
    return snapshot;
}

std::function<SnapshotSource()> Simulation::begin_snapshot()
{
    analyse();
    return [take = backend_->begin_snapshot(), step = clock_.steps(), now = time()] {
        SnapshotSource snapshot = take();
        snapshot.step = step;
        snapshot.time = now;
        return snapshot;
    };
}

}  // namespace halfulp
