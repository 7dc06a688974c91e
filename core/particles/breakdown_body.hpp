// The search for a breakdown's particle, included where a policy is instantiated.
#pragma once

#include <fmt/format.h>

#include "core/particles/breakdown.hpp"

namespace halfulp {

namespace detail {

template <class Policy, int D>
std::string broken_rule(const ParticleView<Policy>& particles, const ParticleConstants<Policy, D>& constants, Rule rule,
                        std::size_t i)
{
    switch (rule) {
    case Rule::finite_velocity: return "its velocity is not a finite number";
    case Rule::density_bound:
        return fmt::format(
            "its density deviates from rest by rho/rho0 - 1 = {:.4g}, beyond numerics.density_bound = {}",
            density_of(particles, constants.domain, i), constants.density_bound);
    case Rule::short_move: {
        const auto u = velocity_of<Policy, D>(particles, i);
        return fmt::format("it moves by more than half the skin of the neighbour lists in one step (at {:.4g} m/s)",
                           square_root(dot(u, u)) * constants.domain.units.velocity);
    }
    case Rule::converged: return "the iterations of its implicit step do not converge";
    case Rule::cell_range: break;
    }
    return "it leaves the 32-bit range of cells";
}

inline std::string likely_cause(Rule rule, const char* step_key)
{
    switch (rule) {
    case Rule::finite_velocity:
        return fmt::format("particles that came too close to each other in one step: try a smaller {}", step_key);
    case Rule::density_bound:
        return fmt::format(
            "a sound speed below ten times the fastest flow (fluid.sound_speed), a step too large for the flow (try a "
            "smaller {}), or fluid that starts squeezed against a wall",
            step_key);
    case Rule::short_move:
        return fmt::format(
            "a particle shot out of the flow by too large a step (try a smaller {}) or falling from where the case is open "
            "(close it, or end it earlier), or a skin too thin for a fast flow (numerics.skin)",
            step_key);
    case Rule::converged:
        return fmt::format("too large a step for an implicit numerics.integrator: try a smaller {}", step_key);
    case Rule::cell_range: break;
    }
    return "an origin.cells too close to +-2147483647, or a particle that left the flow";
}

}  // namespace detail

template <class Policy, int D>
void throw_breakdown(const ParticleView<Policy>& particles, const ParticleConstants<Policy, D>& constants, Rule rule,
                     typename Policy::Real interval)
{
    const ParticleTracking<Policy, D> tracking(particles, constants);
    std::size_t first = particles.count;
    for (std::size_t i = 0; i < particles.count; ++i) {
        if (breaks(tracking, rule, i, interval) &&
            (first == particles.count || particles.cell[i].w < particles.cell[first].w))
            first = i;
    }
    if (first == particles.count) return;
    Breakdown breakdown{.what = detail::broken_rule(particles, constants, rule, first),
                        .likely_cause = detail::likely_cause(rule, constants.step_key),
                        .id = static_cast<std::uint32_t>(particles.cell[first].w),
                        .kind = particles.kind[first],
                        .position = {}};
    const auto x = position_of<Policy, D>(particles, constants.domain, first);
    for (int c = 0; c < D; ++c) breakdown.position[static_cast<std::size_t>(c)] = x[c] * constants.domain.units.length;
    throw SimulationBroke{breakdown};
}

}  // namespace halfulp
