// The density diffusion of Fourtakas et al. (2019): psi = s_b - s_a less the hydrostatic difference. With Tait's
// equation that difference is odd to first order only, so sum m s is conserved up to 6/49 x^2 per pair, x = rho0 g.r_ab
// / B.
#pragma once

#include "kernels/density_diffusions/gradient_of_density.hpp"
#include "kernels/state_equation.hpp"

namespace halfulp {

struct Fourtakas {
    static constexpr const char* name = "fourtakas";
    static constexpr auto gradient = GradientOfDensity::none;

    template <class Pair>
    static HALFULP_INLINE auto psi(const Pair& pair)
    {
        return pair.difference -
               hydrostatic_difference(pair.state_equation(), pair.gravity_along_r(), pair.inverse_stiffness());
    }
};

}  // namespace halfulp
