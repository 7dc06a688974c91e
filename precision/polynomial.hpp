// Horner's rule with fused multiply-adds: c0 + x (c1 + x (c2 + ...)), one rounding a coefficient.
#pragma once

#include "precision/real.hpp"

namespace halfulp {

template <class T>
HALFULP_INLINE T horner(T, T c0)
{
    return c0;
}

template <class T, class... More>
HALFULP_INLINE T horner(T x, T c0, T c1, More... more)
{
    return fma(x, horner(x, c1, more...), c0);
}

}  // namespace halfulp
