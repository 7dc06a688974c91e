// No density diffusion.
#pragma once

#include "precision/annotation.hpp"

namespace halfulp {

struct NoDiffusion {
    static constexpr const char* name = "none";
    static constexpr bool has_gradient = false;

    template <class Pair>
    static HALFULP_INLINE auto psi(const Pair& pair)
    {
        return pair.difference - pair.difference;  // never evaluated
    }
};

}  // namespace halfulp
