#include "validation/budget/jobs.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/evolution/simulation.hpp"
#include "validation/budget/condition.hpp"
#include "validation/budget/exchange.hpp"
#include "validation/columns.hpp"
#include "validation/study.hpp"

namespace halfulp {

namespace {

// Looks at the run at each moment; a run that breaks down is looked at no further.
void at_moments(const Case& c, const std::function<void(int, const Problem&, const Simulation&)>& look)
{
    const Problem problem = prepare(c);
    Simulation simulation(problem, make_cpu_backend(problem, one_thread));
    try {
        for (int moment = 0; moment < budget_moments; ++moment) {
            const double time = c.time.end * (moment + 1) / budget_moments;
            while (simulation.time() < time) simulation.step();
            look(moment, problem, simulation);
        }
    } catch (const SimulationBroke&) {
        return;
    }
}

// Of one particle, over its components that change.
double mean_bits(const std::vector<Loss>& losses)
{
    Tally tally;
    for (const Loss& loss : losses) tally.add(loss);
    return tally.changes > 0 ? tally.mean_bits() : 0;
}

// Largest difference in u of the sizes of the terms. With viscosity the forces of a pass had another velocity than the
// state after the kick, and nothing is compared.
double term_error(const Problem& problem, const std::vector<HeldParticle>& particles,
                  const std::vector<Conditions>& conditions)
{
    if (problem.physics.artificial_viscosity || problem.physics.laminar_viscosity != LaminarViscosity::none) return 0;
    constexpr double u = 0x1p-24;
    double largest = 0;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        if (particles[i].kind != Kind::fluid) continue;
        for (std::size_t k = 0; k < 3; ++k)
            largest = std::max(largest, std::abs(static_cast<double>(particles[i].rate[k]) - conditions[i].value[k]) /
                                            (u * conditions[i].scale));
    }
    return largest;
}

}  // namespace

Results examine_flow(const Case& c, const std::vector<double>& cfls)
{
    Results rows;
    const auto kind = [](FlowRow row) { return static_cast<double>(row); };
    at_moments(c, [&](int moment, const Problem& problem, const Simulation& simulation) {
        const auto particles = held_particles(problem, simulation.backend());
        const auto conditions = conditions_of(problem, particles);
        rows.push_back(
            {kind(FlowRow::moment), double(moment), simulation.time(), term_error(problem, particles, conditions)});
        // The fixed step of a CFL number on c0, in units of time of the state.
        const auto step = [&](double cfl) {
            return cfl * smoothing_length(c) / c.fluid.sound_speed / problem.units.time();
        };
        const double own_step = simulation.next_step() / problem.units.time();
        for (std::size_t i = 0; i < particles.size(); ++i) {
            const HeldParticle& p = particles[i];
            if (p.kind != Kind::fluid) continue;
            const Conditions& one = conditions[i];
            const auto bits = [&](Holding holding) { return mean_bits(losses_of(problem, p, holding, own_step)); };
            rows.push_back({kind(FlowRow::particle), double(moment), p.position[0], p.position[1], p.position[2],
                            one.forces.condition(), one.acceleration.condition(), one.density_rate.condition(),
                            double(one.neighbours), bits(coordinate_at_origin), bits(velocity_held),
                            bits(density_absolute)});
        }
        for (int holding = 0; holding < holding_count; ++holding) {
            for (const double cfl : cfls) {
                Tally tally;
                for (const HeldParticle& p : particles) {
                    if (p.kind != Kind::fluid) continue;
                    for (const Loss& loss : losses_of(problem, p, static_cast<Holding>(holding), step(cfl)))
                        tally.add(loss);
                }
                rows.push_back(
                    {kind(FlowRow::loss), double(moment), double(holding), cfl, tally.changes, tally.lost, tally.bits});
            }
        }
        for (const Quantity quantity : {Quantity::position, Quantity::velocity, Quantity::density}) {
            const Residuals r = residuals_of(problem, particles, quantity);
            std::vector<double> row{
                kind(FlowRow::residual), double(moment), static_cast<double>(quantity), r.mean, r.largest,
                r.root_mean_square};
            row.insert(row.end(), r.histogram.begin(), r.histogram.end());
            rows.push_back(row);
        }
    });
    return rows;
}

Results examine_pairs(const Case& c, std::size_t most, const std::vector<std::string>& policies)
{
    Results rows;
    at_moments(c, [&](int moment, const Problem& problem, const Simulation& simulation) {
        if (moment + 1 < budget_moments) return;
        const auto particles = held_particles(problem, simulation.backend());
        const auto pairs = fluid_pairs(problem, particles, most);
        const auto add = [&](const Asymmetry& a) {
            rows.push_back({a.pairs, a.asymmetric, a.largest, static_cast<double>(pairs.size())});
        };
        for (const std::string& policy : policies) add(asymmetry_of(problem, particles, pairs, policy));
        add(asymmetry_of_other_order(problem, particles, pairs));
    });
    return rows;
}

Results states_at_moments(const Case& c)
{
    Results rows;
    at_moments(c, [&](int, const Problem& problem, const Simulation& simulation) {
        const FluidState fluid = fluid_of(problem, simulation.snapshot());
        std::vector<double> row{simulation.time()};
        for (std::size_t i = 0; i < fluid.position.size(); ++i) {
            row.insert(row.end(), fluid.position[i].begin(), fluid.position[i].end());
            row.insert(row.end(), fluid.velocity[i].begin(), fluid.velocity[i].end());
        }
        rows.push_back(row);
    });
    return rows;
}

Results examine_drop(const Case& c, int steps)
{
    const NetMomentum net = net_momentum(c, steps);
    return {{net.largest_force, net.largest_step, net.gained, net.steps, net.broke ? 1.0 : 0.0}};
}

}  // namespace halfulp
