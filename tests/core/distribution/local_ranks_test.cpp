// Collective operations of ranks that are threads, and what happens when one of them fails.
#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "tests/core/distribution/on_ranks.hpp"

namespace halfulp::test {
namespace {

TEST(LocalRanks, MaximumSumAndMessages)
{
    constexpr std::size_t count = 5;
    on_ranks(count, [count](Peers& peers) {
        const std::size_t r = peers.rank();
        ASSERT_EQ(peers.ranks(), count);
        for (int round = 0; round < 50; ++round) {
            std::array values{-static_cast<double>(r) - 1, r == 3 ? 1e300 : 0};
            peers.maximum(values);
            EXPECT_EQ(values, (std::array{-1.0, 1e300}));
            std::array words{std::uint64_t{r}, ~std::uint64_t{0}};
            peers.sum(words);
            EXPECT_EQ(words[0], 10U);
            EXPECT_EQ(words[1], -count) << "modulo 2^64";
            EXPECT_EQ(peers.any(r == 4), true);
            EXPECT_EQ(peers.any(false), false);
            std::vector<Bytes> to(count);
            std::vector<Bytes> from;
            for (std::size_t other = 0; other < count; ++other)
                to[other].assign(r * other, static_cast<std::byte>(10 * r + other));
            peers.exchange(to, from);
            for (std::size_t other = 0; other < count; ++other) {
                if (other == r) continue;
                EXPECT_EQ(from[other], Bytes(r * other, static_cast<std::byte>(10 * other + r)));
            }
            Bytes news = r == 0 ? Bytes(7, static_cast<std::byte>(round)) : Bytes{};
            peers.broadcast(news);
            EXPECT_EQ(news, Bytes(7, static_cast<std::byte>(round)));
            const std::vector<Bytes> all = peers.gather(Bytes(r + 1, static_cast<std::byte>(r)));
            for (std::size_t other = 0; r == 0 && other < count; ++other)
                EXPECT_EQ(all[other], Bytes(other + 1, static_cast<std::byte>(other)));
        }
    });
}

// What was brought to one operation is not read in another, whoever is late.
TEST(LocalRanks, OperationsFollowEachOther)
{
    constexpr std::size_t count = 3;
    on_ranks(count, [](Peers& peers) {
        const std::size_t r = peers.rank();
        for (int round = 0; round < 3000; ++round) {
            if (round % 97 == static_cast<int>(r)) std::this_thread::sleep_for(std::chrono::microseconds(50));
            std::vector<double> values(1 + static_cast<std::size_t>(round) % 7, round + 0.25 * static_cast<double>(r));
            peers.maximum(values);
            ASSERT_EQ(values, std::vector<double>(values.size(), round + 0.5));
            for (int more = 0; more < round % 3; ++more) {
                std::array words{static_cast<std::uint64_t>(round + more) * (r + 1)};
                peers.sum(words);
                ASSERT_EQ(words[0], 6 * static_cast<std::uint64_t>(round + more));
            }
        }
    });
}

// Those that wait for the failed one come back, and no later meeting waits for it.
TEST(LocalRanks, AFailureEndsAllOfThem)
{
    LocalRanks others(4, [](Peers& peers) {
        if (peers.rank() == 2) throw std::runtime_error("no memory");
        peers.any(false);
        ADD_FAILURE() << "rank " << peers.rank() << " went on without rank 2";
    });
    EXPECT_THROW(others.first().any(false), OtherRankFailed);
    EXPECT_THROW(others.first().any(false), OtherRankFailed);
    EXPECT_THROW(others.rethrow(), std::runtime_error);
}

TEST(LocalRanks, EndWithTheFirst)
{
    LocalRanks others(3, [](Peers& peers) {
        peers.any(false);
        ADD_FAILURE() << "rank 0 never came";
    });
}

TEST(Messages, ComeOutAsTheyWentIn)
{
    Bytes message;
    write(message, 1.5);
    write(message, std::vector<std::int16_t>{1, -2, 3});
    write(message, std::vector<double>{});
    write(message, 'x');
    MessageReader reader(message);
    EXPECT_EQ(reader.take<double>(), 1.5);
    std::vector<std::int16_t> three;
    reader.read(three);
    EXPECT_EQ(three, (std::vector<std::int16_t>{1, -2, 3}));
    std::vector<double> none{1};
    reader.read(none);
    EXPECT_TRUE(none.empty());
    EXPECT_EQ(reader.take<char>(), 'x');
}

}  // namespace
}  // namespace halfulp::test
