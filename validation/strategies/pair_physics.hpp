// The physics of a pair of the preset dominguez-2013: pair (i), Tait, artificial viscosity, tensile correction; on host
// and device.
#pragma once

#include "core/particles/buffers.hpp"
#include "kernels/continuity.hpp"
#include "kernels/momentum.hpp"
#include "kernels/policy.hpp"
#include "precision/position.hpp"

namespace halfulp::strategies {

template <class T>
struct PairTerms {
    Vec<3, T> force;  // of a; of b with the other sign
    T rate;           // of both
};

// What a sweep computes.
enum class Part { both, forces, density };

// Pair physics of the preset dominguez-2013: pair (i), Tait, artificial viscosity, tensile correction.
template <class Kernel>
struct PairPhysics {
    Physics physics;
    Parameters<3, float> parameters;
    float reach_squared;

    template <class T, Part part>
    HALFULP_INLINE PairTerms<T> of(const Vec<3, T>& r, const MomentumState<3, T>& a, const MomentumState<3, T>& b,
                                   const Parameters<3, T>& p) const
    {
        PairTerms<T> terms{};
        if constexpr (part != Part::density) {
            Physics some;
            some.artificial_viscosity = true;
            some.tensile_correction = true;
            const auto pair = momentum_pair<Kernel>(some, r, a, b, p);
            for (int c = 0; c < 3; ++c) terms.force[c] = pair.along * r[c];
        }
        if constexpr (part != Part::forces)
            terms.rate = continuity_pair<Kernel>(r, a.velocity - b.velocity, p.inverse_smoothing_length).rate;
        return terms;
    }
};

// The same of a pair whose sound speeds and tensile shares are stored; with the same bits.
template <class Kernel, class State>
HALFULP_INLINE PairTerms<float> pair_of_stored_terms(const PairPhysics<Kernel>& physics, const Vec<3, float>& r,
                                                     const State& a, const State& b)
{
    const Parameters<3, float>& p = physics.parameters;
    const Vec<3, float> u = a.moving.velocity - b.moving.velocity;
    const float r2 = dot(r, r);
    const float q = PlainDistance::length(r) * p.inverse_smoothing_length;
    const float f = Kernel::gradient_shape(q);
    const float approach = dot(u, r);
    // As artificial_viscosity (kernels/viscosity.hpp), which computes both sound speeds.
    const float strength = (p.artificial_viscosity * p.smoothing_length) * (0.5F * (a.sound_speed + b.sound_speed));
    const float viscous =
        -(strength * smaller(approach, 0.0F)) *
        reciprocal_of_normal((r2 + p.viscous_softening) * mean_density_ratio(a.moving.density, b.moving.density));
    const float pressure = (a.moving.pressure_term + b.moving.pressure_term) + viscous;
    const float tensile =
        tensile_correction(a.tensile_share, b.tensile_share, Kernel::shape(q), p.inverse_shape_at_spacing);
    const float along = (pressure + tensile) * f;
    return {{{along * r[0], along * r[1], along * r[2]}}, approach * f};
}

// r_ab of particles in cells.
HALFULP_INLINE Vec<3, float> separation_of(const Four<float>& here, const Four<float>& there,
                                           const Four<std::int32_t>& in, const Four<std::int32_t>& other)
{
    return {{position_difference(here.x, there.x, static_cast<float>(in.x - other.x)),
             position_difference(here.y, there.y, static_cast<float>(in.y - other.y)),
             position_difference(here.z, there.z, static_cast<float>(in.z - other.z))}};
}

}  // namespace halfulp::strategies
