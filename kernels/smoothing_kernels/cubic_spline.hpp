// The cubic spline.
#pragma once

#include <numbers>

#include "precision/annotation.hpp"
#include "precision/polynomial.hpp"

namespace halfulp {

// Cubic spline M4 (Monaghan and Lattanzio 1985; Domínguez et al. 2013, eq. A.3):
// w = 1 + q^2 (-3/2 + 3q/4) and f = -3 + 9q/4 for q < 1, w = (2-q)^3/4 and f = -(3/4) (2-q)^2/q for q < 2.
struct CubicSpline {
    static constexpr const char* name = "cubic-spline";
    static constexpr double support = 2;

    static constexpr double normalisation(int dimensions)
    {
        return dimensions == 1 ? 2.0 / 3 : dimensions == 2 ? 10 / (7 * std::numbers::pi) : 1 / std::numbers::pi;
    }

    template <class T>
    static HALFULP_INLINE T shape(T q)
    {
        const T t = at_least(constant<T>(0), constant<T>(2) - q);
        const T inner = horner(q * q, constant<T>(1), fma(q, constant<T>(0.75), constant<T>(-1.5)));
        return select(q < constant<T>(1), inner, (t * t) * (t * constant<T>(0.25)));
    }

    template <class T>
    static HALFULP_INLINE T gradient_shape(T q)
    {
        const T one = constant<T>(1);
        const T t = at_least(constant<T>(0), constant<T>(2) - q);
        const T outer = (t * t) * constant<T>(-0.75) / larger(q, one);
        return select(q < one, fma(q, constant<T>(2.25), constant<T>(-3)), outer);
    }
};

}  // namespace halfulp
