// Spline interpolation with consistent value, slope and curvature.
#pragma once

#include <vector>

namespace halfulp {

// A function of time and its first two derivatives.
struct Jet {
    double value = 0;
    double rate = 0;
    double acceleration = 0;
};

// The natural cubic spline: twice continuously differentiable, piecewise cubic, without curvature at its ends (de Boor
// 1978, A Practical Guide to Splines, chapter IV). Correctly rounded operations only: the same bits on every machine.
class CubicSpline1D {
public:
    // At least two knots, ascending, and as many values.
    CubicSpline1D(std::vector<double> knots, std::vector<double> values);

    // Between the first and last knots; beyond them the end pieces are extrapolated.
    [[nodiscard]] Jet at(double x) const;
    [[nodiscard]] const std::vector<double>& knots() const { return knots_; }
    [[nodiscard]] double first() const { return knots_.front(); }
    [[nodiscard]] double last() const { return knots_.back(); }

private:
    std::vector<double> knots_;
    std::vector<double> values_;
    std::vector<double> curvatures_;  // second derivatives at the knots
};

}  // namespace halfulp
