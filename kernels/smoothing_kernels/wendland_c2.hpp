// Wendland's C2 kernel.
#pragma once

#include <numbers>

#include "precision/annotation.hpp"
#include "precision/real.hpp"

namespace halfulp {

// Wendland C2 (Wendland 1995): w = t^4 (1 + 2q), f = -5 t^3, t = 1 - q/2. f needs no division by q.
struct WendlandC2 {
    static constexpr const char* name = "wendland-c2";
    static constexpr double support = 2;  // in smoothing lengths

    // alpha h^D, the normalisation in D dimensions, 1 to 3.
    static constexpr double normalisation(int dimensions)
    {
        return dimensions == 1 ? 0.75 : dimensions == 2 ? 7 / (4 * std::numbers::pi) : 21 / (16 * std::numbers::pi);
    }

    template <class T>
    static HALFULP_INLINE T shape(T q)
    {
        const T t = at_least(constant<T>(0), fma(q, constant<T>(-0.5), constant<T>(1)));
        const T t2 = t * t;
        return (t2 * t2) * fma(q, constant<T>(2), constant<T>(1));
    }

    template <class T>
    static HALFULP_INLINE T gradient_shape(T q)
    {
        const T t = at_least(constant<T>(0), fma(q, constant<T>(-0.5), constant<T>(1)));
        return (t * t) * (t * constant<T>(-5));
    }
};

}  // namespace halfulp
