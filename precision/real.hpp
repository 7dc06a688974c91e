// The few elementary operations that the physics asks of a number type.
//
// A number type is float, double, a SIMD vector of either (precision/simd.hpp), or a multiprecision type. Every
// operation below is correctly rounded for the built-in types (IEEE 754), so it gives the same bits on every machine.
// There is no exp, log or pow here on purpose: the C library's differ between machines.
#pragma once

#include <cmath>
#include <type_traits>

#include "precision/annotation.hpp"

namespace halfulp {

// a b + c, rounded once.
HALFULP_INLINE float fma(float a, float b, float c)
{
#if defined(__CUDA_ARCH__)
    return __fmaf_rn(a, b, c);
#else
    return __builtin_fmaf(a, b, c);
#endif
}

HALFULP_INLINE double fma(double a, double b, double c)
{
#if defined(__CUDA_ARCH__)
    return __fma_rn(a, b, c);
#else
    return __builtin_fma(a, b, c);
#endif
}

HALFULP_INLINE float square_root(float a)
{
#if defined(__CUDA_ARCH__)
    return __fsqrt_rn(a);
#else
    return __builtin_sqrtf(a);
#endif
}

HALFULP_INLINE double square_root(double a)
{
#if defined(__CUDA_ARCH__)
    return __dsqrt_rn(a);
#else
    return __builtin_sqrt(a);
#endif
}

template <class T>
concept BuiltIn = std::is_arithmetic_v<T>;

// The larger of a and b; a where they compare equal or where b is NaN. Written out because the hardware's own maxima
// disagree about NaN and signed zero.
template <BuiltIn T>
HALFULP_INLINE T larger(T a, T b)
{
    return b > a ? b : a;
}

template <BuiltIn T>
HALFULP_INLINE T smaller(T a, T b)
{
    return b < a ? b : a;
}

template <BuiltIn T>
HALFULP_INLINE T magnitude(T a)
{
    return a < T(0) ? -a : a;
}

// Where the condition holds a, else b. The scalar form of the SIMD selection.
template <BuiltIn T>
HALFULP_INLINE T select(bool condition, T a, T b)
{
    return condition ? a : b;
}

// The type of one lane: the number type itself unless it is a SIMD vector.
template <class T>
struct LaneOf {
    using type = T;
    static constexpr int lanes = 1;
};

template <class T>
using Lane = typename LaneOf<T>::type;

// A constant in the number type T, rounded once from double.
template <class T>
HALFULP_INLINE T constant(double value)
{
    return T(static_cast<Lane<T>>(value));
}

}  // namespace halfulp
