// Conservation of momentum, conjugate pair (i) (Monaghan 1992; Domínguez et al. 2013, eq. A.4):
//     du_a/dt = -sum_b m_b (P_a/rho_a^2 + P_b/rho_b^2 + Pi_ab) grad_a W_ab + g.
// Everything is divided by rho0 and m_b = rho0 V, so that pressure enters as rho0 P/rho^2 (state_equation.hpp) and
// viscosity as rho0 Pi.
#pragma once

#include "kernels/parameters.hpp"
#include "kernels/smoothing.hpp"
#include "kernels/state_equation.hpp"
#include "kernels/vector.hpp"

namespace halfulp {

// What a pass needs of a particle beside its position.
template <int D, class T>
struct MomentumState {
    Vec<D, T> velocity;
    T pressure_term;  // rho0 P/rho^2
    CentredDensity<T> density;
};

// Monaghan's artificial viscosity as rho0 Pi (Monaghan 1992): Pi = -alpha c mu/rho for u.r < 0, mu = h u.r/(r^2 +
// eta^2), with c and rho the means of the pair.
template <class T>
HALFULP_INLINE T artificial_viscosity(T approach, T distance_squared, CentredDensity<T> a, CentredDensity<T> b, T alpha,
                                      T smoothing_length, T softening, T reference_sound_speed)
{
    const T half = constant<T>(0.5);
    const T mean_sound_speed = half * (sound_speed(a, reference_sound_speed) + sound_speed(b, reference_sound_speed));
    const T mean_ratio = fma(half, a.s + b.s, constant<T>(1));
    const T strength = (alpha * smoothing_length) * mean_sound_speed;
    const T closing = smaller(approach, constant<T>(0));
    return -(strength * closing) / ((distance_squared + softening) * mean_ratio);
}

// The factors that multiply r_ab: `total` with everything in it, `viscous` its viscous share (for the energy ledger).
// The share of du/dt is -pair_scale times their sums.
template <class T>
struct MomentumPair {
    T total;
    T viscous;
};

template <class Kernel, bool viscous, int D, class T>
HALFULP_INLINE MomentumPair<T> momentum_pair(const Vec<D, T>& r_ab, const MomentumState<D, T>& a,
                                             const MomentumState<D, T>& b, const Parameters<D, T>& p)
{
    const T r2 = dot(r_ab, r_ab);
    const T f = Kernel::gradient_shape(square_root(r2) * p.inverse_smoothing_length);
    const T pressure = a.pressure_term + b.pressure_term;
    if constexpr (!viscous) {
        return {pressure * f, constant<T>(0)};
    } else {
        const T approach = dot(a.velocity - b.velocity, r_ab);
        const T pi = artificial_viscosity(approach, r2, a.density, b.density, p.artificial_viscosity,
                                          p.smoothing_length, p.viscous_softening, p.sound_speed);
        return {(pressure + pi) * f, pi * f};
    }
}

}  // namespace halfulp
