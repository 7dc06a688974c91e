#include "core/setup/units.hpp"

#include <cmath>

#include "kernels/smoothing.hpp"

namespace halfulp {

namespace {
// The power of two nearest to a positive number, by ratio.
double nearest_power_of_two(double value)
{
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);  // value = fraction 2^exponent, fraction in [1/2, 1)
    return std::ldexp(1.0, fraction * fraction < 0.5 ? exponent - 1 : exponent);
}
}  // namespace

double smoothing_length(const Case& c) { return c.resolution.smoothing_ratio * c.resolution.spacing; }

double support_radius(const Case& c)
{
    const double support = c.numerics.kernel == CubicSpline::name ? CubicSpline::support : WendlandC2::support;
    return support * smoothing_length(c);
}

double cell_side(const Case& c) { return support_radius(c) * (1 + c.numerics.skin) / c.numerics.cells_per_support; }

Units units_of(const Case& c)
{
    Units units;
    units.length = cell_side(c);
    units.velocity = nearest_power_of_two(c.fluid.sound_speed);
    units.density = c.fluid.density;
    const double dp = c.resolution.spacing;
    units.mass = units.density * (c.dimensions == 2 ? dp * dp : dp * dp * dp);
    return units;
}

}  // namespace halfulp
