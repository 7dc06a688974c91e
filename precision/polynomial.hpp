// Polynomials c0 + c1 x + c2 x^2 + ... evaluated in two ways.
#pragma once

#include "precision/real.hpp"

namespace halfulp {

// Horner's rule with fused multiply-adds: c0 + x (c1 + x (c2 + ...)), one rounding per coefficient.
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

// Term by term as written on paper, every product and every sum rounded: for the ablation study.
template <class T, class... More>
HALFULP_INLINE T sum_of_powers(T x, T c0, More... more)
{
    T sum = c0;
    T power = x;
    ((sum = sum + more * power, power = power * x), ...);
    return sum;
}

struct HornerEvaluation {
    static constexpr const char* name = "horner";
    template <class T, class... More>
    static HALFULP_INLINE T evaluate(T x, T c0, More... more)
    {
        return horner(x, c0, more...);
    }
};

struct PowersEvaluation {
    static constexpr const char* name = "powers";
    template <class T, class... More>
    static HALFULP_INLINE T evaluate(T x, T c0, More... more)
    {
        return sum_of_powers(x, c0, more...);
    }
};

}  // namespace halfulp
