// Error-free transforms: the rounding error of one operation, exactly, in the same format.
// Sources: Møller 1965 and Knuth, TAOCP vol. 2 (TwoSum, 6 operations); Dekker 1971 (FastTwoSum, 3);
// Ogita, Rump and Oishi 2005 (TwoProd with fma, 2). Exact unless something overflows or the product's error underflows.
#pragma once

#include "precision/real.hpp"

namespace halfulp {

// value + error equals the exact result; value is that result rounded to nearest.
template <class T>
struct WithError {
    T value;
    T error;
};

// a + b for any a and b.
template <class T>
HALFULP_INLINE WithError<T> two_sum(T a, T b)
{
    const T s = a + b;
    const T b_part = s - a;
    const T a_part = s - b_part;
    return {s, (a - a_part) + (b - b_part)};
}

// a + b where |a| >= |b| or a = 0.
template <class T>
HALFULP_INLINE WithError<T> fast_two_sum(T a, T b)
{
    const T s = a + b;
    return {s, b - (s - a)};
}

// a b.
template <class T>
HALFULP_INLINE WithError<T> two_prod(T a, T b)
{
    const T p = a * b;
    return {p, fma(a, b, -p)};
}

// a b - c d with an error of at most 1.5 ulps, however much cancels (Kahan's algorithm; Jeannerod, Louvet and Muller
// 2013, Math. Comput. 82, 2245).
template <class T>
HALFULP_INLINE T difference_of_products(const T& a, const T& b, const T& c, const T& d)
{
    const T product = c * d;
    const T error = fma(-c, d, product);
    return fma(a, b, -product) + error;
}

}  // namespace halfulp
