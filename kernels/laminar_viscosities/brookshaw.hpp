// Laminar viscosity along u_ab without softening (Brookshaw 1985, PASA 6, 207, for heat conduction): Morris's form
// without eta^2, the term that makes Morris's viscosity 1.5 % too weak at any spacing. F = (dW/dr)/r is finite where
// particles coincide.
#pragma once

#include "kernels/laminar_viscosities/viscous_pair.hpp"

namespace halfulp {

struct BrookshawViscosity {
    static constexpr const char* name = "brookshaw";
    static constexpr bool along_velocity = true;
    static constexpr int lengthwise = 1;

    static double damping(const LatticeSums& sums, int /*dimensions*/) { return 2 * sums.scalar; }

    template <int D, class T>
    static HALFULP_INLINE T factor(const ViscousPair<T>& pair, T kinematic_viscosity)
    {
        return -(constant<T>(2) * kinematic_viscosity) * reciprocal_of_normal(pair.mean_density);
    }
};

}  // namespace halfulp
