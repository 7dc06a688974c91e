// Tait's equation of state (Monaghan 1994; Domínguez et al. 2013, eq. A.6): P = B [(1+s)^7 - 1], B = rho0 c0^2 / 7,
// expanded exactly as P = B s (7 + 21 s + 35 s^2 + 35 s^3 + 21 s^4 + 7 s^5 + s^6). Storing s and evaluating (1+s)^7 - 1
// would lose the gain in accuracy.
#pragma once

#include "kernels/density.hpp"
#include "precision/polynomial.hpp"

namespace halfulp {

struct TaitEquation {
    static constexpr const char* name = "tait";

    static constexpr double stiffness(double sound_speed_squared) { return sound_speed_squared / 7; }

    template <class T>
    static HALFULP_INLINE T pressure(CentredDensity<T> density, T stiffness)
    {
        const T s = density.s;
        const T polynomial = horner(s, constant<T>(7), constant<T>(21), constant<T>(35), constant<T>(35),
                                    constant<T>(21), constant<T>(7), constant<T>(1));
        return stiffness * (s * polynomial);
    }

    // The form in most codes, for the ablation study: near rest the seventh power loses the digits of the pressure.
    template <class T>
    static HALFULP_INLINE T pressure(RelativeDensity<T> density, T stiffness)
    {
        const T ratio = density.ratio;
        const T square = ratio * ratio;
        return stiffness * ((square * square) * (square * ratio) - constant<T>(1));
    }

    // c = c0 (1+s)^3.
    template <class T>
    static HALFULP_INLINE T sound_speed(CentredDensity<T> density, T reference_sound_speed)
    {
        const T ratio = relative(density).ratio;
        return reference_sound_speed * (ratio * (ratio * ratio));
    }

    // e = (B/rho0) s^2 [1/(1+s) + 5/2 + s (10/3 + s (5/2 + s (1 + s/6)))].
    template <class T>
    static HALFULP_INLINE T compressive_energy(CentredDensity<T> density, T stiffness)
    {
        const T s = density.s;
        const T polynomial = horner(s, constant<T>(2.5), constant<T>(10) / constant<T>(3), constant<T>(2.5),
                                    constant<T>(1), constant<T>(1) / constant<T>(6));
        return stiffness * ((s * s) * (constant<T>(1) / relative(density).ratio + polynomial));
    }

    // [e(s + d) - e(s - d)] / 2d minus its limit P/(rho0 (1+s)^2) for d -> 0, without the difference: with r = 1 + s,
    // e = (B/rho0) (r^6/6 + 1/r) + const gives (B/rho0) d^2 [r (10 r^2/3 + d^2) - 1 / (r^2 (r^2 - d^2))].
    template <class T>
    static HALFULP_INLINE T energy_quotient_excess(CentredDensity<T> middle, T d, T stiffness)
    {
        const T r = relative(middle).ratio;
        const T r2 = r * r;
        const T d2 = d * d;
        const T powers = r * fma(constant<T>(10) / constant<T>(3), r2, d2);
        return stiffness * (d2 * (powers - constant<T>(1) / (r2 * (r2 - d2))));
    }

    // (1 + load)^(1/7) - 1 by Newton's method on the expanded polynomial, so that nothing cancels near rest, from the
    // Padé approximant [2/2] of the root. The bounded number of iterations, the same for all lanes and machines,
    // suffices for every number type, quad included, from half to twice the density at rest.
    template <class T>
    static HALFULP_INLINE CentredDensity<T> density_from_load(T load)
    {
        const T one = constant<T>(1);
        T s = load * fma(load, constant<T>(0.5), one) /
              horner(load, constant<T>(7), constant<T>(6.5), constant<T>(13) / constant<T>(14));
        for (int i = 0; i < 10; ++i) {
            const T excess = pressure(CentredDensity<T>{s}, one) - load;
            const T ratio = s + one;
            const T cube = ratio * (ratio * ratio);
            const T next = s - excess / (constant<T>(7) * (cube * cube));
            // Converged: further iterations would give the same number; a wall far from the water needs one.
            if constexpr (LaneOf<T>::lanes == 1) {
                if (next == s) break;
            }
            s = next;
        }
        return {s};
    }

    // The same for any load above -1, with as many iterations as needed.
    static CentredDensity<double> density_under(double load)
    {
        double s = load / 7;
        for (int i = 0; i < 60; ++i) {
            const double excess = pressure(CentredDensity<double>{s}, 1.0) - load;
            const double r = 1 + s;
            const double slope = 7 * (r * r * r) * (r * r * r);
            const double next = s - excess / slope;
            if (next == s) break;
            s = next;
        }
        return {s};
    }

    // (1 + x)^(1/7) - 1 (Fourtakas et al. 2019, eq. 8): eight terms of the binomial series, with a relative error of
    // 1e-8 for |x| < 0.1. x stays below 0.01 if the sound speed is ten times that of the flow; a seventh root would
    // cost ten times as much.
    template <class T>
    static HALFULP_INLINE T hydrostatic_difference(T x)
    {
        // The coefficients (1/7 choose k), k = 1 to 8.
        constexpr double c1 = 1.0 / 7, c2 = c1 * (1.0 / 7 - 1) / 2, c3 = c2 * (1.0 / 7 - 2) / 3,
                         c4 = c3 * (1.0 / 7 - 3) / 4, c5 = c4 * (1.0 / 7 - 4) / 5, c6 = c5 * (1.0 / 7 - 5) / 6,
                         c7 = c6 * (1.0 / 7 - 6) / 7, c8 = c7 * (1.0 / 7 - 7) / 8;
        return x * horner(x, constant<T>(c1), constant<T>(c2), constant<T>(c3), constant<T>(c4), constant<T>(c5),
                          constant<T>(c6), constant<T>(c7), constant<T>(c8));
    }
};

}  // namespace halfulp
