// Formulas of textbooks in numbers that know their rounding: sums, smoothing kernels, small linear systems.
#pragma once

#include <array>

#include "kernels/smoothing.hpp"
#include "tests/core/neighbours/approximate.hpp"

namespace halfulp::test {

// A sum of terms that each have an error.
struct Bounded {
    Long value = 0;
    Long terms = 0;  // sum of |term|
    Long error = 0;  // sum of the bounds of each term's error
    int count = 0;

    template <class Real>
    void add(const Approximate<Real>& term)
    {
        value += term.value;
        terms += std::fabs(term.value);
        error += term.error;
        if (term.value != 0 || term.error != 0) ++count;
    }
    // The rounding of the sum beside that of its terms: (n - 1) u sum|x| for a plain sum, u |s| + n^2 u^2 sum|x| for
    // KBN, here with n the terms that are not zero.
    template <class Real>
    [[nodiscard]] Approximate<Real> sum(bool plain) const
    {
        const Long u = unit_roundoff<Real>;
        const Long n = count;
        return {value, 1.01L * (error + (plain ? n * u * terms : u * std::fabs(value) + n * n * u * u * terms))};
    }
};

inline Long support_of(SmoothingKernel kernel)
{
    switch (kernel) {
    case SmoothingKernel::wendland_c2:
    case SmoothingKernel::cubic_spline: return 2;
    case SmoothingKernel::gaussian: return 3;
    }
    return 0;
}

// w, and F h^2 / alpha, of formulas in textbooks, with what moving q by its error and evaluating them may change. The
// largest |w'| of all kernels is 1.06 (Wendland C2 at q = 1/2); the largest |f'| 15/2, 9/4 and 4 q e^(-q^2) < 1.72.
// tests/kernels/smoothing_test.cpp counts the roundings of the evaluation, at most 12 (Gaussian: the exponential less
// than one ulp and q^2 u <= 9 u of its argument).
template <class Real>
Approximate<Real> shape_of(SmoothingKernel kernel, const Approximate<Real>& distance)
{
    const Long q = distance.value;
    const Long cut = std::exp(-9.0L);
    Long w = 0;
    if (q < support_of(kernel)) {
        switch (kernel) {
        case SmoothingKernel::wendland_c2: w = std::pow(1 - q / 2, 4.0L) * (1 + 2 * q); break;
        case SmoothingKernel::cubic_spline:
            w = q < 1 ? 1 - 1.5L * q * q + 0.75L * q * q * q : std::pow(2 - q, 3.0L) / 4;
            break;
        case SmoothingKernel::gaussian: w = std::exp(-q * q) - cut; break;
        }
    }
    const Long lowered = kernel == SmoothingKernel::gaussian && q < 3 ? cut : 0;
    return {w, 1.06L * distance.error + 12 * Approximate<Real>::u * (w + lowered)};
}

template <class Real>
Approximate<Real> gradient_of(SmoothingKernel kernel, const Approximate<Real>& distance)
{
    const Long q = distance.value;
    const bool inside = q < support_of(kernel);
    Long f = 0;
    Long slope = 0;
    Long jump = 0;  // at the end of the support, for a pair that rounding takes across it
    switch (kernel) {
    case SmoothingKernel::wendland_c2:
        f = inside ? -5 * std::pow(1 - q / 2, 3.0L) : 0;
        slope = 7.5L;
        break;
    case SmoothingKernel::cubic_spline:
        f = !inside ? 0 : q < 1 ? -3 + 9 * q / 4 : -0.75L * (2 - q) * (2 - q) / q;
        slope = 2.25L;
        break;
    case SmoothingKernel::gaussian:
        f = inside ? -2 * std::exp(-q * q) : 0;
        slope = 1.72L;
        if (std::fabs(q - 3) <= distance.error) jump = 2 * std::exp(-9.0L);
        break;
    }
    return {f, slope * distance.error + 12 * Approximate<Real>::u * std::fabs(f) + jump};
}

// M^-1 g by Cramer's rule.
template <class Real>
std::array<Approximate<Real>, 2> solved(const std::array<std::array<Approximate<Real>, 2>, 2>& m,
                                        const std::array<Approximate<Real>, 2>& g, Approximate<Real>& determinant)
{
    determinant = m[0][0] * m[1][1] - m[0][1] * m[0][1];
    return {(m[1][1] * g[0] - m[0][1] * g[1]) / determinant, (m[0][0] * g[1] - m[0][1] * g[0]) / determinant};
}

template <class Real>
std::array<Approximate<Real>, 3> solved(const std::array<std::array<Approximate<Real>, 3>, 3>& m,
                                        const std::array<Approximate<Real>, 3>& g, Approximate<Real>& determinant)
{
    const auto cofactor = [&](std::size_t i, std::size_t j) {
        const std::size_t i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
        return m[i1][j1] * m[i2][j2] - m[i1][j2] * m[i2][j1];
    };
    determinant = m[0][0] * cofactor(0, 0) + m[0][1] * cofactor(0, 1) + m[0][2] * cofactor(0, 2);
    std::array<Approximate<Real>, 3> x;
    for (std::size_t i = 0; i < 3; ++i)
        x[i] = (cofactor(i, 0) * g[0] + cofactor(i, 1) * g[1] + cofactor(i, 2) * g[2]) / determinant;
    return x;
}

}  // namespace halfulp::test
