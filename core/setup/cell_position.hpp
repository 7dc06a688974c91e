// A place as a cell and an offset from its centre.
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

// Of x (m) in a case, its origin included. what: names x in the Error that is thrown where cells have no such number,
// the file included.
CellPosition cell_position(const Case& c, const Units& units, const std::array<double, 3>& x, const std::string& what);

}  // namespace halfulp
