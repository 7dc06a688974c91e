// A position in an unbounded domain: a cell index and an offset from the cell's centre.
//
// The cell is a signed 32-bit integer an axis; the offset is in units of the cell side and lies in [-1/2, 1/2) after a
// carry. Centred offsets are what makes the carry exact (Sterbenz): for an offset in [1/2, 1] the difference to 1 is a
// floating-point number, whereas with offsets in [0, 1) a carry out of -tiny rounds. Between carries the offset may
// leave its cell by the skin. Accuracy is the same in every cell, and adding whole cells to all particles changes no
// bit of an offset.
#pragma once

#include <cstdint>
#include <limits>

#include "precision/real.hpp"

namespace halfulp {

// How many whole cells an offset has left its own by: 0 for offsets in [-1/2, 1/2).
template <class T>
HALFULP_INLINE int cells_to_carry(T offset)
{
    // Rounding to nearest integer by comparisons; a particle moves by far less than two cells between carries.
    int k = 0;
    while (offset - T(k) >= T(0.5)) ++k;
    while (offset - T(k) < T(-0.5)) --k;
    return k;
}

// Moves whole cells from the offset to the cell, exactly. False, with nothing changed, if the cell would leave the
// 32-bit range or if the offset is not a number below 1024.
template <class T>
HALFULP_INLINE bool carry(std::int32_t& cell, T& offset)
{
    if (!(magnitude(offset) < T(1024))) return false;
    const int k = cells_to_carry(offset);
    const std::int64_t target = std::int64_t(cell) + k;
    if (target > std::numeric_limits<std::int32_t>::max() || target < std::numeric_limits<std::int32_t>::min())
        return false;
    cell = static_cast<std::int32_t>(target);
    offset = offset - T(k);
    return true;
}

// x_a - x_b for offsets a and b in cells that are cell_difference = cell_a - cell_b apart, in cell sides.
// Written so that exchanging a and b changes the sign and no other bit: (a - b) + d, never (a + d) - b.
template <class T>
HALFULP_INLINE T position_difference(T offset_a, T offset_b, T cell_difference)
{
    return (offset_a - offset_b) + cell_difference;
}

}  // namespace halfulp
