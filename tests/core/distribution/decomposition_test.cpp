// Decompositions: every cell has one owner, shares of the work are equal, and the reach of a box is what counting
// cells finds.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "core/distribution/decomposition.hpp"
#include "tests/core/distribution/on_ranks.hpp"

namespace halfulp::test {
namespace {

using Cells = std::vector<Four<std::int32_t>>;

// Of all ranks: equal everywhere, or the test fails.
template <class Make>
Decomposition agreed(std::size_t ranks, const Make& make)
{
    std::vector<Decomposition> all(ranks);
    on_ranks(ranks, [&](Peers& peers) { all[peers.rank()] = make(peers); });
    for (const Decomposition& one : all) {
        for (std::size_t r = 0; r < ranks; ++r) {
            EXPECT_EQ(one.box(r).low, all[0].box(r).low);
            EXPECT_EQ(one.box(r).high, all[0].box(r).high);
        }
    }
    return all.front();
}

Cells block_of(std::int32_t x, std::int32_t y, std::int32_t z, std::int32_t per_cell = 3)
{
    Cells cells;
    for (std::int32_t k = 0; k < z; ++k)
        for (std::int32_t j = 0; j < y; ++j)
            for (std::int32_t i = 0; i < x; ++i)
                for (std::int32_t p = 0; p < per_cell; ++p) cells.push_back({i - 4, j + 1000, k, 0});
    return cells;
}

Cells share(const Cells& all, const Peers& peers)
{
    const auto at = [&](std::size_t r) {
        return all.begin() + static_cast<std::ptrdiff_t>(all.size() * r / peers.ranks());
    };
    return {at(peers.rank()), at(peers.rank() + 1)};
}

void expect_one_owner(const Decomposition& decomposition, const Cells& cells)
{
    for (const auto& cell : cells) {
        std::size_t owners = 0;
        for (std::size_t r = 0; r < decomposition.ranks(); ++r) owners += decomposition.box(r).contains(cell) ? 1 : 0;
        ASSERT_EQ(owners, 1U);
        ASSERT_TRUE(decomposition.box(decomposition.owner(cell)).contains(cell));
    }
}

// A rank with twice the power has twice the work, to within a layer of cells.
TEST(Decomposition, SharesTheWorkByPower)
{
    const Cells cells = block_of(120, 4, 4);
    const std::vector<double> powers{1, 2, 0.5, 1.5};
    const Decomposition shares = agreed(powers.size(), [&](Peers& peers) {
        const Cells mine = share(cells, peers);
        return Decomposition::by_work(peers, mine, std::vector<std::uint32_t>(mine.size(), 7), 3, powers);
    });
    expect_one_owner(shares, cells);
    std::vector<double> held(powers.size());
    for (const auto& cell : cells) ++held[shares.owner(cell)];
    const double layer = static_cast<double>(cells.size()) / 120;
    for (std::size_t r = 0; r < powers.size(); ++r)
        EXPECT_NEAR(held[r], static_cast<double>(cells.size()) * powers[r] / 5, 1.01 * layer) << "rank " << r;
}

TEST(Decomposition, SharesTheWorkEqually)
{
    const Cells cells = block_of(40, 12, 9);
    for (const std::size_t ranks : {1U, 2U, 3U, 5U, 8U, 16U}) {
        const Decomposition shares = agreed(ranks, [&](Peers& peers) {
            const Cells mine = share(cells, peers);
            return Decomposition::by_work(peers, mine, std::vector<std::uint32_t>(mine.size(), 7), 3);
        });
        expect_one_owner(shares, cells);
        std::vector<std::size_t> held(ranks);
        for (const auto& cell : cells) ++held[shares.owner(cell)];
        const double mean = static_cast<double>(cells.size()) / static_cast<double>(ranks);
        EXPECT_LT(static_cast<double>(*std::ranges::max_element(held)), 1.35 * mean) << ranks << " ranks";
        EXPECT_GT(static_cast<double>(*std::ranges::min_element(held)), 0.65 * mean) << ranks << " ranks";
    }
}

TEST(Decomposition, CutsWhereTheWorkIs)
{
    const Cells cells = block_of(100, 4, 1);
    const Decomposition halves = agreed(2, [&](Peers& peers) {
        const Cells mine = share(cells, peers);
        std::vector<std::uint32_t> work;
        for (const auto& cell : mine) work.push_back(cell.x >= 86 ? 9 : 1);  // the last tenth: half of it all
        return Decomposition::by_work(peers, mine, work, 2);
    });
    EXPECT_EQ(halves.box(0).high[0], 86);
    EXPECT_EQ(halves.box(1).low[0], 86);
}

// One particle at the other end of the range of cells takes neither memory nor time.
TEST(Decomposition, ParticlesMayBeFarApart)
{
    Cells cells = block_of(20, 5, 1);
    cells.push_back({2147483647, -2147483647, 0, 0});
    const Decomposition shares = agreed(4, [&](Peers& peers) {
        const Cells mine = share(cells, peers);
        return Decomposition::by_work(peers, mine, std::vector<std::uint32_t>(mine.size(), 1), 2);
    });
    expect_one_owner(shares, cells);
}

TEST(Decomposition, MoreRanksThanCells)
{
    const Cells cells = block_of(2, 1, 1);
    const Decomposition shares = agreed(8, [&](Peers& peers) {
        const Cells mine = share(cells, peers);
        return Decomposition::by_work(peers, mine, std::vector<std::uint32_t>(mine.size(), 1), 3);
    });
    expect_one_owner(shares, cells);
}

TEST(Decomposition, AtRandomHasOneOwnerACell)
{
    const Cells cells = block_of(15, 9, 7);
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        const Decomposition cut =
            agreed(5, [&](Peers& peers) { return Decomposition::at_random(peers, share(cells, peers), 3, seed); });
        expect_one_owner(cut, cells);
    }
}

// Against all cells and images within reach.
TEST(Decomposition, ReachWithPeriods)
{
    std::mt19937 random(5);
    const auto between = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    int near = 0;
    for (int trial = 0; trial < 20000; ++trial) {
        PeriodOfCells periods;
        CellBox box{};
        Four<std::int32_t> cell{};
        const int reach = between(1, 4);
        bool expected = true;
        for (std::size_t c = 0; c < 3; ++c) {
            periods.origin[c] = between(-9, 9);
            periods.period[c] = between(0, 1) != 0 ? between(3, 14) : 0;
            const int length = periods.period[c] > 0 ? periods.period[c] : 20;
            cell[static_cast<int>(c)] = periods.origin[c] + between(0, length - 1);
            box.low[c] = periods.origin[c] + between(0, length - 1);
            box.high[c] = box.low[c] + between(0, static_cast<int>(periods.origin[c] + length - box.low[c]));
            if (between(0, 3) == 0) box.low[c] = -1000000;  // as the outermost have no end
            if (between(0, 3) == 0) box.high[c] = 1000000;
            bool found = false;
            for (int step = -reach; step <= reach; ++step) {
                std::int64_t there = cell[static_cast<int>(c)] + step;
                if (periods.period[c] > 0) {
                    const std::int64_t p = periods.period[c];
                    there = periods.origin[c] + (((there - periods.origin[c]) % p) + p) % p;
                }
                found = found || (there >= box.low[c] && there < box.high[c]);
            }
            expected = expected && found;
        }
        ASSERT_EQ(is_within_reach(cell, reach, box, periods), expected) << trial;
        near += expected ? 1 : 0;
    }
    EXPECT_GT(near, 1000);
    EXPECT_LT(near, 15000);
}

}  // namespace
}  // namespace halfulp::test
