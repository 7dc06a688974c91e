// XSPH (Monaghan 1989): particles move with a velocity smoothed over their fluid neighbours,
//     dx_a/dt = u_a + epsilon sum_b (m_b / rho_ab) (u_b - u_a) W_ab,    rho_ab the mean of the pair,
// and the continuity equation sees the same velocity. It conserves momentum, not energy: the work done by moving
// particles against their forces is booked.
#pragma once

#include "kernels/viscosity.hpp"

namespace halfulp {

// The factor of -u_ab in one pair's share, over xsph_scale = epsilon V alpha.
template <class T>
HALFULP_INLINE T xsph_weight(T shape, CentredDensity<T> a, CentredDensity<T> b)
{
    return shape / mean_density_ratio(a, b);
}

}  // namespace halfulp
