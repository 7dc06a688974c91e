// The truncated Gaussian.
#pragma once

#include "precision/annotation.hpp"
#include "precision/elementary.hpp"

namespace halfulp {

// Gaussian (Monaghan 1992), truncated at q = 3 and shifted to vanish there: w = e^(-q^2) - e^-9, f = -2 e^(-q^2), which
// jumps by 2.5e-4 at the end of the support. The CEHINAV group's paper has a normalised Gaussian with this support,
// without a formula.
struct Gaussian {
    static constexpr const char* name = "gaussian";
    static constexpr double support = 3;

    // alpha h^D makes W integrate to 1 over the ball of radius 3: in 1D 1/[pi^(1/2) erf(3) - 6 e^-9], in 2D 1/[pi (1 -
    // 10 e^-9)], in 3D 1/[pi^(3/2) erf(3) - 42 pi e^-9]. Written as numbers because exp and erf differ between C
    // libraries.
    static constexpr double normalisation(int dimensions)
    {
        return dimensions == 1 ? 0.5644378513407176 : dimensions == 2 ? 0.31870319717504236 : 0.1801178221025686;
    }

    template <class T>
    static HALFULP_INLINE T shape(T q)
    {
        const T w = exponential(-(q * q)) - constant<T>(cut_off);
        return select(q < constant<T>(support), w, constant<T>(0));
    }

    template <class T>
    static HALFULP_INLINE T gradient_shape(T q)
    {
        const T f = constant<T>(-2) * exponential(-(q * q));
        return select(q < constant<T>(support), f, constant<T>(0));
    }

private:
    static constexpr double cut_off = 0x1.02cf22526545ap-13;  // e^-9
};

}  // namespace halfulp
