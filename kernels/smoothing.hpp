// Smoothing kernels W(r, h) and the factor F = W'(r)/r, so that grad_a W_ab = F r_ab.
//
// Each kernel is W = alpha w(q) and F = (alpha / h^2) f(q), q = r/h: shapes w and f are evaluated per pair, constants
// multiply once per particle, after the sum. Both vanish exactly from q = support on (+0 or -0), so candidates beyond
// it add an exact zero. f <= 0. Shapes are kept in factored form: expanding (1 - q/2)^3 cancels near q = 2.
#pragma once

#include "kernels/models.hpp"
#include "kernels/smoothing_kernels/cubic_spline.hpp"
#include "kernels/smoothing_kernels/gaussian.hpp"
#include "kernels/smoothing_kernels/wendland_c2.hpp"

namespace halfulp {

// Calls visit(kernel) with an object of the chosen kernel's type.
template <class Visitor>
auto with_kernel(SmoothingKernel kernel, Visitor&& visit)
{
    switch (kernel) {
        HALFULP_SMOOTHING_KERNELS(HALFULP_VISIT_MODEL, SmoothingKernel, visit)
    }
    __builtin_unreachable();
}

// The shapes of a kernel chosen at run time, on a device as well.
template <class T>
HALFULP_INLINE T shape_of(SmoothingKernel kernel, T q)
{
    HALFULP_OF_MODEL(HALFULP_SMOOTHING_KERNELS, SmoothingKernel, kernel, shape(q));
}

template <class T>
HALFULP_INLINE T gradient_shape_of(SmoothingKernel kernel, T q)
{
    HALFULP_OF_MODEL(HALFULP_SMOOTHING_KERNELS, SmoothingKernel, kernel, gradient_shape(q));
}

}  // namespace halfulp
