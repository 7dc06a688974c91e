// Smoothing kernels W(r, h) and the factor F = W'(r)/r, so that grad_a W_ab = F r_ab.
//
// Each kernel is W = alpha w(q) and F = (alpha / h^2) f(q), q = r/h: the shapes w and f are evaluated a pair, the
// constants multiply once a particle, after the sum. Both vanish from q = support on exactly (+0 or -0), so a candidate
// beyond it adds an exact zero. f <= 0. Shapes are kept in factored form: expanding (1 - q/2)^3 cancels near q = 2.
#pragma once

#include <numbers>

#include "precision/elementary.hpp"
#include "precision/polynomial.hpp"

namespace halfulp {

// Wendland C2 (Wendland 1995): w = t^4 (1 + 2q), f = -5 t^3, t = 1 - q/2. f needs no division by q.
struct WendlandC2 {
    static constexpr const char* name = "wendland-c2";
    static constexpr double support = 2;  // in smoothing lengths

    // alpha h^D, the normalisation in D dimensions, 1 to 3.
    static constexpr double normalisation(int dimensions)
    {
        return dimensions == 1 ? 0.75 : dimensions == 2 ? 7 / (4 * std::numbers::pi) : 21 / (16 * std::numbers::pi);
    }

    template <class T>
    static HALFULP_INLINE T shape(T q)
    {
        const T t = larger(fma(q, constant<T>(-0.5), constant<T>(1)), constant<T>(0));
        const T t2 = t * t;
        return (t2 * t2) * fma(q, constant<T>(2), constant<T>(1));
    }

    template <class T>
    static HALFULP_INLINE T gradient_shape(T q)
    {
        const T t = larger(fma(q, constant<T>(-0.5), constant<T>(1)), constant<T>(0));
        return (t * t) * (t * constant<T>(-5));
    }
};

// Cubic spline M4 (Monaghan and Lattanzio 1985; Domínguez et al. 2013, eq. A.3):
// w = 1 + q^2 (-3/2 + 3q/4) and f = -3 + 9q/4 for q < 1, w = (2-q)^3/4 and f = -(3/4) (2-q)^2/q for q < 2.
struct CubicSpline {
    static constexpr const char* name = "cubic-spline";
    static constexpr double support = 2;

    static constexpr double normalisation(int dimensions)
    {
        return dimensions == 1 ? 2.0 / 3 : dimensions == 2 ? 10 / (7 * std::numbers::pi) : 1 / std::numbers::pi;
    }

    template <class T>
    static HALFULP_INLINE T shape(T q)
    {
        const T t = larger(constant<T>(2) - q, constant<T>(0));
        const T inner = horner(q * q, constant<T>(1), fma(q, constant<T>(0.75), constant<T>(-1.5)));
        return select(q < constant<T>(1), inner, (t * t) * (t * constant<T>(0.25)));
    }

    template <class T>
    static HALFULP_INLINE T gradient_shape(T q)
    {
        const T one = constant<T>(1);
        const T t = larger(constant<T>(2) - q, constant<T>(0));
        const T outer = (t * t) * constant<T>(-0.75) / larger(q, one);
        return select(q < one, fma(q, constant<T>(2.25), constant<T>(-3)), outer);
    }
};

// Gaussian (Monaghan 1992), cut off at q = 3 and lowered to vanish there: w = e^(-q^2) - e^-9, f = -2 e^(-q^2), which
// jumps by 2.5e-4 at the end of the support. The CEHINAV group's paper has a normalised Gaussian with this support, and
// no formula of it.
struct Gaussian {
    static constexpr const char* name = "gaussian";
    static constexpr double support = 3;

    // alpha h^D makes W integrate to 1 over the ball of radius 3: in 1D 1/[pi^(1/2) erf(3) - 6 e^-9], in 2D 1/[pi (1 -
    // 10 e^-9)], in 3D 1/[pi^(3/2) erf(3) - 42 pi e^-9]. Written out because exp and erf of the C library are not the
    // same everywhere.
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

enum class SmoothingKernel { wendland_c2, cubic_spline, gaussian };

// Calls visit(kernel) with an object of the chosen kernel's type.
template <class Visitor>
auto with_kernel(SmoothingKernel kernel, Visitor&& visit)
{
    switch (kernel) {
    case SmoothingKernel::cubic_spline: return visit(CubicSpline{});
    case SmoothingKernel::gaussian: return visit(Gaussian{});
    case SmoothingKernel::wendland_c2: break;
    }
    return visit(WendlandC2{});
}

// The shapes of a kernel chosen at run time, on a device as well.
template <class T>
HALFULP_INLINE T shape_of(SmoothingKernel kernel, T q)
{
    switch (kernel) {
    case SmoothingKernel::cubic_spline: return CubicSpline::shape(q);
    case SmoothingKernel::gaussian: return Gaussian::shape(q);
    case SmoothingKernel::wendland_c2: break;
    }
    return WendlandC2::shape(q);
}

template <class T>
HALFULP_INLINE T gradient_shape_of(SmoothingKernel kernel, T q)
{
    switch (kernel) {
    case SmoothingKernel::cubic_spline: return CubicSpline::gradient_shape(q);
    case SmoothingKernel::gaussian: return Gaussian::gradient_shape(q);
    case SmoothingKernel::wendland_c2: break;
    }
    return WendlandC2::gradient_shape(q);
}

}  // namespace halfulp
