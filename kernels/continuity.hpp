// The continuity equation, for u_ab = u_a - u_b and V = m_b/rho0:
// (i)  ds_a/dt = sum_b V u_ab . grad_a W_ab                          (Monaghan 1992; Domínguez et al. 2013, eq. A.5,
//      divided by rho0): the rate of s is independent of s, which makes the midpoint density of the default
//      integrator time-symmetric;
// (ii) ds_a/dt = (1 + s_a) sum_b V/(1 + s_b) u_ab . grad_a W_ab      (Colagrossi and Landrini 2003).
#pragma once

#include "kernels/density.hpp"
#include "kernels/distance.hpp"
#include "kernels/parameters.hpp"
#include "kernels/physics.hpp"
#include "kernels/smoothing.hpp"
#include "kernels/vector.hpp"

namespace halfulp {

// The term of one pair. Exchanging a and b, which changes the sign of r_ab and u_ab, changes no bit of it.
template <class T>
struct ContinuityPair {
    T rate;              // of (i), to be summed over b; times pair_scale a term of ds/dt
    T approach;          // u_ab . r_ab
    T distance_squared;  // r_ab . r_ab
    T q;                 // |r_ab|/h
    T gradient_shape;    // f(q); zero outside the support
};

template <class Kernel, class Distance = PlainDistance, int D, class T>
HALFULP_INLINE ContinuityPair<T> continuity_pair(const Vec<D, T>& r_ab, const Vec<D, T>& u_ab,
                                                 T inverse_smoothing_length)
{
    const T r2 = dot(r_ab, r_ab);
    const T approach = dot(u_ab, r_ab);
    const T q = Distance::length(r_ab) * inverse_smoothing_length;
    const T f = Kernel::gradient_shape(q);
    return {approach * f, approach, r2, q, f};
}

// The summand of neighbour b and, from the sum over b, the rate of particle a, in either formulation.
template <class T>
HALFULP_INLINE T continuity_share(Formulation formulation, T rate, CentredDensity<T> b)
{
    return by_mass(formulation) ? rate : rate / relative(b).ratio;
}
template <class T>
HALFULP_INLINE T continuity_total(Formulation formulation, T sum, CentredDensity<T> a, T pair_scale)
{
    const T rate = pair_scale * sum;
    return by_mass(formulation) ? rate : rate * relative(a).ratio;
}

// The factor that turns the rate of s at the midpoint of an interval, where the density is s_m, into the mean rate over
// the interval, starting from density s, that gives rho+ = rho (2 - e)/(2 + e) with e = -interval rate / (1 + s_m)
// (DualSPHysics' symplectic scheme; Dominguez et al. 2022). Nothing cancels: rho+ - rho = -2 e rho / (2 + e).
template <class T>
HALFULP_INLINE T factor_of_mean_rate(CentredDensity<T> start, CentredDensity<T> middle, T rate, T interval)
{
    const T there = relative(middle).ratio;
    const T e = -(interval * rate / there);
    const T two = constant<T>(2);
    return two * relative(start).ratio / (there * (two + e));
}

}  // namespace halfulp
