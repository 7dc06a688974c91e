// The periodic image of a cell or lattice site.
#pragma once

#include <cstdint>

#include "precision/annotation.hpp"

namespace halfulp {

// Along one axis, in the period that begins at `first`; the cell itself where the period is 0.
HALFULP_INLINE std::int64_t wrapped(std::int64_t cell, std::int64_t first, std::int64_t period)
{
    if (period == 0) return cell;
    const std::int64_t beyond = (cell - first) % period;
    return first + (beyond < 0 ? beyond + period : beyond);
}

}  // namespace halfulp
