// The clock is exact: its reference is an integer count of 2^-53 time units, and the tolerance is zero.
#include <gtest/gtest.h>

#include "precision/clock.hpp"
#include "tests/precision/reference.hpp"

namespace halfulp::test {
namespace {

// 10^7 float steps in [2^-30, 2^-11): multiples of 2^-53 whose sum, near 400, fits 63 bits but not a double's 53.
TEST(Clock, ReadsTheExactSumOfItsSteps)
{
    Random random(61);
    Clock clock;
    std::int64_t ticks = 0;
    double plain = 0;
    float plain_float = 0;
    constexpr std::uint64_t steps = 10'000'000;
    for (std::uint64_t k = 1; k <= steps; ++k) {
        const float step = std::abs(random.number<float>(-30, -12));
        clock.advance(step);
        ticks += static_cast<std::int64_t>(std::ldexp(static_cast<double>(step), 53));
        plain += step;
        plain_float += step;
        if (k % 1'000'000 == 0) {
            // Converting the integer rounds once, to nearest even: what reading the clock must do.
            ASSERT_EQ(bits_of(clock.time()), bits_of(std::ldexp(static_cast<double>(ticks), -53))) << k;
            ASSERT_EQ(clock.steps(), k);
        }
    }
    EXPECT_NE(plain, clock.time()) << "a sum in double would have passed too";
    EXPECT_GT(std::abs(plain_float - clock.time()), 1e-3);
}

TEST(Clock, StartsAtZeroAndCountsAStepOfZero)
{
    Clock clock;
    EXPECT_EQ(clock.time(), 0.0);
    EXPECT_EQ(clock.steps(), 0U);
    clock.advance(0.0);
    EXPECT_EQ(clock.steps(), 1U);
    clock.advance(0.25);
    EXPECT_EQ(clock.time(), 0.25);
}

}  // namespace
}  // namespace halfulp::test
