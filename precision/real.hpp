// The elementary operations required of a number type by the physics.
//
// A number type is float, double, a SIMD vector of either (precision/simd.hpp), or a multiprecision type. Every
// operation below is correctly rounded for the built-in types (IEEE 754), so it gives the same bits on every machine.
// exp, log and pow are absent on purpose, since C libraries differ; precision/elementary.hpp has those needed, built
// from these operations.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "precision/annotation.hpp"

namespace halfulp {

// The type of one lane: the number type itself unless it is a SIMD vector.
template <class T>
struct LaneOf {
    using type = T;
    static constexpr int lanes = 1;
};

template <class T>
using Lane = typename LaneOf<T>::type;

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

// The square root and the reciprocal of normal numbers far enough from the ends of their range, 2^-100 to 2^100 for
// float, correctly rounded as they are everywhere. There a device needs none of the tests and branches of its general
// operations: one step from the hardware's estimate suffices (Markstein, IBM J. Res. Dev. 34 (1990) 111).
template <class T>
HALFULP_INLINE T square_root_of_normal(const T& a)
{
    return square_root(a);
}
template <class T>
HALFULP_INLINE T reciprocal_of_normal(const T& a)
{
    return T(Lane<T>(1)) / a;
}
HALFULP_INLINE float square_root_of_normal(float a)
{
#if defined(__CUDA_ARCH__)
    float estimate;  // of the inverse root
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(estimate) : "f"(a));
    const float root = a * estimate;
    return fma(fma(-root, root, a), 0.5F * estimate, root);
#else
    return square_root(a);
#endif
}
HALFULP_INLINE float reciprocal_of_normal(float a)
{
#if defined(__CUDA_ARCH__)
    float estimate;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(estimate) : "f"(a));
    return fma(estimate, fma(-a, estimate, 1.0F), estimate);
#else
    return 1.0F / a;
#endif
}

template <class T>
concept BuiltIn = std::is_arithmetic_v<T>;

// The larger of a and b; a if they compare equal or b is NaN. Written out because hardware maxima disagree about NaN
// and signed zero.
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

// a without its sign, zeros included.
HALFULP_INLINE float magnitude(float a) { return __builtin_fabsf(a); }
HALFULP_INLINE double magnitude(double a) { return __builtin_fabs(a); }

// The larger of a and a non-negative bound, for any a but -0; NaN if a is NaN. Since the case of equal numbers is left
// out, a device needs a single instruction.
template <class T>
HALFULP_INLINE T at_least(const T& bound, const T& a)
{
    return larger(a, bound);
}
HALFULP_INLINE float at_least(float bound, float a)
{
#if defined(__CUDA_ARCH__)
    float most;
    asm("max.NaN.f32 %0, %1, %2;" : "=f"(most) : "f"(a), "f"(bound));
    return most;
#else
    return larger(a, bound);
#endif
}

// a where the condition holds, otherwise b. The scalar form of the SIMD selection.
template <BuiltIn T>
HALFULP_INLINE T select(bool condition, T a, T b)
{
    return condition ? a : b;
}

// A constant in the number type T, rounded once from double.
template <class T>
HALFULP_INLINE T constant(double value)
{
    return T(static_cast<Lane<T>>(value));
}

namespace detail {
template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

// Constants of the built-in types: bits of the mantissa below the leading one, the exponent bias, and 1.5 times the
// first number whose neighbours are integers.
template <class T>
inline constexpr int mantissa_bits = std::numeric_limits<T>::digits - 1;
template <class T>
inline constexpr int exponent_bias = std::numeric_limits<T>::max_exponent - 1;
template <class T>
inline constexpr double whole_numbers = sizeof(T) == 4 ? 0x1.8p23 : 0x1.8p52;
}  // namespace detail

// The integer nearest to a b, ties to even; |a b| below 2^22 for float, 2^51 for double.
template <class T>
HALFULP_INLINE T nearest_whole_product(T a, T b)
{
    const T whole = constant<T>(detail::whole_numbers<Lane<T>>);
    return fma(a, b, whole) - whole;
}

// 2^k, exactly, for an integer k from -126 to 127 (float), -1022 to 1023 (double). At one below it is 0, at one above
// infinity; undefined beyond that.
template <BuiltIn T>
HALFULP_INLINE T power_of_two(T k)
{
    // The sum's lowest bits are the exponent field; the shift drops all others.
    const T sum = k + constant<T>(detail::whole_numbers<T> + detail::exponent_bias<T>);
    detail::Bits<T> bits = 0;
    std::memcpy(&bits, &sum, sizeof bits);
    bits <<= detail::mantissa_bits<T>;
    T power = 0;
    std::memcpy(&power, &bits, sizeof power);
    return power;
}

}  // namespace halfulp
