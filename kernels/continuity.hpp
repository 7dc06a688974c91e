// Conservation of mass, conjugate pair (i) (Monaghan 1992; Domínguez et al. 2013, eq. A.5, divided by rho0):
//     ds_a/dt = sum_b (m_b/rho0) u_ab . grad_a W_ab,    u_ab = u_a - u_b, m_b/rho0 = V.
// s drops out of its own rate, which is what makes the midpoint density of the default integrator time-symmetric.
#pragma once

#include "kernels/parameters.hpp"
#include "kernels/smoothing.hpp"
#include "kernels/vector.hpp"

namespace halfulp {

// One pair's share. Exchanging a and b, which changes the sign of r_ab and u_ab, changes no bit of it.
template <class T>
struct ContinuityPair {
    T rate;              // to be summed over b; times pair_scale it is the share of ds/dt
    T approach;          // u_ab . r_ab
    T distance_squared;  // r_ab . r_ab
    T gradient_shape;    // f(q); zero outside the support
};

template <class Kernel, int D, class T>
HALFULP_INLINE ContinuityPair<T> continuity_pair(const Vec<D, T>& r_ab, const Vec<D, T>& u_ab,
                                                 T inverse_smoothing_length)
{
    const T r2 = dot(r_ab, r_ab);
    const T approach = dot(u_ab, r_ab);
    const T f = Kernel::gradient_shape(square_root(r2) * inverse_smoothing_length);
    return {approach * f, approach, r2, f};
}

}  // namespace halfulp
