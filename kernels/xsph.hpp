// XSPH (Monaghan 1989): particles move with a velocity smoothed over their fluid neighbours,
//     dx_a/dt = u_a + epsilon sum_b (m_b / rho_ab) (u_b - u_a) W_ab,    rho_ab the mean of the pair,
// and the continuity equation uses the same velocity. It conserves momentum, but not energy: the work of displacing
// particles against their forces is booked.
#pragma once

#include "kernels/viscosity.hpp"

namespace halfulp {

// The factor of -u_ab in the term of one pair, over xsph_scale = epsilon V alpha.
template <class T>
HALFULP_INLINE T xsph_weight(T shape, CentredDensity<T> a, CentredDensity<T> b)
{
    return shape / mean_density_ratio(a, b);
}

}  // namespace halfulp
