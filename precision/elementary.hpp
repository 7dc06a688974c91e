// Elementary functions from correctly rounded operations only, with the same bits on every machine, at every SIMD width
// and on a CUDA device. Each reduces its argument by Cody and Waite's method (1980), where a fused multiply-add keeps
// the leading difference exact, and sums a Taylor series by Horner's rule.
#pragma once

#include "precision/polynomial.hpp"

namespace halfulp {

// e^x for float, double and SIMD vectors of either; precision/multiprecision.hpp has the same for Quad. The error is
// below one ulp (0.94 over all floats), so two neighbours may be out of order by one. NaN gives NaN.
//
// Range in double: all x, subnormal results included. In single precision: x from -87.68 to 88.37; the result is 0
// below and infinity above, slightly earlier than e^x itself would round to them. That is the limit of a single
// multiplication by a power of two, and enough for inner loops.
template <class T>
HALFULP_INLINE T exponential(T x)
{
    constexpr bool single = sizeof(Lane<T>) == 4;
    // Beyond these the result is 0 or infinity; NaN passes, as comparisons with it are false.
    const T bounded = smaller(larger(x, constant<T>(single ? -88.0 : -746.0)), constant<T>(single ? 88.6 : 710.0));

    // x = k ln 2 + r, |r| <= ln(2)/2. The first part of ln 2 has all the bits of the format: the difference is exact,
    // being less than 1/2 and a multiple of half the part's last bit.
    const T k = nearest_whole_product(bounded, constant<T>(0x1.71547652b82fep+0));
    const T leading = fma(k, constant<T>(single ? -0x1.62e43p-1 : -0x1.62e42fefa39efp-1), bounded);
    const T r = fma(k, constant<T>(single ? 0x1.05c61p-29 : -0x1.abc9e3b39803fp-56), leading);

    // sum r^n / n!: the truncation error is 0.09 (float) and 0.04 (double) of half an ulp of 1.
    const auto factor = [](double factorial) { return constant<T>(1 / factorial); };
    const T one = constant<T>(1);
    T power;
    if constexpr (single) {
        power = horner(r, one, one, factor(2), factor(6), factor(24), factor(120), factor(720), factor(5040));
        return power * power_of_two(k);
    } else {
        power =
            horner(r, one, one, factor(2), factor(6), factor(24), factor(120), factor(720), factor(5040), factor(40320),
                   factor(362880), factor(3628800), factor(39916800), factor(479001600), factor(6227020800));
        // In two steps, the first of which is exact: 2^k alone may overflow or underflow the format.
        const T half = nearest_whole_product(k, constant<T>(0.5));
        return power * power_of_two(half) * power_of_two(k - half);
    }
}

// The following functions branch, so they are used only to set up a case.

// sin x and cos x (x in radians) to less than one ulp for |x| <= largest_angle; NaN beyond.
inline constexpr double largest_angle = 1e6;
double sine(double x);
double cosine(double x);

// sinh x and cosh x to less than two ulps; infinite beyond |x| = 709.78, where e^|x| is.
double hyperbolic_sine(double x);
double hyperbolic_cosine(double x);
// Their quotient, tanh x, to less than four ulps.
double hyperbolic_tangent(double x);

}  // namespace halfulp
