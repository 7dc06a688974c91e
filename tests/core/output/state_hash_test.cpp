#include "core/results/state_hash.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <utility>
#include <vector>

namespace halfulp {
namespace {

using State = std::array<std::uint32_t, 10>;

ParticleDigest::Words digest(const State& state)
{
    ParticleDigest result;
    for (const std::uint32_t word : state) result.absorb(word);
    return result.finish();
}

State random_state(std::mt19937_64& random)
{
    State state;
    for (std::uint32_t& word : state) word = static_cast<std::uint32_t>(random());
    return state;
}

TEST(StateHash, HasThirtyTwoDigits)
{
    StateHash hash;
    hash.words = {0x1u, 0xabcdef0123456789u};
    EXPECT_EQ(hash.text(), "0000000000000001abcdef0123456789");
}

// The digest is part of the file format: a change makes old and new hashes disagree. The value was computed apart, in
// Python.
TEST(ParticleDigest, KeepsItsValue)
{
    const ParticleDigest::Words words = digest({1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
    EXPECT_EQ((StateHash{{words.first, words.second}}.text()), "f76247b34884a180390a0241a10137e3");
}

// Over random states, each of the 320 input bits flips each of the 128 output bits about every second time.
TEST(ParticleDigest, SpreadsEveryBit)
{
    constexpr int trials = 4000;
    std::mt19937_64 random(1);
    for (std::size_t bit = 0; bit < 320; ++bit) {
        std::array<int, 128> flips{};
        for (int trial = 0; trial < trials; ++trial) {
            State state = random_state(random);
            const ParticleDigest::Words before = digest(state);
            state[bit / 32] ^= 1u << (bit % 32);
            const ParticleDigest::Words after = digest(state);
            const std::array changed{before.first ^ after.first, before.second ^ after.second};
            for (std::size_t out = 0; out < 128; ++out) flips[out] += (changed[out / 64] >> (out % 64)) & 1;
        }
        // A fair coin strays from half by 6 standard deviations once in 5e8 draws; there are 41,000.
        const double bound = 6 * std::sqrt(0.25 * trials);
        for (const int count : flips) ASSERT_NEAR(count, trials / 2, bound) << "input bit " << bit;
    }
}

TEST(ParticleDigest, TellsLengthsApart)
{
    ParticleDigest one;
    one.absorb(0);
    ParticleDigest two = one;
    two.absorb(0);
    EXPECT_NE(one.finish().first, two.finish().first);
    EXPECT_NE(one.finish().second, two.finish().second);
    EXPECT_NE(ParticleDigest{}.finish().first, one.finish().first);
}

TEST(ParticleDigest, SumDoesNotDependOnOrder)
{
    std::mt19937_64 random(2);
    std::vector<State> states(1000);
    for (State& state : states) state = random_state(random);
    StateHash forward;
    for (const State& state : states) add(forward, digest(state));
    std::shuffle(states.begin(), states.end(), random);
    StateHash first_half;
    StateHash second_half;
    for (std::size_t i = 0; i < states.size(); ++i) add(i < 500 ? first_half : second_half, digest(states[i]));
    add(second_half, first_half);
    EXPECT_EQ(forward, second_half);
}

// One wrong bit in one of many particles always changes both words of the sum.
TEST(ParticleDigest, MillionSingleBitVariantsDoNotCollide)
{
    constexpr std::size_t variants = 1'000'000;
    std::mt19937_64 random(3);
    std::vector<std::uint64_t> first;
    std::vector<std::uint64_t> second;
    first.reserve(variants);
    second.reserve(variants);
    // 320 variants of each of 3125 random states.
    State state = random_state(random);
    while (first.size() < variants) {
        for (std::size_t bit = 0; bit < 320; ++bit) {
            State variant = state;
            variant[bit / 32] ^= 1u << (bit % 32);
            const ParticleDigest::Words words = digest(variant);
            first.push_back(words.first);
            second.push_back(words.second);
        }
        state = random_state(random);
    }
    for (std::vector<std::uint64_t>* words : {&first, &second}) {
        std::sort(words->begin(), words->end());
        EXPECT_EQ(std::adjacent_find(words->begin(), words->end()), words->end());
    }
}

// Two particles that swap states are seen, since the id is absorbed first.
TEST(ParticleDigest, SeesASwap)
{
    State a{0, 11, 12, 13};
    State b{1, 21, 22, 23};
    StateHash before;
    add(before, digest(a));
    add(before, digest(b));
    std::swap(a[0], b[0]);
    StateHash after;
    add(after, digest(a));
    add(after, digest(b));
    EXPECT_NE(before, after);
}

}  // namespace
}  // namespace halfulp
