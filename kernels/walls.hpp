// Boundary particles, whose pressure confines the fluid. Dynamic boundary conditions (DBC) apply the fluid's continuity
// equation and equation of state (Crespo, Gómez-Gesteira and Dalrymple 2007). Extrapolated walls take their pressure
// from the fluid beside them (Adami, Hu and Adams 2012, eqs. 22, 23 and 27), with sums over fluid neighbours f:
//     P_w = [sum P_f W_wf + (g - a_w) . sum rho_f r_wf W_wf] / sum W_wf,
// a_w the wall's own acceleration, and 0 without such neighbours; their density follows from the pressure. In viscous
// forces such a wall has a velocity that makes the fluid's equal to the wall's at its face:
//     2 u_w - sum u_f W_wf / sum W_wf.
// The force between fluid and wall is that of two fluid particles, not one with pressures weighted by densities (their
// eq. 8).
#pragma once

#include "kernels/state_equation.hpp"
#include "kernels/vector.hpp"

namespace halfulp {

// Without a limit a wall that fluid leaves goes into tension and holds the fluid back, since it lacks the density of
// the fluid present at the start. DualSPHysics keeps the density of walls from falling below that at rest, as does a
// case with wall_tension = false. Forces never see the densities cut off by the limit: the wall neither stores nor
// returns energy there, so the energy balance holds to the order of the step, and the remainder shows in the ledger's
// residual.
template <class T>
HALFULP_INLINE bool in_tension(CentredDensity<T> density)
{
    return density.s < constant<T>(0);
}

// The weight W_wf of a fluid neighbour, over the kernel's constant. Never negative: at the edge of the support the
// Gaussian's shape is a rounding error, and a mean with weights of both signs is unbounded.
template <class T>
HALFULP_INLINE T extrapolation_weight(T shape)
{
    return larger(shape, constant<T>(0));
}

// The weighted mean over fluid neighbours: a weighted sum divided by the sum of the weights; zero without neighbours.
template <class T>
HALFULP_INLINE T mean_of_fluid(T weights, T sum)
{
    return sum / select(weights > constant<T>(0), weights, constant<T>(1));
}

// P_w / rho0 from the sums, which also contain pressure and density over rho0. body_force: g - a_w.
template <int D, class T>
HALFULP_INLINE T extrapolated_pressure(T weights, T pressures, const Vec<D, T>& moments, const Vec<D, T>& body_force)
{
    return mean_of_fluid(weights, pressures + dot(body_force, moments));
}

// The contact pressure keeps fluid out of walls. A particle that is pressed into a wall is held by its density, but
// density diffusion evens that out, and an extrapolated or mDBC wall has no density of its own: in water that splashes
// or slides over a floor for a long time, particles creep through the face. The pressure that walls extrapolate from a
// fluid particle in contact with them, and from no other, therefore has a part that does not depend on density, the
// pressure of the one-sided Riemann problem of the fluid and its mirror image: at the face
//     rho0 u c0,    u the speed towards the wall,
// times 2, since a pair uses the mean of its two pressures. u follows from the contribution of walls to ds/dt, which
// sliding along them does not change: at a plane face it is 3/4 u/h (Wendland's kernel; 0.743 in 2D, 0.750 in 3D).
// Contact is detected by
//     C = sum_w max(0, 1 - r_fw/(1.2 Delta p))^2
// over wall particles. C is 1/4 with one of them at 0.6 spacings, or 0.06 to 0.1 spacings in front of a plane face,
// wherever along its lattice; it is at most 1/12 for fluid on its lattice, in a corner too. The pressure sets in above
// 1/4 and acts fully from 0.27. Water at rest has none, nor has a layer that sinks as the film below it thins, which a
// pressure that depends on the speed alone would take for an impact and hold up (docs/physics.md).
inline constexpr double contact_reach = 1.2;  // spacings
inline constexpr double contact_onset = 0.25;
inline constexpr double contact_width = 0.02;

// The contribution of one wall particle to C. reaches: smoothing length divided by the reach of 1.2 spacings.
template <class T>
HALFULP_INLINE T contact_share(T q, T reaches)
{
    const T near = larger(constant<T>(1) - q * reaches, constant<T>(0));
    return near * near;
}

// The contact pressure divided by rho0. wall_rate: the contribution of walls to ds/dt.
template <class T>
HALFULP_INLINE T contact_pressure(T contacts, T wall_rate, T smoothing_length, T sound_speed)
{
    const T zero = constant<T>(0);
    const T touch =
        smaller(larger(contacts - constant<T>(contact_onset), zero) * constant<T>(1 / contact_width), constant<T>(1));
    const T speed = larger(constant<T>(4.0 / 3) * (wall_rate * smoothing_length), zero);
    return touch * (constant<T>(2) * (speed * sound_speed));
}

// One component of the wall velocity in viscous forces; the sum is that of u_f - u_w.
template <class T>
HALFULP_INLINE T extrapolated_velocity(T own, T weights, T differences)
{
    return own - mean_of_fluid(weights, differences);
}

}  // namespace halfulp
