// Molteni and Colagrossi's density diffusion (2009): psi = s_b - s_a.
#pragma once

#include "precision/annotation.hpp"

namespace halfulp {

struct MolteniColagrossi {
    static constexpr const char* name = "molteni-colagrossi";
    static constexpr bool has_gradient = false;

    template <class Pair>
    static HALFULP_INLINE auto psi(const Pair& pair)
    {
        return pair.difference;
    }
};

}  // namespace halfulp
