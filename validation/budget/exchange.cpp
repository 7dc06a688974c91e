#include "validation/budget/exchange.hpp"

#include <Eigen/Core>

#include "kernels/momentum.hpp"
#include "kernels/policy.hpp"
#include "validation/experiment.hpp"

namespace halfulp {

namespace {

using Triple = Eigen::Vector3d;

void count(Asymmetry& result, const Triple& ab, const Triple& ba)
{
    ++result.taken;
    if (ab.isZero(0) && ba.isZero(0)) return;  // nothing is exchanged
    const Triple rest = ab + ba;
    ++result.pairs;
    if (rest.isZero(0)) return;
    ++result.asymmetric;
    result.largest = std::max(result.largest, rest.norm() / ab.norm());
}

template <class Kernel, int D>
Triple force_in_other_order(const Problem& problem, const HeldParticle& a, const HeldParticle& b)
{
    const auto p = problem.parameters.as<D, float>();
    const auto state = [&](const HeldParticle& particle) {
        MomentumState<D, float> result{};
        for (int i = 0; i < D; ++i) result.velocity[i] = particle.velocity[static_cast<std::size_t>(i)];
        result.density = {particle.density};
        result.pressure_term =
            pressure_term_of<RobustPolicy>(problem.physics, particle.density, p.reference_density, p.stiffness);
        return result;
    };
    Vec<D, float> r;
    for (int i = 0; i < D; ++i) {
        const auto c = static_cast<std::size_t>(i);
        r[i] = (a.offset[c] + static_cast<float>(a.cell[c] - b.cell[c])) - b.offset[c];
    }
    const auto pair = momentum_pair<Kernel>(problem.physics, r, state(a), state(b), p);
    Triple force = Triple::Zero();
    for (int i = 0; i < D; ++i) force[i] = static_cast<double>(-p.pair_scale * (pair.along * r[i]));
    return force;
}

}  // namespace

std::vector<std::array<std::uint32_t, 2>> fluid_pairs(const Problem& problem,
                                                      const std::vector<HeldParticle>& particles, std::size_t most)
{
    const auto neighbours = neighbours_of(problem, particles);
    std::vector<std::array<std::uint32_t, 2>> all;
    for (std::uint32_t a = 0; a < particles.size(); ++a) {
        for (const HeldNeighbour& neighbour : neighbours[a]) {
            const std::uint32_t b = neighbour.index;
            if (b <= a || particles[a].kind != Kind::fluid || particles[b].kind != Kind::fluid) continue;
            // Images along a period have other cells than the particle itself, and are left out.
            std::array<double, 3> r{};
            bool image = false;
            for (std::size_t c = 0; c < 3; ++c) {
                image = image || neighbour.cells[c] != particles[a].cell[c] - particles[b].cell[c];
                r[c] = static_cast<double>(particles[a].offset[c]) - static_cast<double>(particles[b].offset[c]) +
                       neighbour.cells[c];
            }
            if (!image && Triple(r.data()).norm() < static_cast<double>(problem.support)) all.push_back({a, b});
        }
    }
    if (all.size() <= most) return all;
    std::vector<std::array<std::uint32_t, 2>> chosen;
    for (std::size_t k = 0; k < most; ++k) chosen.push_back(all[k * all.size() / most]);
    return chosen;
}

Asymmetry asymmetry_of(const Problem& problem, const std::vector<HeldParticle>& particles,
                       const std::vector<std::array<std::uint32_t, 2>>& pairs, const std::string& precision)
{
    Case c = problem.source;
    c.numerics.precision = precision;
    Problem alone = prepare(c);
    const double to_velocity = problem.units.velocity / alone.units.velocity;
    for (float& component : alone.parameters.gravity) component = 0;
    const auto start_of = [&](const HeldParticle& p) {
        InitialParticle start{.cell = p.cell, .offset = p.offset, .velocity = {}, .density = p.density};
        for (std::size_t i = 0; i < 3; ++i)
            start.velocity[i] = static_cast<float>(static_cast<double>(p.velocity[i]) * to_velocity);
        return start;
    };
    alone.fluid = 2;
    alone.wall = 0;
    const Scheme scheme = scheme_of(alone);
    Asymmetry result;
    for (const auto& [a, b] : pairs) {
        alone.particles.stored() = {start_of(particles[a]), start_of(particles[b])};
        const auto backend = make_cpu_backend(alone, one_thread);
        for (const Operation& operation : operations_of(scheme.start)) backend->execute(operation, 0);
        const Rates rates = backend->rates();
        const auto force = [&](std::size_t i) { return Triple(rates.leading[i].data()); };
        count(result, force(0), force(1));
    }
    return result;
}

Asymmetry asymmetry_of_other_order(const Problem& problem, const std::vector<HeldParticle>& particles,
                                   const std::vector<std::array<std::uint32_t, 2>>& pairs)
{
    Asymmetry result;
    with_kernel(problem.source.numerics.kernel, [&](auto kernel) {
        using Kernel = decltype(kernel);
        for (const auto& [a, b] : pairs) {
            const auto force = [&](std::uint32_t i, std::uint32_t j) {
                return problem.source.dimensions == 3
                           ? force_in_other_order<Kernel, 3>(problem, particles[i], particles[j])
                           : force_in_other_order<Kernel, 2>(problem, particles[i], particles[j]);
            };
            count(result, force(a, b), force(b, a));
        }
    });
    return result;
}

NetMomentum net_momentum(const Case& c, int steps)
{
    const Problem problem = prepare(c);
    Simulation simulation(problem, make_cpu_backend(problem, one_thread));
    const auto momentum = [&] {
        const LedgerRow row = simulation.ledger_row();
        return Triple(Triple(row.momentum_x, row.momentum_y, row.momentum_z) / problem.units.momentum());
    };
    NetMomentum result;
    // Sum of the sizes of the forces at one moment.
    const auto forces = [&] {
        Triple net = Triple::Zero();
        double sizes = 0;
        for (const auto& rate : simulation.backend().rates().leading) {
            const Triple one(rate.data());
            net += one;
            sizes += one.norm();
        }
        result.largest_force = std::max(result.largest_force, net.norm() / sizes);
        return sizes;
    };
    const Triple start = momentum();
    Triple now = start;
    double impulse = 0;
    double sizes = forces();
    result.broke = breaks_down([&] {
        for (int k = 0; k < steps; ++k) {
            const double interval = simulation.next_step() / problem.units.time();
            simulation.step();
            ++result.steps;
            const double before = std::exchange(sizes, forces());
            const double exchanged = 0.5 * interval * (before + sizes);
            const Triple before_step = std::exchange(now, momentum());
            result.largest_step = std::max(result.largest_step, (now - before_step).norm() / exchanged);
            impulse += exchanged;
        }
    });
    result.gained = (now - start).norm() / impulse;
    return result;
}

}  // namespace halfulp
