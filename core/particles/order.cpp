#include "core/particles/order.hpp"

#include <algorithm>

namespace halfulp {

namespace {
// Signed integers in ascending order as unsigned ones.
constexpr std::uint64_t shifted(std::int32_t value) { return static_cast<std::uint32_t>(value) ^ 0x80000000U; }
}  // namespace

OrderKey order_key(const Four<std::int32_t>& cell, Kind kind, std::uint32_t index)
{
    const std::uint64_t row = shifted(cell.z) << 32U | shifted(cell.y);
    const std::uint64_t kind_bit = kind == Kind::wall ? 1 : 0;
    const std::uint64_t rest = shifted(cell.x) << 32U | kind_bit << 31U | static_cast<std::uint32_t>(cell.w);
    return {row, rest, index};
}

std::vector<OrderKey> canonical_order(const std::vector<Four<std::int32_t>>& cell, const std::vector<Kind>& kind,
                                      const std::vector<std::uint8_t>& moved)
{
    const std::size_t count = cell.size();
    std::vector<OrderKey> stayed;
    std::vector<OrderKey> others;
    stayed.reserve(count);
    for (std::size_t i = 0; i < count; ++i) {
        (moved[i] != 0 ? others : stayed).push_back(order_key(cell[i], kind[i], static_cast<std::uint32_t>(i)));
    }
    std::sort(others.begin(), others.end());
    std::vector<OrderKey> order(count);
    std::merge(stayed.begin(), stayed.end(), others.begin(), others.end(), order.begin());
    return order;
}

}  // namespace halfulp
