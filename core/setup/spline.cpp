#include "core/setup/spline.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace halfulp {

// The curvatures solve a diagonally dominant tridiagonal system, so elimination needs no pivots.
CubicSpline1D::CubicSpline1D(std::vector<double> knots, std::vector<double> values)
    : knots_(std::move(knots)), values_(std::move(values)), curvatures_(knots_.size(), 0.0)
{
    const std::size_t count = knots_.size();
    std::vector<double> above(count, 0.0);  // of the eliminated matrix, whose diagonal is 1
    for (std::size_t k = 1; k + 1 < count; ++k) {
        const double before = knots_[k] - knots_[k - 1];
        const double after = knots_[k + 1] - knots_[k];
        const double bend = 6 * ((values_[k + 1] - values_[k]) / after - (values_[k] - values_[k - 1]) / before);
        const double pivot = 2 * (before + after) - before * above[k - 1];
        above[k] = after / pivot;
        curvatures_[k] = (bend - before * curvatures_[k - 1]) / pivot;
    }
    for (std::size_t k = count - 1; k-- > 1;) curvatures_[k] -= above[k] * curvatures_[k + 1];
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
