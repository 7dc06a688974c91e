// Laminar viscosity along r_ab as rho0 Pi (Monaghan and Gingold 1983; Monaghan 2005): Pi = -2(d+2) nu u.r / (rho (r^2 +
// eta^2)), rho the mean of the pair. It conserves angular momentum, and acts on receding pairs as on approaching ones.
#pragma once

#include "kernels/laminar_viscosities/viscous_pair.hpp"

namespace halfulp {

struct MonaghanGingoldViscosity {
    static constexpr const char* name = "monaghan-gingold";
    static constexpr bool along_velocity = false;
    // Its continuum is nu (lap u + 2 grad div u).
    static constexpr int lengthwise = 3;

    static double damping(const LatticeSums& sums, int dimensions) { return 2 * (dimensions + 2) * sums.lengthwise; }

    template <int D, class T>
    static HALFULP_INLINE T factor(const ViscousPair<T>& pair, T kinematic_viscosity)
    {
        const T strength = constant<T>(2 * (D + 2)) * kinematic_viscosity;
        return -(strength * pair.approach) *
               reciprocal_of_normal((pair.distance_squared + pair.softening) * pair.mean_density);
    }
};

}  // namespace halfulp
