// A position in an unbounded domain: a cell index and an offset from the cell's centre.
//
// The cell is a signed 32-bit integer per axis; the offset is in units of the cell side and lies in [-1/2, 1/2) after a
// carry. Centred offsets make the carry exact (Sterbenz): for an offset in [1/2, 1] the difference to 1 is a
// floating-point number, whereas with offsets in [0, 1) a carry out of -tiny rounds. Between carries the offset may
// leave its cell by the skin. Accuracy is the same in every cell, and adding whole cells to all particles changes no
// bit of an offset.
#pragma once

#include <cstdint>
#include <limits>

#include "precision/real.hpp"

namespace halfulp {

// Number of whole cells by which an offset has left its own: 0 for offsets in [-1/2, 1/2) of a cell side.
template <class T>
HALFULP_INLINE int cells_to_carry(T offset, T cell_side = T(1))
{
    // Rounding to nearest integer by comparisons; a particle moves by far less than two cells between carries.
    const T half = cell_side * T(0.5);
    int k = 0;
    while (offset - T(k) * cell_side >= half) ++k;
    while (offset - T(k) * cell_side < -half) --k;
    return k;
}

// Moves whole cells from the offset to the cell; exactly where the cell side is 1. False, with nothing changed, if the
// cell would leave the 32-bit range or if the offset is not a number below 1024 cells.
template <class T>
HALFULP_INLINE bool carry(std::int32_t& cell, T& offset, T cell_side = T(1))
{
    if (!(magnitude(offset) < T(1024) * cell_side)) return false;
    const int k = cells_to_carry(offset, cell_side);
    const std::int64_t target = std::int64_t(cell) + k;
    if (target > std::numeric_limits<std::int32_t>::max() || target < std::numeric_limits<std::int32_t>::min())
        return false;
    cell = static_cast<std::int32_t>(target);
    offset = offset - T(k) * cell_side;
    return true;
}

// The cell whose centre is nearest to a coordinate in cell sides. False, with nothing changed, if it would leave the
// 32-bit range or if the coordinate is not a number.
HALFULP_INLINE bool locate(double coordinate, std::int32_t& cell)
{
    if (!(coordinate >= std::numeric_limits<std::int32_t>::min() &&
          coordinate < std::numeric_limits<std::int32_t>::max()))
        return false;
    const double nearest = nearest_whole_product(coordinate, 1.0);
    cell = static_cast<std::int32_t>(nearest);
    return true;
}

// x_a - x_b for offsets a and b in cells that differ by cell_difference = cell_a - cell_b, in cell sides.
// Written so that exchanging a and b changes the sign and no other bit: (a - b) + d, never (a + d) - b.
template <class T>
HALFULP_INLINE T position_difference(T offset_a, T offset_b, T cell_difference)
{
    return (offset_a - offset_b) + cell_difference;
}

// Storage of a particle's position: a part of a precision policy. The buffer `offset` holds what pair passes read.
struct CellOffset {  // cell + offset
    static constexpr const char* name = "cell-offset";
    static constexpr bool relative_to_cell = true;  // the offset is from the cell's centre
    static constexpr bool in_double = false;        // the position is kept in double beside the offset
    static constexpr bool pairs_read_residual = false;
};

// The coordinate itself, as in most codes: its resolution falls with the distance from the origin. Cells serve the
// neighbour search only.
struct GlobalCoordinate {
    static constexpr const char* name = "global";
    static constexpr bool relative_to_cell = false;
    static constexpr bool in_double = false;
    static constexpr bool pairs_read_residual = false;
};

// The coordinate as the unevaluated sum of two numbers, the offset and its residual; pair differences read both.
struct DoubleFloatCoordinate {
    static constexpr const char* name = "double-float";
    static constexpr bool relative_to_cell = false;
    static constexpr bool in_double = false;
    static constexpr bool pairs_read_residual = true;
};

// The coordinate in double; pairs read the offset from the cell's centre, rounded from it (the "pos-cell" of
// DualSPHysics; Domínguez et al. 2013 kept float coordinates).
struct GlobalDouble {
    static constexpr const char* name = "global-double";
    static constexpr bool relative_to_cell = true;
    static constexpr bool in_double = true;
    static constexpr bool pairs_read_residual = false;
};

// Units of the state: with the cell side as the unit of length, or SI units.
struct ScaledUnits {
    static constexpr const char* name = "scaled";
    static constexpr bool cell_is_one = true;
};
struct SiUnits {
    static constexpr const char* name = "si";
    static constexpr bool cell_is_one = false;
};

}  // namespace halfulp
