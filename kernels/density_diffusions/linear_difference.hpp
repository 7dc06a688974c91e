// The linear part of the density field, subtracted by some forms of density diffusion.
#pragma once

#include "kernels/vector.hpp"

namespace halfulp {

// The linear part of s_b - s_a from the renormalised gradients of both (Antuono et al. 2010): (grad s_a + grad
// s_b)/2 . r_ba.
template <int D, class T>
HALFULP_INLINE T linear_difference(const Vec<D, T>& gradient_a, const Vec<D, T>& gradient_b, const Vec<D, T>& r_ab)
{
    T sum = (gradient_a[0] + gradient_b[0]) * r_ab[0];
    for (int i = 1; i < D; ++i) sum = fma(gradient_a[i] + gradient_b[i], r_ab[i], sum);
    return constant<T>(-0.5) * sum;
}

}  // namespace halfulp
