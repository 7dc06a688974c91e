#include "core/setup/spline.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace halfulp {

// The curvatures M solve a tridiagonal system, in which those at the ends are eliminated: the third derivative is the
// same in the first two pieces, M0 = M1 + (M1 - M2) before / after, and in the last two. It is diagonally dominant
// still, so that elimination needs no pivots.
CubicSpline1D::CubicSpline1D(std::vector<double> knots, std::vector<double> values)
    : knots_(std::move(knots)), values_(std::move(values)), curvatures_(knots_.size(), 0.0)
{
    const std::size_t count = knots_.size();
    const auto width = [&](std::size_t k) { return knots_[k + 1] - knots_[k]; };
    const auto slope = [&](std::size_t k) { return (values_[k + 1] - values_[k]) / width(k); };
    if (count == 3) {
        const double curvature = 2 * (slope(1) - slope(0)) / (knots_[2] - knots_[0]);
        curvatures_.assign(count, curvature);
    }
    if (count < 4) return;
    std::vector<double> above(count, 0.0);  // of the eliminated matrix, whose diagonal is 1
    for (std::size_t k = 1; k + 1 < count; ++k) {
        const double before = width(k - 1);
        const double after = width(k);
        double below = before;
        double diagonal = 2 * (before + after);
        double beyond = after;
        if (k == 1) {
            below = 0;
            diagonal = (before + after) * (before + 2 * after) / after;
            beyond = (after - before) * (before + after) / after;
        } else if (k + 2 == count) {
            below = (before - after) * (before + after) / before;
            diagonal = (before + after) * (2 * before + after) / before;
            beyond = 0;
        }
        const double pivot = diagonal - below * above[k - 1];
        above[k] = beyond / pivot;
        curvatures_[k] = (6 * (slope(k) - slope(k - 1)) - below * curvatures_[k - 1]) / pivot;
    }
    for (std::size_t k = count - 2; k-- > 1;) curvatures_[k] -= above[k] * curvatures_[k + 1];
    const auto at_end = [&](std::size_t next, std::size_t after_next, double own, double others) {
        return curvatures_[next] + (curvatures_[next] - curvatures_[after_next]) * (own / others);
    };
    curvatures_.front() = at_end(1, 2, width(0), width(1));
    curvatures_.back() = at_end(count - 2, count - 3, width(count - 2), width(count - 3));
}

Jet CubicSpline1D::at(double x) const
{
    const auto next = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, x);
    const auto k = static_cast<std::size_t>(next - knots_.begin()) - 1;
    const double width = knots_[k + 1] - knots_[k];
    const double from = x - knots_[k];
    // Horner's form about the left knot.
    const double half_curvature = curvatures_[k] / 2;
    const double third = (curvatures_[k + 1] - curvatures_[k]) / (6 * width);
    const double slope = (values_[k + 1] - values_[k]) / width - width * (2 * curvatures_[k] + curvatures_[k + 1]) / 6;
    return {values_[k] + from * (slope + from * (half_curvature + from * third)),
            slope + from * (2 * half_curvature + from * (3 * third)), 2 * half_curvature + from * (6 * third)};
}

}  // namespace halfulp
