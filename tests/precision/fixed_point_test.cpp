// The fixed-point state against 64-bit integers: what it holds, what it adds, and that it can be taken away again.
#include <gtest/gtest.h>

#include <array>

#include "precision/fixed_point.hpp"
#include "tests/precision/reference.hpp"

namespace halfulp::test {
namespace {

constexpr double quantum = FixedPointUpdate::quantum;

struct Number {
    float value = 0;
    float residual = 0;

    // As a whole number of quanta; both parts are multiples of it, so the division is exact.
    [[nodiscard]] std::int64_t quanta() const
    {
        return static_cast<std::int64_t>(double(value) / quantum) +
               static_cast<std::int64_t>(double(residual) / quantum);
    }
    bool operator==(const Number& other) const
    {
        return bits_of(value) == bits_of(other.value) && bits_of(residual) == bits_of(other.residual);
    }
};

Number number_of(std::int64_t quanta)
{
    // The nearest float and the rest, by way of 80-bit numbers, which hold every 64-bit integer.
    const long double exact = static_cast<long double>(quanta) * quantum;
    const auto value = static_cast<float>(exact);
    return {value, static_cast<float>(exact - value)};
}

// Sizes from a few quanta to nearly 8.
std::int64_t random_quanta(Random& random)
{
    const int bits = random.integer(2, 48);
    const auto size = static_cast<std::int64_t>(random.bits() >> (64 - bits));
    return random.integer(0, 1) == 0 ? size : -size;
}

TEST(FixedPoint, HoldsEveryMultipleBelowEightInOneWay)
{
    Random random(201);
    for (int k = 0; k < 100'000; ++k) {
        const std::int64_t quanta = random_quanta(random);
        Number number = number_of(quanta);
        ASSERT_EQ(number.quanta(), quanta);
        FixedPointUpdate::settle(number.value, number.residual);
        ASSERT_EQ(number, number_of(quanta));
    }
    // What lies between goes to the nearest multiple.
    Number between{static_cast<float>(0.75 * quantum), 0};
    FixedPointUpdate::settle(between.value, between.residual);
    EXPECT_EQ(between.quanta(), 1);
    between = {0.3F, static_cast<float>(-2.3 * quantum)};
    const std::int64_t before = Number{0.3F, 0}.quanta();
    FixedPointUpdate::settle(between.value, between.residual);
    EXPECT_EQ(between.quanta(), before - 2);
}

TEST(FixedPoint, AddsTheNearestMultipleAndTakesItAwayAgain)
{
    Random random(202);
    int changed = 0;
    for (int k = 0; k < 100'000; ++k) {
        const Number start = number_of(random_quanta(random) / 2);
        const float rate = random.number<float>(-20, 3);
        const auto rest = static_cast<float>(double(rate) * random.uniform(-3e-8, 3e-8));
        const auto interval = static_cast<float>(random.uniform(0.001, 0.1));
        Number now = start;
        FixedPointUpdate::advance(now.value, now.residual, rate, rest, interval);
        // The exact product to the nearest whole number of quanta; double's own rounding of it is far smaller.
        const long double product = (static_cast<long double>(rate) + rest) * interval / quantum;
        ASSERT_LE(std::fabs(static_cast<long double>(now.quanta() - start.quanta()) - product),
                  0.5L + std::fabs(product) * 0x1p-52L);
        ASSERT_EQ(now, number_of(now.quanta()));
        changed += now == start ? 0 : 1;
        FixedPointUpdate::advance(now.value, now.residual, rate, rest, -interval);
        ASSERT_EQ(now, start);
    }
    EXPECT_GT(changed, 90'000);
}

// A long walk, back along the same steps in the other order.
TEST(FixedPoint, ReturnsFromALongWalk)
{
    Random random(203);
    std::vector<float> rates(10'000);
    for (float& rate : rates) rate = static_cast<float>(random.uniform(-1, 1));
    Number start{0.123456F, 0};
    FixedPointUpdate::settle(start.value, start.residual);
    Number now = start;
    for (const float rate : rates) FixedPointUpdate::advance(now.value, now.residual, rate, 0.0F, 0.01F);
    EXPECT_FALSE(now == start);
    for (auto rate = rates.rbegin(); rate != rates.rend(); ++rate)
        FixedPointUpdate::advance(now.value, now.residual, *rate, 0.0F, -0.01F);
    EXPECT_EQ(now, start);
}

// Wherever a position is written down from, it ends in one cell with one offset; also within half an ulp of a face,
// where the rounded offset does not tell.
TEST(FixedPoint, CarryForgetsTheCellThatItCameFrom)
{
    Random random(204);
    for (int k = 0; k < 100'000; ++k) {
        const std::int64_t one = std::int64_t{1} << 46;
        std::int64_t quanta = random_quanta(random) % one;
        if (k % 2 == 0) quanta = (random.integer(0, 1) == 0 ? one / 2 : -one / 2) + random.integer(-(1 << 23), 1 << 23);
        std::array<std::int32_t, 2> cell{17, 0};
        std::array<Number, 2> offset{number_of(quanta), {}};
        const int shift = random.integer(-1, 1);
        cell[1] = cell[0] + shift;
        offset[1] = number_of(quanta - shift * one);
        for (std::size_t i = 0; i < 2; ++i) {
            ASSERT_TRUE(FixedPointUpdate::carry(cell[i], offset[i].value, offset[i].residual, 1.0F));
            ASSERT_GE(offset[i].quanta(), -one / 2);
            ASSERT_LT(offset[i].quanta(), one / 2);
            ASSERT_EQ((cell[i] - 17) * one + offset[i].quanta(), quanta);
        }
        ASSERT_EQ(cell[0], cell[1]);
        ASSERT_EQ(offset[0], offset[1]);
    }
}

// A face belongs to the upper cell.
TEST(FixedPoint, CarryOfOffsetsOnAFace)
{
    for (const auto& [from, cell_after, offset_after] :
         {std::array{0.5F, 4.0F, -0.5F}, {-0.5F, 3.0F, -0.5F}, {1.5F, 5.0F, -0.5F}, {-1.5F, 2.0F, -0.5F}}) {
        std::int32_t cell = 3;
        float offset = from;
        float residual = 0;
        EXPECT_TRUE(FixedPointUpdate::carry(cell, offset, residual, 1.0F));
        EXPECT_EQ(static_cast<float>(cell), cell_after) << from;
        EXPECT_EQ(offset, offset_after) << from;
        EXPECT_EQ(residual, 0.0F);
    }
}

TEST(FixedPoint, CarryRefusesWhatHasNoCell)
{
    for (const float wrong : {8.0F, 8.05F, 9.0F, -8.0F, -9.0F, std::numeric_limits<float>::infinity(), std::nanf("")}) {
        std::int32_t cell = 3;
        float offset = wrong;
        float residual = 0;
        EXPECT_FALSE(FixedPointUpdate::carry(cell, offset, residual, 1.0F)) << wrong;
        EXPECT_EQ(cell, 3);
    }
    constexpr std::int32_t last = std::numeric_limits<std::int32_t>::max();
    constexpr std::int32_t first = std::numeric_limits<std::int32_t>::min();
    for (const int side : {1, -1}) {
        std::int32_t cell = side > 0 ? last : first;
        float offset = 0.75F * static_cast<float>(side);
        float residual = 0;
        EXPECT_FALSE(FixedPointUpdate::carry(cell, offset, residual, 1.0F));
        EXPECT_EQ(offset, 0.75F * static_cast<float>(side));
        cell -= side;  // the last cell itself can be reached
        EXPECT_TRUE(FixedPointUpdate::carry(cell, offset, residual, 1.0F));
        EXPECT_EQ(cell, side > 0 ? last : first);
        EXPECT_EQ(offset, -0.25F * static_cast<float>(side));
    }
}

}  // namespace
}  // namespace halfulp::test
