#include "core/setup/cell_position.hpp"

#include <cmath>

#include "core/error.hpp"
#include "kernels/periodic_image.hpp"

namespace halfulp {

CellPosition cell_position(const Case& c, const Units& units, const std::array<double, 3>& x, const std::string& what)
{
    CellPosition position;
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.dimensions); ++i) {
        const double cells = x[i] / units.length;
        const double nearest = std::floor(cells + 0.5);
        if (!(std::abs(nearest) <= 1073741824)) {
            throw input_error(
                "{}.{} is {} m, {:.3g} cells from zero, but at most 2^30 can be numbered; move the case nearer to "
                "zero.",
                what, i, x[i], nearest);
        }
        position.cell[i] = c.origin.cells[i] + static_cast<std::int32_t>(nearest);
        position.offset[i] = static_cast<float>(cells - nearest);
    }
    return position;
}

CellPosition within_period(CellPosition at, const std::array<std::int32_t, 3>& origin,
                           const std::array<std::int32_t, 3>& period)
{
    for (std::size_t i = 0; i < 3; ++i) {
        at.cell[i] = static_cast<std::int32_t>(wrapped(at.cell[i], origin[i], period[i]));
    }
    return at;
}

}  // namespace halfulp
