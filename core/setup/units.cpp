#include "core/setup/units.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/setup/policy_table.hpp"
#include "kernels/smoothing.hpp"
#include "kernels/viscosity.hpp"

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

double lengthwise_viscosity(const Case& c)
{
    return lengthwise_viscosity(c.fluid.laminar_viscosity) * c.fluid.kinematic_viscosity;
}

double support_radius(const Case& c)
{
    return with_kernel(c.numerics.kernel, [](auto kernel) { return kernel.support; }) * smoothing_length(c);
}

namespace {

double unfitted_cell_side(const Case& c)
{
    return support_radius(c) * (1 + c.numerics.skin) / c.numerics.cells_per_support;
}

// The accepted relative deviation of a period from whole numbers of cells and of spacings: the digits given in a case
// file.
constexpr double rounding = 1e-6;
constexpr double largest_period = 536870912;  // cells, 2^29

// The period of a whole number of spacings nearest to one, m, that is also a whole number of cells by some skin from
// the case's to twice that, as is chosen where none is given.
double nearest_period(const Case& c, double period)
{
    const double spacing = c.resolution.spacing;
    const double reach = c.numerics.cells_per_support;
    const auto fits = [&](double spacings) {
        const double most = spacings * spacing / unfitted_cell_side(c) * (1 + rounding);
        const double cells = std::floor(most);
        const double skin = spacings * spacing * reach / (cells * support_radius(c)) - 1;
        return cells >= 2 * reach + 1 && skin <= 2 * c.numerics.skin * (1 - rounding);
    };
    const double about = std::round(period / spacing);
    double away = 0;
    while (!fits(about + away)) away = away > 0 ? -away : 1 - away;
    return (about + away) * spacing;
}

void refuse_period(const Case& c, std::size_t axis, double cells, double spacings)
{
    const double period = c.period[axis];
    const double reach = c.numerics.cells_per_support;
    // The thinnest skin from the given one on that makes the period whole or, if none does, the thickest below.
    const double fewer = std::max(std::floor(cells), 2 * reach + 1);
    const double skin = period * reach / (fewer * support_radius(c)) - 1;
    const std::string where = fmt::format("{}: period.{} is {} m", place_of(c, "period"), axis, period);
    if (cells > largest_period) {
        throw input_error(
            "{}, {:.4g} cells of {:.6g} m, but at most {:.0f} can be numbered; shorten it or raise resolution.spacing.",
            where, cells, unfitted_cell_side(c), largest_period);
    }
    if (cells < (2 * reach + 1) * (1 - rounding)) {
        throw input_error(
            "{}, {:.4g} cells, but must be at least {:.0f} cells of {:.6g} m; lengthen it or lower resolution.spacing.",
            where, cells, 2 * reach + 1, unfitted_cell_side(c));
    }
    if (std::abs(spacings - std::round(spacings)) > rounding * spacings) {
        throw input_error(
            "{}, {:.6g} spacings, but must be a whole number of them; the nearest resolution.spacing is {:.17g} m.",
            where, spacings, period / std::round(spacings));
    }
    throw input_error(
        "{}, {:.6g} cells of {:.6g} m, but must be a whole number of them; the nearest that fits by a skin from {:.3g} to "
        "{:.3g} is {:.6g} m; to keep the period set numerics.skin = {:.8f}, which makes it {:.0f} cells (these are "
        "(support + skin) / cells_per_support wide).",
        where, cells, unfitted_cell_side(c), c.numerics.skin, 2 * c.numerics.skin, nearest_period(c, period), skin,
        fewer);
}

}  // namespace

std::array<std::int32_t, 3> period_cells(const Case& c)
{
    std::array<std::int32_t, 3> count{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.dimensions); ++i) {
        if (c.period[i] == 0) continue;
        const double cells = c.period[i] / unfitted_cell_side(c);
        const double spacings = c.period[i] / c.resolution.spacing;
        const double whole = std::round(cells);
        if (std::abs(cells - whole) > rounding * cells || whole < 2 * c.numerics.cells_per_support + 1 ||
            whole > largest_period || std::abs(spacings - std::round(spacings)) > rounding * spacings) {
            refuse_period(c, i, cells, spacings);
        }
        count[i] = static_cast<std::int32_t>(whole);
    }
    return count;
}

double skin_for_periods(const Case& c)
{
    const double n = c.numerics.cells_per_support;
    const auto first = std::find_if(c.period.begin(), c.period.end(), [](double period) { return period > 0; });
    if (first == c.period.end()) return c.numerics.skin;
    const auto whole = [](double cells) { return std::abs(cells - std::round(cells)) <= rounding * cells; };
    // Tries ever fewer cells in the first period.
    const auto most = static_cast<std::int64_t>(
        std::min(std::floor(*first / unfitted_cell_side(c) * (1 + rounding)), largest_period));
    for (std::int64_t cells = most; cells >= 2 * c.numerics.cells_per_support + 1; --cells) {
        const double side = *first / static_cast<double>(cells);
        const double skin = n * side / support_radius(c) - 1;
        if (skin > 2 * c.numerics.skin) break;
        if (std::all_of(c.period.begin(), c.period.end(), [&](double period) { return whole(period / side); }))
            return skin;
    }
    return c.numerics.skin;
}

double cell_side(const Case& c)
{
    const auto cells = period_cells(c);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i] > 0) return c.period[i] / cells[i];
    }
    return unfitted_cell_side(c);
}

double skin_fraction(const Case& c)
{
    const bool periodic = c.period != std::array<double, 3>{};
    return periodic ? c.numerics.cells_per_support * cell_side(c) / support_radius(c) - 1 : c.numerics.skin;
}

Units units_of(const Case& c)
{
    Units units;
    units.length = cell_side(c);
    const PolicyInfo* const policy = find_policy(c.numerics.precision);
    const bool si = policy != nullptr && !policy->cell_is_one;
    units.state = si ? 1 : units.length;
    units.velocity = si ? 1 : nearest_power_of_two(c.fluid.sound_speed);
    units.density = c.fluid.density;
    const double dp = c.resolution.spacing;
    units.mass = units.density * (c.dimensions == 2 ? dp * dp : dp * dp * dp);
    return units;
}

}  // namespace halfulp
