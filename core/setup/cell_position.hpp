// A place as a cell and an offset from its centre.
#pragma once

#include <array>
#include <cstdint>

namespace halfulp {

struct CellPosition {
    std::array<std::int32_t, 3> cell{};
    std::array<float, 3> offset{};  // cell sides
};

}  // namespace halfulp
