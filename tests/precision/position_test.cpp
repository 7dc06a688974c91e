// Cell + offset positions. Carry is exact, so its tolerance is zero; so is the antisymmetry of differences.
#include <gtest/gtest.h>

#include "precision/error_free.hpp"
#include "precision/exact_sum.hpp"
#include "precision/multiprecision.hpp"
#include "precision/position.hpp"
#include "tests/precision/reference.hpp"

namespace halfulp::test {
namespace {

template <class T>
class Position : public testing::Test {
};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(Position, Scalars);

TYPED_TEST(Position, CarryIsExactAndCentres)
{
    using T = TypeParam;
    Random random(31);
    int carried = 0;
    for (int k = 0; k < 200'000; ++k) {
        // Offsets up to 2 as between rebuilds, and far ones up to the limit.
        T offset = k % 2 == 0 ? static_cast<T>(random.uniform(-2, 2)) : random.number<T>(-40, 9);
        auto cell = static_cast<std::int32_t>(random.integer(-2'000'000'000, 2'000'000'000));
        const Quad before = Quad(cell) + Quad(offset);
        const std::int32_t old_cell = cell;
        ASSERT_TRUE(carry(cell, offset));
        ASSERT_EQ(Quad(cell) + Quad(offset), before);
        ASSERT_GE(offset, T(-0.5));
        ASSERT_LT(offset, T(0.5));
        carried += cell != old_cell;
    }
    EXPECT_GT(carried, 50'000);
}

TYPED_TEST(Position, BoundariesBelongToTheUpperCell)
{
    using T = TypeParam;
    const T below_half = std::nextafter(T(0.5), T(0));
    EXPECT_EQ(cells_to_carry(T(0.5)), 1);
    EXPECT_EQ(cells_to_carry(T(-0.5)), 0);
    EXPECT_EQ(cells_to_carry(below_half), 0);
    EXPECT_EQ(cells_to_carry(std::nextafter(T(-0.5), T(-1))), -1);
    EXPECT_EQ(cells_to_carry(T(1.5)), 2);
    EXPECT_EQ(cells_to_carry(T(-1.5)), -1);
    EXPECT_EQ(cells_to_carry(T(-0.0)), 0);
    // A carry leaves a centred offset alone, to the bit.
    for (T offset : {T(-0.5), -T(0), std::numeric_limits<T>::denorm_min(), below_half}) {
        const T before = offset;
        std::int32_t cell = 7;
        ASSERT_TRUE(carry(cell, offset));
        EXPECT_EQ(cell, 7);
        EXPECT_TRUE(same(offset, before));
    }
}

// Why offsets are centred: out of [0, 1) a small step to the left needs more digits than there are.
TYPED_TEST(Position, OffsetsFromZeroToOneCannotCarryExactly)
{
    using T = TypeParam;
    const T tiny_left = std::ldexp(T(-1), -60);
    const T from_zero = tiny_left + T(1);  // cell - 1, offset + 1, as [0, 1) would have it
    EXPECT_NE(Quad(-1) + Quad(from_zero), Quad(tiny_left));
    EXPECT_FALSE(from_zero < T(1)) << "and it even lies outside [0, 1)";

    std::int32_t cell = 0;
    T centred = tiny_left;
    ASSERT_TRUE(carry(cell, centred));
    EXPECT_EQ(Quad(cell) + Quad(centred), Quad(tiny_left));
}

template <class T>
void expect_refused(std::int32_t cell, T offset)
{
    const std::int32_t cell_before = cell;
    const T offset_before = offset;
    EXPECT_FALSE(carry(cell, offset));
    EXPECT_EQ(cell, cell_before);
    EXPECT_TRUE(same(offset, offset_before));
}

TYPED_TEST(Position, TheEdgeOfTheRangeIsRefusedAndNothingChanges)
{
    using T = TypeParam;
    constexpr std::int32_t last = std::numeric_limits<std::int32_t>::max();
    constexpr std::int32_t first = std::numeric_limits<std::int32_t>::min();
    expect_refused(last, T(0.5));
    expect_refused(first, T(-0.75));
    expect_refused(last - 3, T(3.5));
    expect_refused(0, T(1024));
    expect_refused(0, T(-1024));
    expect_refused(0, std::numeric_limits<T>::infinity());
    expect_refused(0, std::numeric_limits<T>::quiet_NaN());
    std::int32_t cell = last - 3;
    T offset = T(3.25);
    EXPECT_TRUE(carry(cell, offset));
    EXPECT_EQ(cell, last);
    EXPECT_EQ(offset, T(0.25));
    cell = first + 3;
    offset = T(-3.25);
    EXPECT_TRUE(carry(cell, offset));
    EXPECT_EQ(cell, first);
    EXPECT_EQ(offset, T(-0.25));
}

// Powers of two, so that cell * side + offset has no rounding.
TYPED_TEST(Position, CarryWithCellsOfAnySide)
{
    using T = TypeParam;
    Random random(35);
    for (const T side : {T(0.25), T(4)}) {
        for (int k = 0; k < 20'000; ++k) {
            T offset = static_cast<T>(random.uniform(-9, 9)) * side;
            const Quad before = Quad(offset) + 5 * Quad(side);
            std::int32_t cell = 5;
            ASSERT_TRUE(carry(cell, offset, side));
            ASSERT_EQ(cell * Quad(side) + Quad(offset), before);
            ASSERT_GE(offset, side * T(-0.5));
            ASSERT_LT(offset, side * T(0.5));
        }
        std::int32_t cell = 5;
        T far = 1024 * side;
        EXPECT_FALSE(carry(cell, far, side));
        far = 1000 * side;
        EXPECT_TRUE(carry(cell, far, side));
        EXPECT_EQ(cell, 1005);
    }
}

TEST(Locate, IsTheNearestCell)
{
    constexpr double last = std::numeric_limits<std::int32_t>::max();
    constexpr double first = std::numeric_limits<std::int32_t>::min();
    for (const double coordinate : {0.0, 0.49, -0.49, 123456.7, -123456.7, first, last - 1, last - 0.75}) {
        std::int32_t cell = 7;
        EXPECT_TRUE(locate(coordinate, cell)) << coordinate;
        EXPECT_EQ(cell, std::lround(coordinate));
    }
    for (const double coordinate : {last, last + 1, first - 1, 1e300, -1e300, std::nan("")}) {
        std::int32_t cell = 7;
        EXPECT_FALSE(locate(coordinate, cell)) << coordinate;
        EXPECT_EQ(cell, 7);
    }
}

TYPED_TEST(Position, DifferencesAreAntisymmetricToTheBit)
{
    using T = TypeParam;
    Random random(32);
    int other_order_differs = 0;
    for (int k = 0; k < 1'000'000; ++k) {
        // Offsets out of their cell by a skin, in cells up to 3 apart. A result of zero has no sign to exchange.
        const T a = static_cast<T>(random.uniform(-0.6, 0.6));
        const T b = static_cast<T>(random.uniform(-0.6, 0.6));
        const T cells = static_cast<T>(random.integer(-3, 3));
        const T ab = position_difference(a, b, cells);
        const T ba = position_difference(b, a, -cells);
        ASSERT_TRUE(same(ab, -ba) || (ab == 0 && ba == 0)) << a << ' ' << b << ' ' << cells;
        const T other_ab = (a + cells) - b;
        const T other_ba = (b - cells) - a;
        other_order_differs += other_ab != -other_ba;
    }
    EXPECT_GT(other_order_differs, 100'000) << "(a + d) - b is not antisymmetric; otherwise this test shows nothing";
}

// Two roundings at most: of a - b (up to 1.2) and of the sum (up to 4.2), half an ulp each.
TYPED_TEST(Position, DifferencesAreAccurate)
{
    using T = TypeParam;
    Random random(33);
    const Quad bound = Quad(unit_roundoff<T>) * (2 + 8) / 2;
    for (int k = 0; k < 100'000; ++k) {
        const T a = static_cast<T>(random.uniform(-0.6, 0.6));
        const T b = static_cast<T>(random.uniform(-0.6, 0.6));
        const int cells = random.integer(-3, 3);
        const Quad exact = Quad(a) - Quad(b) + cells;
        ASSERT_LE(abs(Quad(position_difference(a, b, static_cast<T>(cells))) - exact), bound);
    }
}

// One particle, 10^7 steps of all sizes, carried at random times. What each addition rounds away is booked exactly, so
// that cell + offset + booked = sum of the steps must hold without any tolerance: only an inexact carry can break it.
TYPED_TEST(Position, ARandomWalkLosesNothingInItsCarries)
{
    using T = TypeParam;
    Random random(34);
    std::int32_t cell = 0;
    T offset = 0;
    ExactSum walked;
    ExactSum booked;
    int carried = 0;
    for (int k = 1; k <= 10'000'000; ++k) {
        const std::uint64_t bits = random.bits();
        const int exponent = -1 - static_cast<int>((bits >> 8U) % 40);
        const T step =
            std::ldexp(static_cast<T>(static_cast<std::int32_t>(bits >> 32U)) * T(0x1p-31), exponent) + T(0x1p-12);
        const WithError<T> moved = two_sum(offset, step);
        offset = moved.value;
        walked.add(step);
        booked.add(moved.error);
        if (bits % 8 == 0 || std::abs(offset) > T(1.5)) {
            const std::int32_t before = cell;
            ASSERT_TRUE(carry(cell, offset));
            carried += cell != before;
        }
        if (k % 1'000'000 == 0) {
            ExactSum held = booked;
            held.add(cell);
            held.add(offset);
            ASSERT_TRUE(held == walked) << "after " << k << " steps, in cell " << cell;
        }
    }
    EXPECT_GT(carried, 1000);
    EXPECT_GT(cell, 1000) << "the drift of 2^-12 a step leads some 2441 cells away";
}

}  // namespace
}  // namespace halfulp::test
