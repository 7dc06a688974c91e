#include "core/particles/order.hpp"

#include <numeric>

#include <parallel/algorithm>

#include "core/parallel_failure.hpp"
#include "core/particles/blocks.hpp"

namespace halfulp {

namespace {
// Maps signed integers to unsigned ones in the same order.
constexpr std::uint64_t shifted(std::int32_t value) { return static_cast<std::uint32_t>(value) ^ 0x80000000U; }

constexpr std::size_t of_threads = 8'000'000;  // bytes: sorting memory of all threads, beside copies of their parts
}  // namespace

OrderKey order_key(const Four<std::int32_t>& cell, Kind kind, std::uint32_t index)
{
    const std::uint64_t row = shifted(cell.z) << 32U | shifted(cell.y);
    const std::uint64_t kind_bit = kind == Kind::wall ? 1 : 0;
    const std::uint64_t low = shifted(cell.x) << 32U | kind_bit << 31U | static_cast<std::uint32_t>(cell.w);
    return {row, low, index};
}

std::vector<OrderKey> canonical_order(const std::vector<Four<std::int32_t>>& cell, const std::vector<Kind>& kind,
                                      const std::vector<std::uint8_t>& moved)
{
    const std::size_t count = cell.size();
    const auto keys_of = [&](bool those_that_moved) {
        std::vector<OrderKey> keys;
        compact(
            count,
            [&](std::size_t begin, std::size_t end) {
                std::size_t wanted = 0;
                for (std::size_t i = begin; i < end; ++i) wanted += (moved[i] != 0) == those_that_moved ? 1 : 0;
                return wanted;
            },
            [&](std::size_t total) { keys.resize(total); },
            [&](std::size_t begin, std::size_t end, std::size_t at) {
                for (std::size_t i = begin; i < end; ++i) {
                    if ((moved[i] != 0) == those_that_moved)
                        keys[at++] = order_key(cell[i], kind[i], static_cast<std::uint32_t>(i));
                }
            });
        return keys;
    };
    const std::vector<OrderKey> stayed = keys_of(false);
    std::vector<OrderKey> others = keys_of(true);
    std::vector<OrderKey> order(count);
    require_memory(others.size() * sizeof(OrderKey) + of_threads);
    __gnu_parallel::sort(others.begin(), others.end());
    __gnu_parallel::merge(stayed.begin(), stayed.end(), others.begin(), others.end(), order.begin());
    return order;
}

std::vector<std::uint32_t> places_by_id(const Four<std::int32_t>* cell, std::size_t count)
{
    std::vector<std::uint32_t> places(count);
    bool dense = true;
#pragma omp parallel for schedule(static) reduction(&& : dense)
    for (std::size_t i = 0; i < count; ++i) {
        const auto id = static_cast<std::uint32_t>(cell[i].w);
        dense = dense && id < count;
        if (id < count) places[id] = static_cast<std::uint32_t>(i);
    }
    if (dense) return places;
    std::iota(places.begin(), places.end(), 0U);
    require_memory(count * sizeof(std::uint32_t) + of_threads);
    __gnu_parallel::sort(places.begin(), places.end(),
                         [cell](std::uint32_t a, std::uint32_t b) { return cell[a].w < cell[b].w; });
    return places;
}

}  // namespace halfulp
