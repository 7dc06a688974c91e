#include "validation/strategies/lists/lists.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "validation/arithmetic.hpp"
#include "validation/strategies/pair_physics.hpp"

namespace halfulp::strategies {

std::uint64_t morton_key(const std::array<std::uint32_t, 3>& cell, int bits)
{
    std::uint64_t key = 0;
    for (int bit = bits - 1; bit >= 0; --bit)
        for (const std::uint32_t coordinate : cell) key = 2 * key + (coordinate >> static_cast<unsigned>(bit) & 1U);
    return key;
}

// Skilling's transformation (2004): from the highest bit down, exchange or invert the lower bits so that sub-cubes
// join; then a Gray code.
std::uint64_t hilbert_key(const std::array<std::uint32_t, 3>& cell, int bits)
{
    std::array<std::uint32_t, 3> x = cell;
    for (std::uint32_t high = 1U << static_cast<unsigned>(bits - 1); high > 1; high /= 2) {
        const std::uint32_t lower = high - 1;
        for (std::uint32_t& one : x) {
            if ((one & high) != 0) {
                x[0] ^= lower;
            } else {
                const std::uint32_t differ = (x[0] ^ one) & lower;
                x[0] ^= differ;
                one ^= differ;
            }
        }
    }
    for (std::size_t i = 1; i < 3; ++i) x[i] ^= x[i - 1];
    std::uint32_t inverted = 0;
    for (std::uint32_t high = 1U << static_cast<unsigned>(bits - 1); high > 1; high /= 2)
        if ((x[2] & high) != 0) inverted ^= high - 1;
    for (std::uint32_t& one : x) one ^= inverted;
    return morton_key(x, bits);
}

CanonicalLists canonical_lists(const Problem& problem, const State& state)
{
    const std::size_t count = state.cell.size();
    CanonicalLists lists;
    lists.id.resize(count);
    std::iota(lists.id.begin(), lists.id.end(), 0U);
    std::ranges::sort(lists.id, {}, [&](std::uint32_t i) {
        const Four<std::int32_t>& c = state.cell[i];
        return std::tuple(c.z, c.y, c.x, state.kind[i], i);
    });
    std::vector<std::uint32_t> rank(count);
    for (std::uint32_t k = 0; k < count; ++k) {
        const std::uint32_t i = lists.id[k];
        rank[i] = k;
        lists.state.cell.push_back(state.cell[i]);
        lists.state.place.push_back(state.place[i]);
        lists.state.motion.push_back(state.motion[i]);
        lists.state.kind.push_back(state.kind[i]);
    }
    const Arrangement at(state, static_cast<double>(problem.support), 2);
    const float reach = reach_squared(problem);
    const int across = 2 * at.divisions + 1;
    // Calls visit(neighbour's place in the order) for each of a particle's, by cells.
    const auto for_neighbours = [&](std::uint32_t a, auto visit) {
        const bool wall = a >= at.fluid_count;
        const auto look = [&](const Range& range) {
            for (std::uint32_t b = range.begin; b < range.end; ++b) {
                const Vec<3, float> r = separation_of(at.place[a], at.place[b], at.cell[a], at.cell[b]);
                if (dot(r, r) < reach && a != b) visit(rank[at.id[b]]);
            }
        };
        for (const std::int32_t row : at.offsets) {
            const std::int32_t begin = static_cast<std::int32_t>(at.cell_of[a]) + row - at.divisions;
            look(at.fluid(begin, across));
            if (!wall) look(at.walls(begin, across));
        }
    };
    lists.first.assign(count + 1, 0);
#pragma omp parallel for schedule(dynamic, 256)
    for (std::uint32_t a = 0; a < count; ++a) {
        std::uint64_t number = 0;
        for_neighbours(a, [&](std::uint32_t) { ++number; });
        lists.first[rank[at.id[a]] + 1] = number;
    }
    std::partial_sum(lists.first.begin(), lists.first.end(), lists.first.begin());
    lists.neighbours.resize(lists.first.back());
#pragma omp parallel for schedule(dynamic, 256)
    for (std::uint32_t a = 0; a < count; ++a) {
        const std::uint64_t begin = lists.first[rank[at.id[a]]];
        std::uint64_t next = begin;
        for_neighbours(a, [&](std::uint32_t neighbour) { lists.neighbours[next++] = neighbour; });
        std::sort(lists.neighbours.begin() + static_cast<std::ptrdiff_t>(begin),
                  lists.neighbours.begin() + static_cast<std::ptrdiff_t>(next));
    }
    return lists;
}

std::vector<std::uint32_t> memory_order(const CanonicalLists& lists, Order order)
{
    constexpr int bits = 20;  // of a cell's number along an axis, from the lowest
    const std::size_t count = lists.id.size();
    std::vector<std::uint32_t> particles(count);
    std::iota(particles.begin(), particles.end(), 0U);
    std::array<std::int32_t, 3> low{};
    for (std::size_t c = 0; c < 3; ++c) {
        low[c] = lists.state.cell[0][static_cast<int>(c)];
        for (const Four<std::int32_t>& cell : lists.state.cell) low[c] = std::min(low[c], cell[static_cast<int>(c)]);
    }
    const auto key = [&](std::uint32_t i) -> std::uint64_t {
        std::array<std::uint32_t, 3> cell{};
        for (std::size_t c = 0; c < 3; ++c)
            cell[c] = static_cast<std::uint32_t>(lists.state.cell[i][static_cast<int>(c)] - low[c]);
        const auto by = [&](std::size_t first, std::size_t second, std::size_t third) {
            return (std::uint64_t{cell[first]} << 2U * bits) + (std::uint64_t{cell[second]} << bits) + cell[third];
        };
        switch (order) {
        case Order::zyx: return by(2, 1, 0);
        case Order::zxy: return by(2, 0, 1);
        case Order::yzx: return by(1, 2, 0);
        case Order::yxz: return by(1, 0, 2);
        case Order::xzy: return by(0, 2, 1);
        case Order::xyz: return by(0, 1, 2);
        case Order::morton: return morton_key(cell, bits);
        case Order::hilbert: return hilbert_key(cell, bits);
        case Order::as_filled: return lists.id[i];
        case Order::random: return static_cast<std::uint64_t>(0x1p53 * drawn(lists.id[i]));
        }
        __builtin_unreachable();
    };
    std::vector<std::uint64_t> keys(count);
    for (std::uint32_t i = 0; i < count; ++i) keys[i] = key(i);
    std::ranges::sort(particles, {}, [&](std::uint32_t i) { return std::pair(keys[i], i); });
    return particles;
}

LaidOut lay_out(const CanonicalLists& lists, const ListStrategy& strategy, int width)
{
    const std::vector<std::uint32_t> at = memory_order(lists, strategy.order);
    const auto count = static_cast<std::uint32_t>(at.size());
    LaidOut out;
    out.width = strategy.chunk == 0 ? 1 : width;
    out.chunk = std::max(1, strategy.chunk);
    std::vector<std::uint32_t> place_of(count);
    for (std::uint32_t m = 0; m < count; ++m) {
        place_of[at[m]] = m;
        out.place.push_back(lists.state.place[at[m]]);
        out.motion.push_back(lists.state.motion[at[m]]);
        out.cell.push_back(lists.state.cell[at[m]]);
    }
    const auto add_targets = [&](bool fluid, bool walls) {
        for (std::uint32_t m = 0; m < count; ++m) {
            const bool is_fluid = lists.state.kind[at[m]] == Kind::fluid;
            if (!(is_fluid ? fluid : walls) || (!is_fluid && lists.first[at[m]] == lists.first[at[m] + 1])) continue;
            out.target.push_back(m);
            out.id.push_back(lists.id[at[m]]);
            out.fluid.push_back(is_fluid ? 1 : 0);
        }
    };
    if (strategy.by_kind) {
        add_targets(true, false);
        // Walls begin with lists of their own.
        while (out.target.size() % static_cast<std::size_t>(width) != 0) {
            out.target.push_back(out.target.back());
            out.id.push_back(out.id.back());
            out.fluid.push_back(1);
        }
        out.walls_begin = static_cast<std::uint32_t>(out.target.size());
        add_targets(false, true);
    } else {
        add_targets(true, true);
    }
    const std::size_t targets = out.target.size();
    const auto list_of = [&](std::size_t t) { return at[out.target[t]]; };
    out.length.resize(targets);
    out.fluid_length.resize(targets);
    for (std::size_t t = 0; t < targets; ++t)
        out.length[t] = static_cast<std::uint32_t>(lists.first[list_of(t) + 1] - lists.first[list_of(t)]);
    const auto w = static_cast<std::size_t>(out.width);
    const auto c = static_cast<std::uint64_t>(out.chunk);
    out.first.push_back(0);
    for (std::size_t begin = 0; begin < targets; begin += w) {
        std::uint64_t longest = 0;
        for (std::size_t t = begin; t < std::min(targets, begin + w); ++t)
            longest = std::max<std::uint64_t>(longest, out.length[t]);
        out.first.push_back(out.first.back() + (longest + c - 1) / c * c * w);
    }
    out.entries.assign(out.first.back(), 0);
#pragma omp parallel for schedule(dynamic, 1024)
    for (std::size_t t = 0; t < targets; ++t) {
        std::size_t k = 0;
        const auto add = [&](bool fluid, bool walls) {
            for (std::uint64_t e = lists.first[list_of(t)]; e < lists.first[list_of(t) + 1]; ++e) {
                const std::uint32_t b = lists.neighbours[e];
                if (lists.state.kind[b] == Kind::fluid ? fluid : walls) out.entries[out.index(t, k++)] = place_of[b];
            }
        };
        add(true, !strategy.split);
        out.fluid_length[t] = static_cast<std::uint32_t>(k);
        if (strategy.split) add(false, true);
    }
    return out;
}

}  // namespace halfulp::strategies
