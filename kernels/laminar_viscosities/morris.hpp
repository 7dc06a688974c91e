// Laminar viscosity along u_ab (Morris, Fox and Zhu 1997; Lo and Shao 2002): the factor of u_ab F in
// du_a/dt = sum_b m_b 4 nu (r_ab . grad_a W) u_ab / [(rho_a + rho_b)(r^2 + eta^2)], over -V, like Pi for r_ab F.
#pragma once

#include "kernels/laminar_viscosities/viscous_pair.hpp"

namespace halfulp {

struct MorrisViscosity {
    static constexpr const char* name = "morris";
    static constexpr bool along_velocity = true;
    static constexpr int lengthwise = 1;

    static double damping(const LatticeSums& sums, int /*dimensions*/) { return 2 * sums.softened; }

    template <int D, class T>
    static HALFULP_INLINE T factor(const ViscousPair<T>& pair, T kinematic_viscosity)
    {
        const T strength = constant<T>(2) * kinematic_viscosity;
        return -(strength * pair.distance_squared) *
               reciprocal_of_normal((pair.distance_squared + pair.softening) * pair.mean_density);
    }
};

}  // namespace halfulp
