// The directory of occupied cells against looking at every particle.
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "core/neighbours/cell_directory.hpp"
#include "kernels/policy.hpp"
#include "tests/core/neighbours/particle_cloud.hpp"

namespace halfulp::test {
namespace {

constexpr std::int64_t lowest = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t highest = std::numeric_limits<std::int32_t>::max();

// The particles with x in [low, high] of the row at (z, y), by the directory, as indices of the sorted particles.
IndexRange particles_between(const CellDirectory& directory, std::uint32_t row, std::int64_t low, std::int64_t high)
{
    return {directory.first_particle(directory.lower_cell(row, low)),
            directory.first_particle(directory.lower_cell(row, high + 1))};
}

void check(const std::vector<Cell>& cells, Random& random)
{
    const auto buffers = cloud_in<RobustPolicy, 3>(cells, cloud_parameters(2), random);
    const auto& sorted = buffers.cell;
    CellDirectory directory;
    directory.build(sorted, buffers.kind);

    std::set<std::array<std::int64_t, 3>> occupied;
    std::set<std::array<std::int64_t, 2>> rows;
    for (const auto& cell : sorted) {
        occupied.insert({cell.z, cell.y, cell.x});
        rows.insert({cell.z, cell.y});
    }
    ASSERT_EQ(directory.cells(), occupied.size());
    ASSERT_EQ(directory.rows().size(), rows.size());
    EXPECT_EQ(directory.first_particle(static_cast<std::uint32_t>(directory.cells())), sorted.size());

    for (std::uint32_t k = 0; k < directory.cells(); ++k) {
        const IndexRange fluid = directory.fluid(k);
        ASSERT_EQ(fluid.begin, directory.first_particle(k));
        for (std::uint32_t i = fluid.begin; i < directory.first_particle(k + 1); ++i)
            ASSERT_EQ(i < fluid.end, buffers.kind[i] == Kind::fluid) << "particle " << i << " of cell " << k;
    }

    for (int trial = 0; trial < 300; ++trial) {
        // Around some particle, a little outside of the range of cells too.
        const auto& near = sorted[std::size_t(random.integer(0, int(sorted.size()) - 1))];
        const std::int64_t z = std::int64_t(near.z) + random.integer(-2, 2);
        const std::int64_t y = std::int64_t(near.y) + random.integer(-2, 2);
        const std::int64_t low = std::int64_t(near.x) + random.integer(-4, 4);
        const std::int64_t high = low + random.integer(0, 6);
        const std::uint32_t row = directory.find_row(z, y);
        ASSERT_EQ(row == CellDirectory::no_row, !rows.contains({z, y})) << z << ' ' << y;
        const auto before = std::distance(rows.begin(), rows.lower_bound({z, y}));
        ASSERT_EQ(directory.lower_row(z, y), static_cast<std::uint32_t>(before)) << z << ' ' << y;
        if (row == CellDirectory::no_row) continue;
        const IndexRange range = particles_between(directory, row, low, high);
        for (std::uint32_t i = 0; i < sorted.size(); ++i) {
            const bool inside = sorted[i].z == z && sorted[i].y == y && sorted[i].x >= low && sorted[i].x <= high;
            ASSERT_EQ(i >= range.begin && i < range.end, inside)
                << "particle " << i << ", row " << z << ' ' << y << ", cells " << low << " to " << high;
        }
    }
}

TEST(CellDirectory, FindsWhatEveryParticleSays)
{
    Random random(5);
    check(block({-3, -3, -3}, {7, 7, 7}, 200, random), random);
    check(block({-3, -3, 0}, {7, 7, 1}, 200, random), random);
    check(block({lowest, lowest, lowest}, {4, 4, 4}, 60, random), random);
    check(block({highest - 3, highest - 3, highest - 3}, {4, 4, 4}, 60, random), random);
    check(block({-50, 0, 0}, {100, 2, 2}, 60, random), random);
    check({{5, 6, 7}}, random);
    // Rows and cells at both ends: their difference does not fit in 32 bits.
    std::vector<Cell> ends;
    for (int k = 0; k < 64; ++k)
        ends.push_back({k & 1 ? lowest : highest, k & 2 ? lowest : highest, k & 4 ? lowest + 1 : highest});
    check(ends, random);
}

TEST(CellDirectory, IsBuiltAnew)
{
    Random random(6);
    const auto first = cloud_in<RobustPolicy, 3>(block({0, 0, 0}, {5, 5, 5}, 100, random), cloud_parameters(2), random);
    const auto second = cloud_in<RobustPolicy, 3>({{1, 2, 3}, {1, 2, 3}, {2, 2, 3}}, cloud_parameters(2), random);
    CellDirectory directory;
    directory.build(first.cell, first.kind);
    directory.build(second.cell, second.kind);
    EXPECT_EQ(directory.rows().size(), 1U);
    EXPECT_EQ(directory.cells(), 2U);
    EXPECT_EQ(directory.first_particle(1), 2U);
    EXPECT_EQ(directory.first_particle(2), 3U);
    directory.build({}, {});
    EXPECT_TRUE(directory.rows().empty());
    EXPECT_EQ(directory.find_row(3, 2), CellDirectory::no_row);
    EXPECT_EQ(directory.first_particle(0), 0U);
}

}  // namespace
}  // namespace halfulp::test
