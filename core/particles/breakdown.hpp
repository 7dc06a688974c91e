// The reason why a run cannot continue: which particle broke which rule.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/particles/particle_tracking.hpp"

namespace halfulp {

// A particle that ended the run.
struct Breakdown {
    std::string what;  // e.g. "its density deviates by 0.41 from rest; the bound is 0.3"
    std::string likely_cause;
    std::uint32_t id = 0;
    Kind kind = Kind::fluid;
    std::array<double, 3> position{};  // m, relative to the case's origin
};

// Thrown by Backend::execute; the state is as the failing operation left it.
struct SimulationBroke {
    Breakdown breakdown;
};

enum class Rule {
    finite_velocity,
    density_bound,
    short_move,  // a step moves a particle by less than half the skin
    cell_range,  // cells have 32 bits
    converged    // only rounding remains of the implicit step's residual
};

// The rules in order of precedence: the first one that some particle breaks ends the run.
inline constexpr std::array rules_in_order{Rule::finite_velocity, Rule::density_bound, Rule::short_move,
                                           Rule::cell_range, Rule::converged};

HALFULP_HOST_DEVICE constexpr unsigned bit_of(Rule rule) { return 1U << static_cast<unsigned>(rule); }

template <class Policy, int D>
HALFULP_INLINE bool breaks(const ParticleTracking<Policy, D>& tracking, Rule rule, std::size_t i,
                           typename Policy::Real interval)
{
    switch (rule) {
    case Rule::finite_velocity: return tracking.moves(i) && !tracking.has_finite_velocity(i);
    case Rule::density_bound: return !tracking.is_within_density_bound(i);
    case Rule::short_move: {
        if (!tracking.moves(i)) return false;
        return !(tracking.coming_move(i, interval).move2 <= tracking.allowed_displacement_squared());
    }
    case Rule::cell_range: return !tracking.fits_in_cells(i);
    case Rule::converged: return tracking.is_fluid(i) && !(tracking.midpoint_residual(i, interval) <= 1);
    }
    return false;
}

// Throws SimulationBroke for the particle of smallest id that breaks the rule, if any. For particles in the host's
// memory. interval: of the coming step, for short_move.
template <class Policy, int D>
void throw_breakdown(const ParticleView<Policy>& particles, const ParticleConstants<Policy, D>& constants, Rule rule,
                     typename Policy::Real interval);

}  // namespace halfulp
