// Running error analysis (Wilkinson 1963): a number in long double, and a bound on how far a computation in Real that
// takes the same path is from it.
#pragma once

#include <algorithm>
#include <cmath>

#include "tests/precision/reference.hpp"

namespace halfulp::test {

using Long = long double;

template <class Real>
struct Approximate {
    static constexpr Long u = unit_roundoff<Real>;

    Long value = 0;
    Long error = 0;

    // The result of one more rounded operation.
    static Approximate rounded(Long value, Long error) { return {value, error + u * (std::fabs(value) + error)}; }
    [[nodiscard]] Long largest() const { return std::fabs(value) + error; }
    friend Approximate operator+(const Approximate& a, const Approximate& b)
    {
        return rounded(a.value + b.value, a.error + b.error);
    }
    friend Approximate operator-(const Approximate& a, const Approximate& b)
    {
        return rounded(a.value - b.value, a.error + b.error);
    }
    friend Approximate operator*(const Approximate& a, const Approximate& b)
    {
        return rounded(a.value * b.value, a.largest() * b.error + a.error * std::fabs(b.value));
    }
    friend Approximate operator/(const Approximate& a, const Approximate& b)
    {
        const Long quotient = a.value / b.value;
        return rounded(quotient, (a.error + std::fabs(quotient) * b.error) / (std::fabs(b.value) - b.error));
    }
    friend Approximate operator-(const Approximate& a) { return {-a.value, a.error}; }
};

template <class Real>
Approximate<Real> square_root_of(const Approximate<Real>& a)
{
    const Long root = std::sqrt(a.value);
    if (a.value <= a.error) return Approximate<Real>::rounded(root, std::sqrt(a.largest()));
    return Approximate<Real>::rounded(root, root - std::sqrt(a.value - a.error));
}

}  // namespace halfulp::test
