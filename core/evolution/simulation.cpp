#include "core/evolution/simulation.hpp"

#include <utility>

#include "core/error.hpp"
#include "kernels/time_step.hpp"

namespace halfulp {

Simulation::Simulation(const Problem& problem, std::unique_ptr<Backend> backend)
    : units_(problem.units), cfl_(problem.source.time.cfl), fixed_step_(problem.fixed_step / problem.units.time()),
      smoothing_length_(static_cast<double>(problem.parameters.smoothing_length)),
      available_energy_(problem.available_energy), backend_(std::move(backend)),
      scheme_(scheme_by_name(problem.source.numerics.integrator))
{
    for (const Operation& operation : scheme_.start) backend_->execute(operation, 0);
    choose_step();
    initial_energy_ = ledger_row().total;
}

// The step is rounded once to single precision, for every policy; state and clock then use the same number.
void Simulation::choose_step()
{
    double step = fixed_step_;
    if (fixed_step_ == 0) {
        const StepLimits limits = backend_->limits();
        step = stable_step(cfl_, smoothing_length_, limits.max_acceleration, limits.max_signal_speed);
    }
    next_step_ = static_cast<double>(static_cast<float>(step));
    if (!(next_step_ > 0)) {
        throw input_error(
            "the time step rounds to zero in single precision; raise time.cfl or time.size, or the spacing");
    }
}

void Simulation::step()
{
    for (const Operation& operation : scheme_.step) backend_->execute(operation, next_step_);
    clock_.advance(next_step_);
    last_step_ = next_step_;
    choose_step();
}

LedgerRow Simulation::ledger_row() const
{
    const LedgerSums sums = backend_->ledger_sums();
    const double energy = units_.energy();
    LedgerRow row;
    row.step = static_cast<double>(clock_.steps());
    row.time = time();
    row.time_step = last_step_ * units_.time();
    row.kinetic = sums.kinetic * energy;
    row.potential = sums.potential * energy;
    row.compressive_fluid = sums.compressive_fluid * energy;
    row.compressive_wall = sums.compressive_wall * energy;
    row.viscous_work = sums.viscous_work * energy;
    row.total = ((sums.kinetic + sums.potential) + (sums.compressive_fluid + sums.compressive_wall)) * energy;
    row.residual = row.total - initial_energy_ - row.viscous_work;
    row.relative_residual = available_energy_ > 0 ? row.residual / available_energy_ : 0;
    row.momentum_x = sums.momentum[0] * units_.momentum();
    row.momentum_y = sums.momentum[1] * units_.momentum();
    row.momentum_z = sums.momentum[2] * units_.momentum();
    row.max_speed = sums.max_speed * units_.velocity;
    row.max_density_deviation = sums.max_density_deviation;
    row.front = sums.front * units_.length;
    row.rebuilds = static_cast<double>(backend_->rebuilds());
    return row;
}

Snapshot Simulation::snapshot() const
{
    Snapshot snapshot = backend_->snapshot();
    snapshot.step = clock_.steps();
    snapshot.time = time();
    return snapshot;
}

}  // namespace halfulp
