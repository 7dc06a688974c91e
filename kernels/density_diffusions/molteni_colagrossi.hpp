// Molteni and Colagrossi's density diffusion (2009): psi = s_b - s_a.
#pragma once

#include "kernels/density_diffusions/gradient_of_density.hpp"
#include "precision/annotation.hpp"

namespace halfulp {

struct MolteniColagrossi {
    static constexpr const char* name = "molteni-colagrossi";
    static constexpr auto gradient = GradientOfDensity::none;

    template <class Pair>
    static HALFULP_INLINE auto psi(const Pair& pair)
    {
        return pair.difference;
    }
};

}  // namespace halfulp
