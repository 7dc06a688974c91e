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

// P_w / rho0 from the sums, which also contain pressure and density over rho0. body_force: g - a_w.
template <int D, class T>
HALFULP_INLINE T extrapolated_pressure(T weights, T pressures, const Vec<D, T>& moments, const Vec<D, T>& body_force)
{
    const T some = select(weights > constant<T>(0), weights, constant<T>(1));
    return (pressures + dot(body_force, moments)) / some;
}

// The impact pressure over rho0: that by which walls stop a fluid particle that moves into them. Density diffusion
// takes from fluid that is pressed into a wall the density that would stop it, as fast as the pressing adds to it, and
// an extrapolated wall has none of its own: a splash goes through the wall. So the wall's pressure has a part that does
// not wait for the density, that of the one-sided Riemann problem of the fluid and its mirror image: at the face
//     rho0 u min(onset u, c0),    u the speed towards the wall,
// beside the pressure of the fluid. A pair takes the mean of both of its pressures, so the wall's is raised by twice as
// much. u follows from the share of walls in ds/dt, which sliding along them does not enter: at a plane face that is
// 3/4 u/h (Wendland's kernel; 0.743 in 2D, 0.750 in 3D). The form of the limiter, which removes the term from fluid
// near rest, is that of Zhang, Hu and Adams (J. Comput. Phys. 335 (2017) 605). Between pairs their constant corresponds
// to an onset of 6, too little here, where a wall takes the mean over the fluid beside it (docs/physics.md).
inline constexpr double impact_onset = 300;

template <class T>
HALFULP_INLINE T impact_pressure(T wall_rate, T smoothing_length, T sound_speed)
{
    const T speed = larger(constant<T>(4.0 / 3) * (wall_rate * smoothing_length), constant<T>(0));
    return constant<T>(2) * (speed * smaller(constant<T>(impact_onset) * speed, sound_speed));
}

// One component of the wall velocity in viscous forces; the sum is that of u_f - u_w.
template <class T>
HALFULP_INLINE T extrapolated_velocity(T own, T weights, T differences)
{
    return own - differences / select(weights > constant<T>(0), weights, constant<T>(1));
}

}  // namespace halfulp
