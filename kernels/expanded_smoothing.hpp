// The smoothing kernels with their polynomials multiplied out, for the ablation study: (1 - q/2)^3 expanded cancels
// near q = 2, where most of the neighbours are.
#pragma once

#include "kernels/smoothing.hpp"

namespace halfulp {

// Wendland C2: w = 1 - 5/2 q^2 + 5/2 q^3 - 15/16 q^4 + 1/8 q^5, f = -5 + 15/2 q - 15/4 q^2 + 5/8 q^3.
template <class Evaluation>
struct ExpandedWendlandC2 : WendlandC2 {
    template <class T>
    static HALFULP_INLINE T shape(T q)
    {
        const T w = Evaluation::evaluate(q, constant<T>(1), constant<T>(0), constant<T>(-2.5), constant<T>(2.5),
                                         constant<T>(-0.9375), constant<T>(0.125));
        return select(q < constant<T>(support), w, constant<T>(0));
    }

    template <class T>
    static HALFULP_INLINE T gradient_shape(T q)
    {
        const T f = Evaluation::evaluate(q, constant<T>(-5), constant<T>(7.5), constant<T>(-3.75), constant<T>(0.625));
        return select(q < constant<T>(support), f, constant<T>(0));
    }
};

// Cubic spline: as in smoothing.hpp for q < 1; w = 2 - 3q + 3/2 q^2 - 1/4 q^3, f = (-3 + 3q - 3/4 q^2)/q for q < 2.
template <class Evaluation>
struct ExpandedCubicSpline : CubicSpline {
    template <class T>
    static HALFULP_INLINE T shape(T q)
    {
        const T zero = constant<T>(0);
        const T inner = Evaluation::evaluate(q, constant<T>(1), zero, constant<T>(-1.5), constant<T>(0.75));
        const T outer = Evaluation::evaluate(q, constant<T>(2), constant<T>(-3), constant<T>(1.5), constant<T>(-0.25));
        return select(q < constant<T>(1), inner, select(q < constant<T>(support), outer, zero));
    }

    template <class T>
    static HALFULP_INLINE T gradient_shape(T q)
    {
        const T one = constant<T>(1);
        const T inner = Evaluation::evaluate(q, constant<T>(-3), constant<T>(2.25));
        const T outer = Evaluation::evaluate(q, constant<T>(-3), constant<T>(3), constant<T>(-0.75)) / larger(q, one);
        return select(q < one, inner, select(q < constant<T>(support), outer, constant<T>(0)));
    }
};

// Evaluation of a kernel's polynomial: a part of a precision policy. Of<Kernel> is the kernel of smoothing.hpp in that
// form; the Gaussian has no polynomial.
struct FactoredKernels {
    static constexpr const char* name = "factored";
    template <class Kernel>
    using Of = Kernel;
};

namespace detail {
template <class Kernel, class Evaluation>
struct Expanded {
    using type = Kernel;
};
template <class Evaluation>
struct Expanded<WendlandC2, Evaluation> {
    using type = ExpandedWendlandC2<Evaluation>;
};
template <class Evaluation>
struct Expanded<CubicSpline, Evaluation> {
    using type = ExpandedCubicSpline<Evaluation>;
};
}  // namespace detail

template <class Evaluation>
struct ExpandedKernels {
    static constexpr const char* name = Evaluation::name;
    template <class Kernel>
    using Of = typename detail::Expanded<Kernel, Evaluation>::type;
};

}  // namespace halfulp
