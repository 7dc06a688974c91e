// Walls of particles, whose pressure is what keeps the fluid out. Dynamic ones follow the fluid's own continuity
// equation and equation of state (Crespo, Gómez-Gesteira and Dalrymple 2007). Extrapolated ones take their pressure
// from the fluid beside them (Adami, Hu and Adams 2012, eqs. 22, 23 and 27), with sums over fluid neighbours f:
//     P_w = [sum P_f W_wf + (g - a_w) . sum rho_f r_wf W_wf] / sum W_wf,
// a_w the wall's own acceleration, and 0 without such neighbours; their density is that of the pressure. To the viscous
// forces such a wall moves with a velocity that makes the fluid's that of the wall at its face:
//     2 u_w - sum u_f W_wf / sum W_wf.
// The force of a pair of fluid and wall is that of two particles of fluid, not one with their pressure weighted by the
// densities (their eq. 8).
#pragma once

#include "kernels/state_equation.hpp"
#include "kernels/vector.hpp"

namespace halfulp {

// Left to itself a wall that fluid leaves goes into tension and holds the fluid back: the density of the fluid that was
// there at the start is missing from it. DualSPHysics keeps the density of walls from falling below that at rest; so
// does a case with wall_tension = false. Forces never see the densities that the limit cuts off: the wall stores and
// gives back nothing there, so the energy balance holds to the order of the step, and what is left shows in the
// ledger's residual.
template <class T>
HALFULP_INLINE bool in_tension(CentredDensity<T> density)
{
    return density.s < constant<T>(0);
}

// The weight W_wf of a fluid neighbour, over the kernel's constant. Never negative: at the very edge of the support the
// Gaussian's shape is a rounding error, and a mean over weights of both signs has no bounds.
template <class T>
HALFULP_INLINE T extrapolation_weight(T shape)
{
    return larger(shape, constant<T>(0));
}

// P_w / rho0 from the sums, those of the pressure and the density over rho0 too. body_force: g - a_w.
template <int D, class T>
HALFULP_INLINE T extrapolated_pressure(T weights, T pressures, const Vec<D, T>& moments, const Vec<D, T>& body_force)
{
    const T some = select(weights > constant<T>(0), weights, constant<T>(1));
    return (pressures + dot(body_force, moments)) / some;
}

// One component of the velocity that viscosity sees; the sum is that of u_f - u_w.
template <class T>
HALFULP_INLINE T extrapolated_velocity(T own, T weights, T differences)
{
    return own - differences / select(weights > constant<T>(0), weights, constant<T>(1));
}

}  // namespace halfulp
