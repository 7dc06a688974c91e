// States saved on several ranks, of which rank 0 never has more than a piece: they are those of one, byte for byte.
#include <gtest/gtest.h>

#include "core/backends/order_of_ranks.hpp"
#include "core/particles/order.hpp"
#include "tests/core/backends/cases.hpp"

namespace halfulp::test {
namespace {

using Cell = Four<std::int32_t>;

Bytes bytes_of(const auto& values)
{
    const auto bytes = std::as_bytes(std::span(values));
    return {bytes.begin(), bytes.end()};
}

// Distinct particles in the canonical order, each with a rank.
struct Shared {
    std::vector<Cell> cell;
    std::vector<Kind> kind;
    std::vector<std::size_t> rank;
};

Shared shared_among(std::size_t ranks, int count, Random& random)
{
    Shared all;
    for (int id = 0; id < count; ++id)
        all.cell.push_back({random.integer(-3, 3), random.integer(-3, 3), random.integer(-3, 3), id});
    for (int id = 0; id < count; ++id) all.kind.push_back(random.integer(0, 1) == 0 ? Kind::fluid : Kind::wall);
    Shared sorted;
    for (const OrderKey& key : canonical_order(all.cell, all.kind, std::vector<std::uint8_t>(all.cell.size(), 1))) {
        sorted.cell.push_back(all.cell[key.index]);
        sorted.kind.push_back(all.kind[key.index]);
        // Some ranks have long runs of particles, some single ones, some none.
        const bool stays = !sorted.rank.empty() && random.integer(0, 3) > 0;
        sorted.rank.push_back(stays ? sorted.rank.back()
                                    : static_cast<std::size_t>(random.integer(0, static_cast<int>(ranks) - 1)));
    }
    return sorted;
}

// Any part of all particles' values is joined from parts of the ranks', whatever is asked for at a time.
TEST(OrderOfRanks, IsTheCanonicalOne)
{
    Random random(11);
    for (const std::size_t ranks : {1U, 2U, 3U, 7U}) {
        for (const int count : {0, 1, 5, 300}) {
            const Shared all = shared_among(ranks, count, random);
            std::vector<std::vector<Cell>> cells(ranks);
            std::vector<std::vector<Kind>> kinds(ranks);
            std::vector<std::uint64_t> counts(ranks);
            for (std::size_t i = 0; i < all.cell.size(); ++i) {
                cells[all.rank[i]].push_back(all.cell[i]);
                kinds[all.rank[i]].push_back(all.kind[i]);
                ++counts[all.rank[i]];
            }
            const auto parts = [](const auto& of_ranks, const std::vector<OwnRange>& ranges) {
                std::vector<Bytes> values;
                for (std::size_t r = 0; r < ranges.size(); ++r)
                    values.push_back(bytes_of(std::span(of_ranks[r]).subspan(ranges[r].first, ranges[r].count)));
                return values;
            };
            for (const std::uint64_t piece : {1U, 4U, 1000U}) {
                const auto keys = [&](const std::vector<OwnRange>& ranges) {
                    for (const OwnRange& one : ranges) EXPECT_LE(one.count, piece);
                    return OrderOfRanks::Keys{parts(cells, ranges), parts(kinds, ranges)};
                };
                const OrderOfRanks order(counts, piece, keys);
                ASSERT_EQ(order.count(), all.cell.size());
                for (int k = 0; k < 20; ++k) {
                    const auto begin = static_cast<std::size_t>(random.integer(0, count));
                    const auto end = static_cast<std::size_t>(random.integer(static_cast<int>(begin), count));
                    Bytes joined;
                    order.join(begin, end, parts(cells, order.ranges(begin, end)), sizeof(Cell), joined);
                    EXPECT_EQ(joined, bytes_of(std::span(all.cell).subspan(begin, end - begin)));
                }
            }
        }
    }
}

TEST(SavedOnRanks, IsTheStateOfOne)
{
    for (const char* policy : {"robust", "double"}) {
        const Problem problem =
            problem_of("inviscid-tank-2d", {std::string("numerics.precision=") + policy, "numerics.integrator=verlet"});
        const auto state_on = [&](Simulation& simulation) {
            for (int k = 0; k < 33; ++k) simulation.step();
            return simulation.state();
        };
        Simulation one(problem, make_cpu_backend(problem, {.threads = 1, .lanes = 0}));
        const SimulationState whole = state_on(one);
        for (const int ranks : {2, 3, 8}) {
            Simulation on_ranks(
                problem,
                make_cpu_backend(
                    problem, {.threads = 1, .lanes = 0, .ranks = ranks, .cuts = {.at_random = ranks > 2, .seed = 3}}));
            const SimulationState state = state_on(on_ranks);
            ASSERT_EQ(state.particles.buffers.size(), whole.particles.buffers.size());
            for (std::size_t k = 0; k < whole.particles.buffers.size(); ++k) {
                const SavedBuffer& there = state.particles.buffers[k];
                const Bytes expected = bytes_of(whole.particles.buffers[k].take());
                ASSERT_EQ(there.name, whole.particles.buffers[k].name);
                ASSERT_EQ(there.size, expected.size()) << there.name;
                EXPECT_EQ(bytes_of(there.take()), expected) << there.name << ", " << ranks << " ranks";
                Bytes pieces;
                for (std::uint64_t first = 0; first < there.size; first += 1001) {
                    const auto piece = there.read(first, std::min<std::uint64_t>(1001, there.size - first));
                    pieces.insert(pieces.end(), piece.begin(), piece.end());
                }
                EXPECT_EQ(pieces, expected) << there.name << " in pieces";
            }
        }
    }
}

}  // namespace
}  // namespace halfulp::test
