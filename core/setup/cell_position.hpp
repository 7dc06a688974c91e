// A position as a cell and an offset from its centre.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/setup/units.hpp"

namespace halfulp {

struct CellPosition {
    std::array<std::int32_t, 3> cell{};
    std::array<float, 3> offset{};  // cell sides
};

// The position of x (m), including the case's origin. what: names x, and the file, in the Error thrown if the cell
// number is out of range.
CellPosition cell_position(const Case& c, const Units& units, const std::array<double, 3>& x, const std::string& what);

// Its image within the periods (cells; 0: not periodic), which begin at the origin's cell.
CellPosition within_period(CellPosition at, const std::array<std::int32_t, 3>& origin,
                           const std::array<std::int32_t, 3>& period);

}  // namespace halfulp
