// Dynamic walls: fixed particles that follow the fluid's own continuity equation and equation of state (Crespo,
// Gómez-Gesteira and Dalrymple 2007). Their pressure is what keeps the fluid out.
#pragma once

#include "kernels/state_equation.hpp"

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

}  // namespace halfulp
