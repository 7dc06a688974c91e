// A halo against brute force: who holds which particle after particles have moved, and what is sent.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <random>
#include <ranges>

#include "core/distribution/halo.hpp"
#include "tests/core/distribution/on_ranks.hpp"

namespace halfulp::test {
namespace {

constexpr int reach = 2;
const PeriodOfCells periods{{-3, 0, 0}, {12, 0, 0}};

// The fields of one rank: cells, a number that moves with the particle, a work and a rate, which a pass computes.
struct Held {
    std::vector<Four<std::int32_t>> cell;  // w: id
    std::vector<Kind> kind;
    std::vector<double> number;
    std::vector<double> work;
    std::vector<Four<float>> rate;

    [[nodiscard]] std::vector<RawField> fields()
    {
        const auto raw = [](auto& field, bool moves, bool of_owner) {
            return RawField{reinterpret_cast<std::byte*>(field.data()), sizeof(field[0]), moves, of_owner};
        };
        return {raw(cell, true, false), raw(kind, true, false), raw(number, true, false), raw(work, true, true),
                raw(rate, false, false)};
    }
    void resize(std::size_t count)
    {
        cell.resize(count);
        kind.resize(count);
        number.resize(count);
        work.resize(count);
        rate.resize(count);
    }
    // By cell and id, as the canonical order.
    void sort()
    {
        std::vector<std::size_t> order(cell.size());
        for (std::size_t k = 0; k < order.size(); ++k) order[k] = k;
        std::ranges::sort(order, {}, [&](std::size_t k) {
            return std::array{cell[k].z, cell[k].y, cell[k].x, cell[k].w};
        });
        Held sorted;
        sorted.resize(order.size());
        for (std::size_t k = 0; k < order.size(); ++k) {
            sorted.cell[k] = cell[order[k]];
            sorted.kind[k] = kind[order[k]];
            sorted.number[k] = number[order[k]];
            sorted.work[k] = work[order[k]];
        }
        *this = sorted;
    }
};

Kind kind_of_id(std::int32_t id) { return id % 3 == 0 ? Kind::wall : Kind::fluid; }

TEST(Halo, HoldsWhatBruteForceFindsAndSendsPartsAlone)
{
    constexpr std::size_t ranks = 5;
    constexpr std::int32_t particles = 400;
    const auto cell_at = [](std::int32_t id, int round) {
        std::mt19937 random(static_cast<unsigned>(id * 97 + round));
        const auto between = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
        return Four<std::int32_t>{between(-3, 8), between(-20, 20), 0, id};
    };
    std::vector<std::unique_ptr<Halo>> halos(ranks);
    std::vector<Held> held(ranks);
    for (std::int32_t id = 0; id < particles; ++id) {
        Held& first = held[static_cast<std::size_t>(id) * ranks / particles];
        first.cell.push_back(cell_at(id, 0));
        first.kind.push_back(kind_of_id(id));
        first.number.push_back(0.5 * id);
        first.work.push_back(2.0 * id);
        first.rate.push_back({});
    }

    const auto move_and_exchange = [&](Halo& halo, Held& mine, int round) {
        for (auto& cell : mine.cell) cell = cell_at(cell.w, round);
        std::vector<std::uint32_t> work;
        for (std::size_t i = 0; i < mine.cell.size(); ++i) work.push_back(halo.owns(i) ? 1 : 0);
        ASSERT_TRUE(halo.is_unbalanced(0));
        halo.decompose(mine.cell, work);
        std::vector<std::uint32_t> kept;
        const auto resized = [&](std::size_t count) {
            mine.resize(count);
            return mine.fields();
        };
        halo.redistribute(mine.cell, mine.fields(), resized, kept);
        mine.sort();
        halo.sorted(mine.cell, mine.kind);
        for (std::size_t i = 0; i < mine.cell.size(); ++i) {
            const auto id = static_cast<float>(mine.cell[i].w);
            mine.rate[i] = halo.owns(i) ? Four<float>{id, id + 1, id + 2, id + 3} : Four<float>{-1, -1, -1, -1};
        }
        halo.exchange(mine.fields(), {{4, 0, 8, true}, {4, 12, 4, false}});
    };
    // Of one rank, with those of the others at rest.
    const auto check = [&](std::size_t r, int round, std::uint64_t bytes) {
        const Held& mine = held[r];
        std::uint64_t copies = 0;
        std::uint64_t copies_of_fluid = 0;
        std::vector<bool> here(particles);
        for (std::size_t i = 0; i < mine.cell.size(); ++i) {
            const std::int32_t id = mine.cell[i].w;
            ASSERT_FALSE(here[static_cast<std::size_t>(id)]) << "twice";
            here[static_cast<std::size_t>(id)] = true;
            const bool own = halos[r]->owns(i);
            const bool fluid = kind_of_id(id) == Kind::fluid;
            EXPECT_EQ(mine.kind[i], kind_of_id(id));
            EXPECT_EQ(mine.number[i], 0.5 * id);
            EXPECT_TRUE(!own || mine.work[i] == 2.0 * id);
            EXPECT_EQ(mine.rate[i].x, own || fluid ? static_cast<float>(id) : -1.0F);
            EXPECT_EQ(mine.rate[i].z, own ? static_cast<float>(id + 2) : -1.0F) << "is not sent";
            EXPECT_EQ(mine.rate[i].w, static_cast<float>(id + 3));
            for (std::size_t other = 0; other < ranks; ++other) {
                const auto has_id = [id](const Four<std::int32_t>& cell) { return cell.w == id; };
                if (other == r || !own || !std::ranges::any_of(held[other].cell, has_id)) continue;
                ++copies;
                copies_of_fluid += fluid ? 1 : 0;
            }
        }
        EXPECT_EQ(bytes, 4 * copies + 8 * copies_of_fluid);
        // Each particle that an own one can meet is here.
        for (std::int32_t id = 0; id < particles; ++id) {
            const auto there = cell_at(id, round);
            const auto meets = [&](std::size_t i) {
                if (!halos[r]->owns(i)) return false;
                const int apart = std::abs(mine.cell[i].x - there.x);
                return std::min(apart, 12 - apart) <= reach && std::abs(mine.cell[i].y - there.y) <= reach;
            };
            const bool needed = std::ranges::any_of(std::views::iota(std::size_t{0}, mine.cell.size()), meets);
            EXPECT_TRUE(!needed || here[static_cast<std::size_t>(id)]) << "rank " << r << " lacks " << id;
        }
    };
    on_ranks(ranks, [&](Peers& peers) {
        const std::size_t r = peers.rank();
        halos[r] = std::make_unique<Halo>(peers, reach, periods, 2, Cuts{.at_random = true, .seed = 3});
        halos[r]->all_are_own(held[r].cell.size());
        for (int round = 1; round <= 6; ++round) {
            const std::uint64_t before = halos[r]->bytes_sent();
            move_and_exchange(*halos[r], held[r], round);
            static_cast<void>(peers.any(false));
            check(r, round, halos[r]->bytes_sent() - before);
            static_cast<void>(peers.any(false));
        }
    });
    std::vector<int> owners(particles);
    for (std::size_t r = 0; r < ranks; ++r) {
        for (std::size_t i = 0; i < held[r].cell.size(); ++i)
            owners[static_cast<std::size_t>(held[r].cell[i].w)] += halos[r]->owns(i) ? 1 : 0;
    }
    EXPECT_EQ(owners, std::vector<int>(particles, 1));
}

// A rank that takes three times as long for its work gets a third of the other's, and no cell more moves then.
TEST(Halo, SharesByThePowerOfRanks)
{
    const std::vector<double> powers{1, 3};
    std::vector<std::uint64_t> held(powers.size());
    on_ranks(powers.size(), [&](Peers& peers) {
        Halo halo(peers, reach, PeriodOfCells{}, 1, Cuts{});
        const auto own = [&] {
            std::vector<Four<std::int32_t>> cells;
            for (std::int32_t x = 0; x < 400; ++x) {
                if (halo.decomposition().owner({x, 0, 0, 0}) == peers.rank()) cells.push_back({x, 0, 0, x});
            }
            return cells;
        };
        const auto share_out = [&](const std::vector<Four<std::int32_t>>& cells) {
            halo.decompose(cells, std::vector<std::uint32_t>(cells.size(), 5));
        };
        const auto is_unbalanced = [&] {
            const auto work = 5 * own().size();
            return halo.is_unbalanced(work, static_cast<double>(work) / powers[peers.rank()]);
        };
        std::vector<Four<std::int32_t>> first;
        for (std::int32_t x = 0; x < 200; ++x)
            first.push_back({x + 200 * static_cast<std::int32_t>(peers.rank()), 0, 0, x});
        share_out(first);
        EXPECT_EQ(own().size(), 200U);
        EXPECT_TRUE(is_unbalanced());
        share_out(own());
        held[peers.rank()] = own().size();
        EXPECT_FALSE(is_unbalanced());
        // Without times, what is known of the powers stays.
        EXPECT_FALSE(halo.is_unbalanced(5 * own().size()));
    });
    EXPECT_EQ(held, (std::vector<std::uint64_t>{100, 300}));
}

}  // namespace
}  // namespace halfulp::test
