#include "core/particles/order.hpp"

#include <omp.h>

#include <algorithm>
#include <functional>
#include <numeric>
#include <span>

#include "core/particles/blocks.hpp"

namespace halfulp {

namespace {
// Maps signed integers to unsigned ones in the same order.
constexpr std::uint64_t shifted(std::int32_t value) { return static_cast<std::uint32_t>(value) ^ 0x80000000U; }

// Calls act(begin, end) for each of some equal parts of [0, count), in parallel. It may take no memory: an exception
// cannot leave the threads.
template <class Act>
void in_parts(std::size_t count, std::size_t parts, const Act& act)
{
#pragma omp parallel for schedule(static)
    for (std::size_t k = 0; k < parts; ++k) act(count * k / parts, count * (k + 1) / parts);
}

// Merges two sorted ranges of distinct values into `to`, in as many parts as there are threads.
template <class T, class Less>
void merge_in_parts(std::span<const T> a, std::span<const T> b, T* to, Less less)
{
    in_parts(a.size(), static_cast<std::size_t>(omp_get_max_threads()), [&](std::size_t begin, std::size_t end) {
        const auto place = [&](std::size_t k) {
            if (k == 0) return std::size_t{0};
            if (k == a.size()) return b.size();
            return static_cast<std::size_t>(std::lower_bound(b.begin(), b.end(), a[k], less) - b.begin());
        };
        if (begin == end && !a.empty()) return;
        const std::size_t from = place(begin);
        const auto first = [](std::span<const T> all, std::size_t k) { return all.data() + k; };
        std::merge(first(a, begin), first(a, end), first(b, from), first(b, place(end)), to + begin + from, less);
    });
    if (a.empty()) std::copy(b.begin(), b.end(), to);
}

// Sorts distinct values on all threads. All memory is taken here, outside of them. Throws std::bad_alloc.
template <class T, class Less>
void sort_in_parts(std::vector<T>& values, Less less)
{
    const auto parts = static_cast<std::size_t>(omp_get_max_threads());
    const std::size_t count = values.size();
    std::vector<T> sorted(parts > 1 ? count : 0);
    in_parts(count, parts, [&](std::size_t begin, std::size_t end) {
        std::sort(values.begin() + static_cast<std::ptrdiff_t>(begin),
                  values.begin() + static_cast<std::ptrdiff_t>(end), less);
    });
    const auto boundary = [&](std::size_t k) { return count * std::min(k, parts) / parts; };
    for (std::size_t width = 1; width < parts; width *= 2) {
        for (std::size_t k = 0; k < parts; k += 2 * width) {
            const std::size_t begin = boundary(k);
            const std::size_t middle = boundary(k + width);
            const std::size_t end = boundary(k + 2 * width);
            const std::span<const T> all(values);
            merge_in_parts(all.subspan(begin, middle - begin), all.subspan(middle, end - middle), sorted.data() + begin,
                           less);
        }
        values.swap(sorted);
    }
}
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
    sort_in_parts(others, std::less<>{});
    merge_in_parts(std::span<const OrderKey>(stayed), std::span<const OrderKey>(others), order.data(), std::less<>{});
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
    sort_in_parts(places, [cell](std::uint32_t a, std::uint32_t b) { return cell[a].w < cell[b].w; });
    return places;
}

}  // namespace halfulp
