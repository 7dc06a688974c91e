// A small vector of D components of any number type.
#pragma once

#include "precision/real.hpp"

namespace halfulp {

template <int D, class T>
struct Vec {
    T c[D];

    HALFULP_INLINE T& operator[](int i) { return c[i]; }
    HALFULP_INLINE const T& operator[](int i) const { return c[i]; }
};

template <int D, class T>
HALFULP_INLINE Vec<D, T> operator-(const Vec<D, T>& a, const Vec<D, T>& b)
{
    Vec<D, T> r;
    for (int i = 0; i < D; ++i) r[i] = a[i] - b[i];
    return r;
}

// a . b, accumulated by fma from the first component on.
template <int D, class T>
HALFULP_INLINE T dot(const Vec<D, T>& a, const Vec<D, T>& b)
{
    T sum = a[0] * b[0];
    for (int i = 1; i < D; ++i) sum = fma(a[i], b[i], sum);
    return sum;
}

}  // namespace halfulp
