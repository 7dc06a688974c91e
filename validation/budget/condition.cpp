#include "validation/budget/condition.hpp"

#include <cmath>

#include <fmt/format.h>

#include "core/error.hpp"
#include "kernels/continuity.hpp"
#include "kernels/momentum.hpp"
#include "kernels/policy.hpp"
#include "precision/position.hpp"

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
                         const std::vector<Neighbour>& neighbours)
{
    const Physics& physics = problem.physics;
    const HeldParticle& here = particles[index];
    const auto a = state_of<D>(here, physics, p);
    Conditions result;
    Vec<D, double> forces{};
    double rate = 0;
    for (const Neighbour& neighbour : neighbours) {
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
