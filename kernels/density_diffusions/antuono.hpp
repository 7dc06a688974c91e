// The density diffusion of Antuono et al. (2010): psi = s_b - s_a less the linear part of the density field, from
// renormalised gradients, computed in a pass of their own (core/operations/find_density_gradient.hpp).
#pragma once

#include "kernels/density_diffusions/gradient_of_density.hpp"
#include "kernels/density_diffusions/linear_difference.hpp"

namespace halfulp {

struct Antuono {
    static constexpr const char* name = "antuono";
    static constexpr auto gradient = GradientOfDensity::renormalised;

    template <class Pair>
    static HALFULP_INLINE auto psi(const Pair& pair)
    {
        return pair.difference - linear_difference(pair.target_gradient(), pair.neighbour_gradient(), pair.r());
    }
};

}  // namespace halfulp
