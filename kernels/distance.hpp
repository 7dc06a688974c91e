// Two ways to compute the length of r_ab: a part of a precision policy.
#pragma once

#include <limits>

#include "kernels/vector.hpp"

namespace halfulp {

// The square root of r.r. Shorter distances, zero included, are taken as 2^-50 (2^-450 in double), which no kernel can
// tell from zero.
struct PlainDistance {
    static constexpr const char* name = "plain";
    template <int D, class T>
    static HALFULP_INLINE T length(const Vec<D, T>& r)
    {
        constexpr double least = std::numeric_limits<Lane<T>>::digits == 24 ? 0x1p-100 : 0x1p-900;
        return square_root_of_normal(at_least(constant<T>(least), dot(r, r)));
    }
};

// Scaled by the largest component, like hypot, against overflow and underflow.
struct ScaledDistance {
    static constexpr const char* name = "scaled";
    template <int D, class T>
    static HALFULP_INLINE T length(const Vec<D, T>& r)
    {
        const T zero = constant<T>(0);
        T largest = magnitude(r[0]);
        for (int i = 1; i < D; ++i) largest = larger(largest, magnitude(r[i]));
        const T divisor = select(largest > zero, largest, constant<T>(1));
        Vec<D, T> scaled;
        for (int i = 0; i < D; ++i) scaled[i] = r[i] / divisor;
        return largest * square_root(dot(scaled, scaled));
    }
};

}  // namespace halfulp
