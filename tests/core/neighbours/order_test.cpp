// The canonical order against sorting everything by (z, y, x, kind, id).
#include <gtest/gtest.h>
#include <omp.h>

#include <numeric>

#include "core/particles/order.hpp"
#include "kernels/policy.hpp"
#include "tests/core/neighbours/particle_cloud.hpp"

namespace halfulp::test {
namespace {

using Cells = std::vector<Four<std::int32_t>>;

// Indices in the canonical order, by sorting all.
std::vector<std::uint32_t> sorted_indices(const Cells& cell, const std::vector<Kind>& kind)
{
    std::vector<std::uint32_t> indices(cell.size());
    std::iota(indices.begin(), indices.end(), 0U);
    std::sort(indices.begin(), indices.end(), [&](std::uint32_t a, std::uint32_t b) {
        return canonical_key(cell[a], kind[a]) < canonical_key(cell[b], kind[b]);
    });
    return indices;
}

std::vector<std::uint32_t> canonical_indices(const Cells& cell, const std::vector<Kind>& kind,
                                             const std::vector<std::uint8_t>& moved)
{
    std::vector<std::uint32_t> indices;
    for (const OrderKey& key : canonical_order(cell, kind, moved)) indices.push_back(key.index);
    return indices;
}

struct Particles {
    Cells cell;
    std::vector<Kind> kind;
};

// Several particles a cell, in no order.
Particles shuffled(const Cell& from, int width, int count, Random& random)
{
    Particles p;
    std::vector<std::int32_t> ids(static_cast<std::size_t>(count));
    std::iota(ids.begin(), ids.end(), 0);
    for (int k = count - 1; k > 0; --k)
        std::swap(ids[static_cast<std::size_t>(k)], ids[static_cast<std::size_t>(random.integer(0, k))]);
    for (const std::int32_t id : ids) {
        const auto at = [&](std::size_t c) {
            return static_cast<std::int32_t>(from[c] + random.integer(0, width - 1));
        };
        p.cell.push_back({at(0), at(1), at(2), id});
        p.kind.push_back(random.integer(0, 1) == 0 ? Kind::fluid : Kind::wall);
    }
    return p;
}

void put_in_order(Particles& p)
{
    const Particles old = p;
    const auto indices = sorted_indices(p.cell, p.kind);
    for (std::size_t i = 0; i < indices.size(); ++i) {
        p.cell[i] = old.cell[indices[i]];
        p.kind[i] = old.kind[indices[i]];
    }
}

TEST(CanonicalOrder, IsThatOfSortingAll)
{
    Random random(1);
    for (const std::int64_t from : {-2L, 0L, 2147483644L, -2147483648L}) {
        Particles p = shuffled({from, from, from}, 4, 500, random);
        const std::vector<std::uint8_t> all(p.cell.size(), 1);
        EXPECT_EQ(canonical_indices(p.cell, p.kind, all), sorted_indices(p.cell, p.kind)) << from;
        for (auto& cell : p.cell) cell.w *= 4'000'000;  // up to 2^31
        EXPECT_EQ(canonical_indices(p.cell, p.kind, all), sorted_indices(p.cell, p.kind)) << from;
    }
}

TEST(CanonicalOrder, MergesWhatMoved)
{
    Random random(2);
    Particles p = shuffled({-3, -3, -3}, 6, 600, random);
    put_in_order(p);
    for (int round = 0; round < 50; ++round) {
        const int one_in = 1 << random.integer(0, 8);
        std::vector<std::uint8_t> moved(p.cell.size());
        for (std::size_t i = 0; i < p.cell.size(); ++i) {
            if (random.integer(1, one_in) != 1) continue;
            p.cell[i][random.integer(0, 2)] += random.integer(-1, 1);
            moved[i] = 1;  // at times without having moved
        }
        ASSERT_EQ(canonical_indices(p.cell, p.kind, moved), sorted_indices(p.cell, p.kind)) << round;
        put_in_order(p);
    }
    EXPECT_EQ(canonical_indices(p.cell, p.kind, std::vector<std::uint8_t>(p.cell.size())),
              sorted_indices(p.cell, p.kind));
}

// Also where there are fewer particles than threads.
TEST(CanonicalOrder, IsThatOfAnyNumberOfThreads)
{
    Random random(5);
    const int usual = omp_get_max_threads();
    for (int threads = 1; threads <= 9; ++threads) {
        omp_set_num_threads(threads);
        for (const int count : {0, 1, 2, 3, 5, 8, 13, 100, 1001}) {
            Particles p = shuffled({0, 0, 0}, 3, count, random);
            put_in_order(p);
            std::vector<std::uint8_t> moved(p.cell.size());
            for (std::size_t i = 0; i < p.cell.size(); ++i) {
                moved[i] = random.integer(0, 2) == 0 ? 1 : 0;
                if (moved[i] != 0) p.cell[i].x += random.integer(-1, 1);
            }
            EXPECT_EQ(canonical_indices(p.cell, p.kind, moved), sorted_indices(p.cell, p.kind)) << threads << count;
            for (auto& one : p.cell) one.w *= 3;
            const std::vector<std::uint32_t> places = places_by_id(p.cell.data(), p.cell.size());
            for (std::size_t k = 0; k < places.size(); ++k)
                EXPECT_EQ(p.cell[places[k]].w, static_cast<std::int32_t>(3 * k)) << threads << ' ' << count;
        }
    }
    omp_set_num_threads(usual);
}

// All particles moved by whole cells, across zero and to both ends of the range.
TEST(CanonicalOrder, StaysWhenAllMove)
{
    Random random(3);
    const Particles p = shuffled({-3, -3, -3}, 6, 400, random);
    const std::vector<std::uint8_t> all(p.cell.size(), 1);
    const auto expected = canonical_indices(p.cell, p.kind, all);
    for (const std::int32_t by : {1, -1, 3, 1'000'000'000, -1'000'000'000, 2147483645, -2147483645}) {
        Cells moved = p.cell;
        for (auto& cell : moved)
            for (int c = 0; c < 3; ++c) cell[c] = static_cast<std::int32_t>(cell[c] + std::int64_t(c == 1 ? -by : by));
        EXPECT_EQ(canonical_indices(moved, p.kind, all), expected) << by;
    }
}

TEST(CanonicalOrder, LargestIdAndFluidBeforeWall)
{
    constexpr std::int32_t largest = 2147483647;
    const Cells cell = {{0, 0, 0, largest}, {0, 0, 0, 0}, {0, 0, 0, largest - 1}, {1, 0, 0, 1}, {-1, 0, 0, 2}};
    const std::vector<Kind> kind = {Kind::fluid, Kind::wall, Kind::fluid, Kind::fluid, Kind::wall};
    EXPECT_EQ(canonical_indices(cell, kind, {1, 1, 1, 1, 1}), (std::vector<std::uint32_t>{4, 2, 0, 1, 3}));
}

// Without gaps, and with.
TEST(PlacesById, Ascend)
{
    Random random(4);
    Particles p = shuffled({0, 0, 0}, 4, 5000, random);
    for (const std::int32_t factor : {1, 2, 400'000}) {
        Cells cell = p.cell;
        for (auto& one : cell) one.w *= factor;
        const std::vector<std::uint32_t> places = places_by_id(cell.data(), cell.size());
        ASSERT_EQ(places.size(), cell.size());
        for (std::size_t k = 0; k < places.size(); ++k)
            ASSERT_EQ(cell[places[k]].w, static_cast<std::int32_t>(k) * factor);
    }
    EXPECT_TRUE(places_by_id(nullptr, 0).empty());
}

}  // namespace
}  // namespace halfulp::test
