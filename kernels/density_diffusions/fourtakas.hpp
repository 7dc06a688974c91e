// The density diffusion of Fourtakas et al. (2019): psi = s_b - s_a less the hydrostatic difference. The hydrostatic
// difference of Tait's equation is odd to first order only: there sum m s is conserved but for 6/49 x^2 a pair, x =
// rho0 g.r_ab / B.
#pragma once

#include "kernels/state_equation.hpp"

namespace halfulp {

struct Fourtakas {
    static constexpr const char* name = "fourtakas";
    static constexpr bool has_gradient = false;

    template <class Pair>
    static HALFULP_INLINE auto psi(const Pair& pair)
    {
        return pair.difference -
               hydrostatic_difference(pair.state_equation(), pair.gravity_along_r(), pair.inverse_stiffness());
    }
};

}  // namespace halfulp
