// No density diffusion.
#pragma once

#include "kernels/density_diffusions/gradient_of_density.hpp"
#include "precision/annotation.hpp"

namespace halfulp {

struct NoDiffusion {
    static constexpr const char* name = "none";
    static constexpr auto gradient = GradientOfDensity::none;

    template <class Pair>
    static HALFULP_INLINE auto psi(const Pair& pair)
    {
        return pair.difference - pair.difference;  // never evaluated
    }
};

}  // namespace halfulp
