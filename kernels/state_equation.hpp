// Equations of state and the energy they store, for a centred density s = rho/rho0 - 1, without cancellation.
//
// Tait (Monaghan 1994; Domínguez et al. 2013, eq. A.6): P = B [(1+s)^7 - 1], B = rho0 c0^2 / 7, expanded exactly as
// P = B s (7 + 21 s + 35 s^2 + 35 s^3 + 21 s^4 + 7 s^5 + s^6). Storing s and evaluating (1+s)^7 - 1 would throw the
// gain away. Linear: P = rho0 c0^2 s.
//
// Both take their stiffness as P / rho0 in the limit of small s has it: c0^2 / 7 for Tait, c0^2 for the linear one.
#pragma once

#include "kernels/density.hpp"
#include "kernels/physics.hpp"
#include "precision/polynomial.hpp"

namespace halfulp {

// B / rho0 from c0^2.
constexpr double stiffness_of(StateEquation equation, double sound_speed_squared)
{
    return equation == StateEquation::linear ? sound_speed_squared : sound_speed_squared / 7;
}

// P / rho0.
template <class T>
HALFULP_INLINE T pressure_over_reference_density(StateEquation equation, CentredDensity<T> density, T stiffness)
{
    const T s = density.s;
    if (equation == StateEquation::linear) return stiffness * s;
    const T polynomial = horner(s, constant<T>(7), constant<T>(21), constant<T>(35), constant<T>(35), constant<T>(21),
                                constant<T>(7), constant<T>(1));
    return stiffness * (s * polynomial);
}

// The same from rho/rho0 as most codes have it, for the ablation study: near rest the seventh power loses the digits
// that make the pressure.
template <class T>
HALFULP_INLINE T pressure_over_reference_density(StateEquation equation, RelativeDensity<T> density, T stiffness)
{
    const T ratio = density.ratio;
    const T one = constant<T>(1);
    if (equation == StateEquation::linear) return stiffness * (ratio - one);
    const T square = ratio * ratio;
    return stiffness * ((square * square) * (square * ratio) - one);
}

// What a particle brings to the pressure force, zero at s = 0: rho0 P / rho^2 where neighbours count by mass, P / rho0
// where they count by volume. From a centred or a relative density.
template <template <class> class Density, class T>
requires requires(Density<T> density) { pressure_over_reference_density(StateEquation::tait, density, T()); }
HALFULP_INLINE T pressure_term(const Physics& physics, Density<T> density, T stiffness)
{
    const T pressure = pressure_over_reference_density(physics.state_equation, density, stiffness);
    if (physics.formulation == Formulation::volume_weighted) return pressure;
    const T ratio = relative(density).ratio;
    return pressure / (ratio * ratio);
}

// P / rho0 again from what pressure_term gives.
template <class T>
HALFULP_INLINE T pressure_from_term(const Physics& physics, T term, CentredDensity<T> density)
{
    if (physics.formulation == Formulation::volume_weighted) return term;
    const T ratio = relative(density).ratio;
    return term * (ratio * ratio);
}

// From which density the equation of state is evaluated: a part of a precision policy. Storing s and evaluating from
// the ratio, or the other way round, throws the gain away; both are there to show it.
struct CentredEvaluation {
    static constexpr const char* name = "horner";
    template <class Storage, class T>
    static HALFULP_INLINE CentredDensity<T> density(T stored, T reference)
    {
        return Storage::centred(stored, reference);
    }
};
struct RatioEvaluation {
    static constexpr const char* name = "powers";
    template <class Storage, class T>
    static HALFULP_INLINE RelativeDensity<T> density(T stored, T reference)
    {
        return Storage::relative(stored, reference);
    }
};

// The pressure term of a particle as a policy stores and evaluates it.
template <class Policy, class T>
HALFULP_INLINE T pressure_term_of(const Physics& physics, T stored_density, T reference_density, T stiffness)
{
    using Storage = typename Policy::Density;
    return pressure_term(physics, Policy::Pressure::template density<Storage>(stored_density, reference_density),
                         stiffness);
}

// Speed of sound from c^2 = dP/drho: c0 (1+s)^3 for Tait's equation, c0 for the linear one.
template <class T>
HALFULP_INLINE T sound_speed(StateEquation equation, CentredDensity<T> density, T reference_sound_speed)
{
    if (equation == StateEquation::linear) return reference_sound_speed;
    const T ratio = relative(density).ratio;
    return reference_sound_speed * (ratio * (ratio * ratio));
}

// Compressive energy a unit mass, e = integral of P/rho^2 drho from rho0, which tends to c0^2 s^2 / 2.
// Tait: e = (B/rho0) s^2 [1/(1+s) + 5/2 + s (10/3 + s (5/2 + s (1 + s/6)))].
// Linear: e = c0^2 [log(1+s) - s/(1+s)], which cancels to second order in s; with z = s/(2+s) it is
// 2 c0^2 [z^2/(1+z) + z^3/3 + z^5/5 + z^7/7 + ...], without cancellation. Sixteen odd powers leave less than an ulp of
// double for |s| up to 0.5.
template <class T>
HALFULP_INLINE T compressive_energy(StateEquation equation, CentredDensity<T> density, T stiffness)
{
    const T s = density.s;
    if (equation == StateEquation::linear) {
        const T z = s / (constant<T>(2) + s);
        const T z2 = z * z;
        T series = constant<T>(1) / constant<T>(33);
        for (int k = 31; k >= 3; k -= 2) series = fma(series, z2, constant<T>(1) / constant<T>(k));
        return (constant<T>(2) * stiffness) * (z2 * fma(z, series, constant<T>(1) / (constant<T>(1) + z)));
    }
    const T polynomial = horner(s, constant<T>(2.5), constant<T>(10) / constant<T>(3), constant<T>(2.5), constant<T>(1),
                                constant<T>(1) / constant<T>(6));
    return stiffness * ((s * s) * (constant<T>(1) / relative(density).ratio + polynomial));
}

// The centred density under a pressure P = rho0 stiffness load: (1 + load)^(1/7) - 1 for Tait's equation, and load for
// the linear one. Newton's method on the expanded polynomial, so that nothing cancels near rest, from the Padé
// approximant [2/2] of the root. A fixed number of rounds, so that all lanes and machines do the same: it suffices for
// every number type, quad included, from half to twice the density at rest.
template <class T>
HALFULP_INLINE CentredDensity<T> density_from_load(StateEquation equation, T load)
{
    if (equation == StateEquation::linear) return {load};
    const T one = constant<T>(1);
    T s = load * fma(load, constant<T>(0.5), one) /
          horner(load, constant<T>(7), constant<T>(6.5), constant<T>(13) / constant<T>(14));
    for (int i = 0; i < 10; ++i) {
        const T excess = pressure_over_reference_density(StateEquation::tait, CentredDensity<T>{s}, one) - load;
        const T ratio = s + one;
        const T cube = ratio * (ratio * ratio);
        s = s - excess / (constant<T>(7) * (cube * cube));
    }
    return {s};
}

// The same for loads of any size above -1, in as many rounds as they need. Set-up only; needs load > -1. Built from
// correctly rounded operations, so it has the same bits everywhere.
inline CentredDensity<double> density_under(StateEquation equation, double load)
{
    if (equation == StateEquation::linear) return {load};
    double s = load / 7;
    for (int i = 0; i < 60; ++i) {
        const double excess =
            pressure_over_reference_density(StateEquation::tait, CentredDensity<double>{s}, 1.0) - load;
        const double r = 1 + s;
        const double slope = 7 * (r * r * r) * (r * r * r);
        const double next = s - excess / slope;
        if (next == s) break;
        s = next;
    }
    return {s};
}

}  // namespace halfulp
