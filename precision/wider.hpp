// The double-precision counterpart of a number type with the same lanes, and conversions.
#pragma once

#include "precision/real.hpp"

namespace halfulp {

template <class T>
struct WiderOf {
    using type = double;
};

template <class T>
using Wider = typename WiderOf<T>::type;

// Exact.
HALFULP_INLINE double widened(float a) { return a; }
HALFULP_INLINE double widened(double a) { return a; }

// Rounded to nearest.
template <BuiltIn T>
HALFULP_INLINE T narrowed(double a)
{
    return static_cast<T>(a);
}

}  // namespace halfulp
