// The linear equation of state: P = rho0 c0^2 s.
#pragma once

#include "kernels/density.hpp"
#include "precision/polynomial.hpp"

namespace halfulp {

struct LinearEquation {
    static constexpr const char* name = "linear";

    static constexpr double stiffness(double sound_speed_squared) { return sound_speed_squared; }

    template <class T>
    static HALFULP_INLINE T pressure(CentredDensity<T> density, T stiffness)
    {
        return stiffness * density.s;
    }
    template <class T>
    static HALFULP_INLINE T pressure(RelativeDensity<T> density, T stiffness)
    {
        return stiffness * (density.ratio - constant<T>(1));
    }

    template <class T>
    static HALFULP_INLINE T sound_speed(CentredDensity<T> /*density*/, T reference_sound_speed)
    {
        return reference_sound_speed;
    }

    // e = c0^2 [log(1+s) - s/(1+s)] cancels to second order in s; with z = s/(2+s) it is 2 c0^2 [z^2/(1+z) + z^3/3 +
    // z^5/5 + z^7/7 + ...], without cancellation. Sixteen odd powers leave less than an ulp of double for |s| up to
    // 0.5.
    template <class T>
    static HALFULP_INLINE T compressive_energy(CentredDensity<T> density, T stiffness)
    {
        const T s = density.s;
        const T z = s / (constant<T>(2) + s);
        const T z2 = z * z;
        T series = constant<T>(1) / constant<T>(33);
        for (int k = 31; k >= 3; k -= 2) series = fma(series, z2, constant<T>(1) / constant<T>(k));
        return (constant<T>(2) * stiffness) * (z2 * fma(z, series, constant<T>(1) / (constant<T>(1) + z)));
    }

    // [e(s + d) - e(s - d)] / 2d minus its limit P/(rho0 (1+s)^2) for d -> 0, without the difference: with r = 1 + s
    // and z = d/r, c0^2 (z/r)^2 [r (1/3 + z^2/5 + z^4/7 + ...) - 1/(1 - z^2)]. As above, for |z| < 0.3.
    template <class T>
    static HALFULP_INLINE T energy_quotient_excess(CentredDensity<T> middle, T d, T stiffness)
    {
        const T r = relative(middle).ratio;
        const T z = d / r;
        const T z2 = z * z;
        T series = constant<T>(1) / constant<T>(33);
        for (int k = 31; k >= 3; k -= 2) series = fma(series, z2, constant<T>(1) / constant<T>(k));
        const T one = constant<T>(1);
        return stiffness * (z2 * (r * series - one / (one - z2)) / (r * r));
    }

    template <class T>
    static HALFULP_INLINE CentredDensity<T> density_from_load(T load)
    {
        return {load};
    }
    static CentredDensity<double> density_under(double load) { return {load}; }

    template <class T>
    static HALFULP_INLINE T hydrostatic_difference(T x)
    {
        return x;
    }
};

}  // namespace halfulp
