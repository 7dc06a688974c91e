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

// The cubic spline with de Boor's "not-a-knot" ends: twice continuously differentiable, piecewise cubic, its first two
// pieces one cubic and its last two (de Boor 1978, A Practical Guide to Splines, chapter IV); a parabola through three
// knots, a line through two. A cubic is met exactly; without curvature at the ends, as a natural spline is, the
// acceleration of a motion would be wrong there, and ring on for some knots. Correctly rounded operations only: the
// same bits on every machine.
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
