#include "validation/budget/condition.hpp"

#include <cmath>
#include <map>

#include <fmt/format.h>

#include "core/error.hpp"
#include "kernels/continuity.hpp"
#include "kernels/momentum.hpp"
#include "kernels/periodic_image.hpp"
#include "kernels/policy.hpp"
#include "precision/position.hpp"
#include "validation/columns.hpp"

namespace halfulp {

namespace {

template <int D>
double length(const Vec<D, double>& v)
{
    return std::sqrt(dot(v, v));
}

template <int D>
void add(Vec<D, double>& sum, const Vec<D, double>& term)
{
    for (int i = 0; i < D; ++i) sum[i] += term[i];
}

template <int D>
MomentumState<D, double> state_of(const HeldParticle& particle, const Physics& physics, const Parameters<D, double>& p)
{
    MomentumState<D, double> state{};
    for (int i = 0; i < D; ++i) state.velocity[i] = static_cast<double>(particle.velocity[static_cast<std::size_t>(i)]);
    const auto s = static_cast<double>(particle.density);
    state.density = {s};
    state.pressure_term = pressure_term_of<DoublePolicy>(physics, s, p.reference_density, p.stiffness);
    return state;
}

template <class Kernel, int D>
Conditions conditions_of(const Problem& problem, const Parameters<D, double>& p,
                         const std::vector<HeldParticle>& particles, std::size_t index,
                         const std::vector<HeldNeighbour>& neighbours)
{
    const Physics& physics = problem.physics;
    const HeldParticle& here = particles[index];
    const auto a = state_of<D>(here, physics, p);
    Conditions result;
    Vec<D, double> forces{};
    double rate = 0;
    for (const HeldNeighbour& neighbour : neighbours) {
        const HeldParticle& there = particles[neighbour.index];
        Vec<D, double> r;
        for (int i = 0; i < D; ++i) {
            const auto c = static_cast<std::size_t>(i);
            r[i] = position_difference(static_cast<double>(here.offset[c]), static_cast<double>(there.offset[c]),
                                       static_cast<double>(neighbour.cells[c]));
        }
        const auto b = state_of<D>(there, physics, p);
        const Vec<D, double> u = a.velocity - b.velocity;
        const auto continuity = continuity_pair<Kernel>(r, u, p.inverse_smoothing_length);
        if (!(continuity.gradient_shape < 0)) continue;
        ++result.neighbours;
        const auto pair = momentum_pair<Kernel>(physics, r, a, b, p);
        Vec<D, double> force;
        for (int i = 0; i < D; ++i) force[i] = -p.pair_scale * (pair.along * r[i] + pair.across * u[i]);
        add(forces, force);
        result.forces.terms += length(force);
        // Both pressures with one sign: what rounds is each of them.
        auto positive_a = a;
        auto positive_b = b;
        positive_a.pressure_term = std::abs(a.pressure_term);
        positive_b.pressure_term = std::abs(b.pressure_term);
        result.scale +=
            p.pair_scale * std::abs(momentum_pair<Kernel>(physics, r, positive_a, positive_b, p).along) * length(r);
        const double share =
            continuity_total(physics.formulation, continuity_share(physics.formulation, continuity.rate, b.density),
                             a.density, p.pair_scale);
        rate += share;
        result.density_rate.terms += std::abs(share);
    }
    result.forces.sum = length(forces);
    result.density_rate.sum = std::abs(rate);
    Vec<D, double> gravity;
    for (int i = 0; i < D; ++i) gravity[i] = p.gravity[i];
    add(forces, gravity);
    result.acceleration = {result.forces.terms + length(gravity), length(forces)};
    result.scale += length(gravity);
    for (int i = 0; i < D; ++i) result.value[static_cast<std::size_t>(i)] = forces[i];
    return result;
}

template <int D>
std::vector<Conditions> conditions_in(const Problem& problem, const std::vector<HeldParticle>& particles)
{
    const auto p = problem.parameters.as<D, double>();
    const auto neighbours = neighbours_of(problem, particles);
    std::vector<Conditions> result(particles.size());
    with_kernel(problem.source.numerics.kernel, [&](auto kernel) {
        for (std::size_t i = 0; i < particles.size(); ++i)
            if (particles[i].kind == Kind::fluid)
                result[i] = conditions_of<decltype(kernel), D>(problem, p, particles, i, neighbours[i]);
    });
    return result;
}

}  // namespace

std::vector<HeldParticle> held_particles(const Problem& problem, const Backend& backend)
{
    const Snapshot snapshot = backend.snapshot();
    const Rates rates = backend.rates();
    const Column& position = column_of(snapshot, "position");
    const Column& cell = column_of(snapshot, "cell");
    const Column& offset = column_of(snapshot, "offset");
    const Column& offset_residual = column_of(snapshot, "offset_residual");
    const Column& velocity = column_of(snapshot, "velocity");
    const Column& velocity_residual = column_of(snapshot, "velocity_residual");
    const Column& density = column_of(snapshot, "density_deviation");
    const Column& density_residual = column_of(snapshot, "density_residual");
    const Column& kind = column_of(snapshot, "kind");
    // Floats, all of them: nothing is rounded.
    const auto single = [](const Column& column, std::size_t k) { return static_cast<float>(number_at(column, k)); };
    // A power of two: velocities go back without rounding.
    const auto unit = static_cast<float>(problem.units.velocity);
    std::vector<HeldParticle> particles(snapshot.count);
    for (std::size_t i = 0; i < particles.size(); ++i) {
        HeldParticle& p = particles[i];
        for (std::size_t c = 0; c < 3; ++c) {
            p.cell[c] = static_cast<std::int32_t>(number_at(cell, 3 * i + c));
            p.offset[c] = single(offset, 3 * i + c);
            p.offset_residual[c] = single(offset_residual, 3 * i + c);
            p.velocity[c] = single(velocity, 3 * i + c) / unit;
            p.velocity_residual[c] = single(velocity_residual, 3 * i + c) / unit;
            p.position[c] = number_at(position, 3 * i + c) - problem.source.origin.cells[c] * problem.units.length;
        }
        p.density = single(density, i);
        p.density_residual = single(density_residual, i);
        p.kind = static_cast<Kind>(number_at(kind, i));
        for (std::size_t c = 0; c < 4; ++c) p.rate[c] = static_cast<float>(rates.leading[i][c]);
    }
    return particles;
}

std::vector<std::vector<HeldNeighbour>> neighbours_of(const Problem& problem,
                                                      const std::vector<HeldParticle>& particles)
{
    using Cell = std::array<std::int64_t, 3>;
    const auto within_period = [&](Cell cell) {
        for (std::size_t c = 0; c < 3; ++c)
            cell[c] = wrapped(cell[c], problem.source.origin.cells[c], problem.period[c]);
        return cell;
    };
    std::map<Cell, std::vector<std::uint32_t>> of_cell;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const auto& cell = particles[i].cell;
        of_cell[within_period({cell[0], cell[1], cell[2]})].push_back(static_cast<std::uint32_t>(i));
    }
    // A pair within the support now was within support + skin when neighbours were last found, and cells are from then.
    const int reach = problem.search_cells;
    const int deep = problem.source.dimensions == 3 ? reach : 0;
    std::vector<std::vector<HeldNeighbour>> neighbours(particles.size());
    for (std::size_t a = 0; a < particles.size(); ++a) {
        const auto& cell = particles[a].cell;
        for (int z = -deep; z <= deep; ++z) {
            for (int y = -reach; y <= reach; ++y) {
                for (int x = -reach; x <= reach; ++x) {
                    const auto found = of_cell.find(within_period(
                        {std::int64_t(cell[0]) - x, std::int64_t(cell[1]) - y, std::int64_t(cell[2]) - z}));
                    if (found == of_cell.end()) continue;
                    const bool own = x == 0 && y == 0 && z == 0;
                    for (const std::uint32_t b : found->second)
                        if (!own || b != a) neighbours[a].push_back({b, {x, y, z}});
                }
            }
        }
    }
    return neighbours;
}

std::vector<Conditions> conditions_of(const Problem& problem, const std::vector<HeldParticle>& particles)
{
    const Physics& physics = problem.physics;
    if (physics.density_diffusion != DensityDiffusion::none || physics.xsph || physics.central_force ||
        physics.previous_state != PreviousState::none)
        throw input_error(
            fmt::format("{}: density diffusion, XSPH, a central force and other integrators than kick-drift-kick are "
                        "not part of the error budget; choose a case without them",
                        problem.source.name));
    return problem.source.dimensions == 3 ? conditions_in<3>(problem, particles) : conditions_in<2>(problem, particles);
}

}  // namespace halfulp
