// Equation of state and the energy it stores, for a centred density s = rho/rho0 - 1, without cancellation.
//
// Tait (Monaghan 1994; Domínguez et al. 2013, eq. A.6): P = B [(1+s)^7 - 1], B = rho0 c0^2 / 7, expanded exactly as
// P = B s (7 + 21 s + 35 s^2 + 35 s^3 + 21 s^4 + 7 s^5 + s^6). Storing s and evaluating (1+s)^7 - 1 would throw the
// gain away.
#pragma once

#include "kernels/density.hpp"
#include "precision/polynomial.hpp"

namespace halfulp {

// P / rho0 for Tait's equation; stiffness = B / rho0 = c0^2 / 7.
template <class T>
HALFULP_INLINE T pressure_over_reference_density(CentredDensity<T> density, T stiffness)
{
    const T s = density.s;
    const T polynomial = horner(s, constant<T>(7), constant<T>(21), constant<T>(35), constant<T>(35), constant<T>(21),
                                constant<T>(7), constant<T>(1));
    return stiffness * (s * polynomial);
}

// rho0 P / rho^2: what a particle brings to the pressure force of conjugate pair (i). Zero at s = 0.
template <class T>
HALFULP_INLINE T pressure_term(CentredDensity<T> density, T stiffness)
{
    const T ratio = relative(density).ratio;
    return pressure_over_reference_density(density, stiffness) / (ratio * ratio);
}

// Speed of sound c = c0 (1+s)^3, from c^2 = dP/drho.
template <class T>
HALFULP_INLINE T sound_speed(CentredDensity<T> density, T reference_sound_speed)
{
    const T ratio = relative(density).ratio;
    return reference_sound_speed * (ratio * (ratio * ratio));
}

// Compressive energy a unit mass, e = integral of P/rho^2 drho from rho0:
// e = (B/rho0) s^2 [1/(1+s) + 5/2 + s (10/3 + s (5/2 + s (1 + s/6)))], which tends to c0^2 s^2 / 2.
template <class T>
HALFULP_INLINE T compressive_energy(CentredDensity<T> density, T stiffness)
{
    const T s = density.s;
    const T polynomial = horner(s, constant<T>(2.5), constant<T>(10) / constant<T>(3), constant<T>(2.5), constant<T>(1),
                                constant<T>(1) / constant<T>(6));
    return stiffness * ((s * s) * (constant<T>(1) / relative(density).ratio + polynomial));
}

// The centred density at the depth where rho0 g d / B = load: (1 + load)^(1/7) - 1 by Newton's method on the centred
// polynomial. Set-up only; needs load > -1. Built from correctly rounded operations, so it has the same bits
// everywhere.
inline CentredDensity<double> hydrostatic_density(double load)
{
    double s = load / 7;
    for (int i = 0; i < 60; ++i) {
        const double excess = pressure_over_reference_density(CentredDensity<double>{s}, 1.0) - load;
        const double r = 1 + s;
        const double slope = 7 * (r * r * r) * (r * r * r);
        const double next = s - excess / slope;
        if (next == s) break;
        s = next;
    }
    return {s};
}

}  // namespace halfulp
