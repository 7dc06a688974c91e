// SIMD vectors: every lane must have the scalar's bits, whatever the width and whatever the other lanes hold.
#include <gtest/gtest.h>

#include "precision/simd.hpp"
#include "tests/precision/reference.hpp"

namespace halfulp::test {
namespace {

template <class S>
class SimdOperations : public testing::Test {
public:
    using T = Lane<S>;
    static constexpr int lanes = LaneOf<S>::lanes;

    // Calls check(a, b) for every pair of hostile values, each in every lane, with other hostile values beside it.
    template <class Check>
    static void for_hostile_pairs(Check check)
    {
        const std::vector<T> values = hostile_values<T>();
        const std::size_t count = values.size();
        for (std::size_t start = 0; start < count * count; ++start) {
            S a, b;
            for (int lane = 0; lane < lanes; ++lane) {
                const std::size_t k = (start + static_cast<std::size_t>(lane)) % (count * count);
                a.set(lane, values[k % count]);
                b.set(lane, values[k / count]);
            }
            check(a, b);
        }
    }
};

using Vectors =
    testing::Types<Simd<float, 4>, Simd<float, 8>, Simd<float, 16>, Simd<double, 2>, Simd<double, 4>, Simd<double, 8>>;
TYPED_TEST_SUITE(SimdOperations, Vectors);

TYPED_TEST(SimdOperations, ABroadcastKeepsTheBits)
{
    using T = typename TestFixture::T;
    for (const T value : hostile_values<T>()) {
        const TypeParam vector(value);
        for (int lane = 0; lane < TestFixture::lanes; ++lane) EXPECT_TRUE(same(vector[lane], value)) << value;
    }
}

TYPED_TEST(SimdOperations, ArithmeticEqualsTheScalar)
{
    TestFixture::for_hostile_pairs([](TypeParam a, TypeParam b) {
        const TypeParam sum = a + b, difference = a - b, product = a * b, quotient = a / b, negative = -a;
        const TypeParam large = larger(a, b), small = smaller(a, b), size = magnitude(a), root = square_root(a);
        TypeParam added = a, subtracted = a, multiplied = a;
        added += b;
        subtracted -= b;
        multiplied *= b;
        for (int lane = 0; lane < TestFixture::lanes; ++lane) {
            const auto x = a[lane], y = b[lane];
            ASSERT_TRUE(same(sum[lane], x + y) && same(added[lane], x + y)) << x << ' ' << y;
            ASSERT_TRUE(same(difference[lane], x - y) && same(subtracted[lane], x - y)) << x << ' ' << y;
            ASSERT_TRUE(same(product[lane], x * y) && same(multiplied[lane], x * y)) << x << ' ' << y;
            ASSERT_TRUE(same(quotient[lane], x / y)) << x << ' ' << y;
            ASSERT_TRUE(same(negative[lane], -x)) << x;
            // As real.hpp says: the first where they compare equal or the second is NaN.
            ASSERT_TRUE(same(large[lane], y > x ? y : x) && same(larger(x, y), y > x ? y : x)) << x << ' ' << y;
            ASSERT_TRUE(same(small[lane], y < x ? y : x) && same(smaller(x, y), y < x ? y : x)) << x << ' ' << y;
            ASSERT_TRUE(same(size[lane], std::fabs(x)) && same(magnitude(x), std::fabs(x))) << x;
            ASSERT_TRUE(same(root[lane], std::sqrt(x)) && same(square_root(x), std::sqrt(x))) << x;
        }
    });
}

TYPED_TEST(SimdOperations, FusedMultiplyAddEqualsTheLibrary)
{
    using T = typename TestFixture::T;
    std::vector<T> addends = hostile_values<T>();
    TestFixture::for_hostile_pairs([&](TypeParam a, TypeParam b) {
        for (const T addend : addends) {
            const TypeParam result = fma(a, b, TypeParam(addend));
            for (int lane = 0; lane < TestFixture::lanes; ++lane) {
                const T expected = std::fma(a[lane], b[lane], addend);
                ASSERT_TRUE(same(result[lane], expected) && same(fma(a[lane], b[lane], addend), expected));
            }
        }
    });
}

// (1 + e)(1 - e) - 1 = -e^2 with one rounding, 0 with two.
TYPED_TEST(SimdOperations, FusedMultiplyAddRoundsOnce)
{
    using T = typename TestFixture::T;
    const T e = std::numeric_limits<T>::epsilon();
    const TypeParam result = fma(TypeParam(1 + e), TypeParam(1 - e), TypeParam(T(-1)));
    for (int lane = 0; lane < TestFixture::lanes; ++lane) EXPECT_EQ(result[lane], -e * e);
    EXPECT_EQ(fma(1 + e, 1 - e, T(-1)), -e * e);
}

TYPED_TEST(SimdOperations, ComparisonsAndSelectionEqualTheScalar)
{
    using T = typename TestFixture::T;
    TestFixture::for_hostile_pairs([](TypeParam a, TypeParam b) {
        const TypeParam yes(T(3)), no(T(-5));
        const TypeParam less = select(a < b, yes, no), greater = select(a > b, yes, no);
        const TypeParam at_most = select(a <= b, yes, no), at_least = select(a >= b, yes, no);
        const TypeParam both = select((a < b) & (a < TypeParam(T(0))), yes, no);
        const TypeParam either = select((a < b) | (a < TypeParam(T(0))), yes, no);
        const TypeParam kept = select(a < b, a, b);
        for (int lane = 0; lane < TestFixture::lanes; ++lane) {
            const T x = a[lane], y = b[lane];
            ASSERT_EQ(less[lane], x < y ? T(3) : T(-5)) << x << ' ' << y;
            ASSERT_EQ(greater[lane], x > y ? T(3) : T(-5)) << x << ' ' << y;
            ASSERT_EQ(at_most[lane], x <= y ? T(3) : T(-5)) << x << ' ' << y;
            ASSERT_EQ(at_least[lane], x >= y ? T(3) : T(-5)) << x << ' ' << y;
            ASSERT_EQ(both[lane], x < y && x < 0 ? T(3) : T(-5)) << x << ' ' << y;
            ASSERT_EQ(either[lane], x < y || x < 0 ? T(3) : T(-5)) << x << ' ' << y;
            ASSERT_TRUE(same(kept[lane], x < y ? x : y) && same(select(x < y, x, y), x < y ? x : y)) << x << ' ' << y;
        }
    });
}

// Written as literals: NaN is in no order with anything, and signed zeros are equal.
TYPED_TEST(SimdOperations, NothingComparesWithNan)
{
    using T = typename TestFixture::T;
    constexpr int lanes = TestFixture::lanes;
    const TypeParam nan(std::numeric_limits<T>::quiet_NaN()), one(T(1)), zero(T(0)), minus_zero(-T(0));
    EXPECT_EQ(bits_from_mask(nan < one), 0U);
    EXPECT_EQ(bits_from_mask(nan > one), 0U);
    EXPECT_EQ(bits_from_mask(nan <= nan), 0U);
    EXPECT_EQ(bits_from_mask(nan >= nan), 0U);
    EXPECT_EQ(bits_from_mask(minus_zero < zero), 0U);
    EXPECT_EQ(bits_from_mask(minus_zero >= zero), (1U << lanes) - 1);
    // larger and smaller return their first argument where the second is NaN.
    for (int lane = 0; lane < lanes; ++lane) {
        EXPECT_EQ(larger(one, nan)[lane], T(1));
        EXPECT_EQ(smaller(one, nan)[lane], T(1));
        EXPECT_TRUE(std::isnan(larger(nan, one)[lane]));
    }
}

// All patterns of up to 16 lanes; bit k must be lane k.
TYPED_TEST(SimdOperations, MasksAndBitsRoundTrip)
{
    using T = typename TestFixture::T;
    constexpr int lanes = TestFixture::lanes;
    const TypeParam yes(T(1)), no(T(0));
    for (unsigned bits = 0; bits < (1U << lanes); ++bits) {
        const auto mask = mask_from_bits<T, lanes>(bits);
        ASSERT_EQ(bits_from_mask(mask), bits);
        const TypeParam chosen = select(mask, yes, no);
        for (int lane = 0; lane < lanes; ++lane) ASSERT_EQ(chosen[lane], static_cast<T>((bits >> lane) & 1U));
        ASSERT_EQ(bits_from_mask(chosen > no), bits);
    }
    EXPECT_EQ(bits_from_mask(mask_from_bits<T, lanes>(~0U)), (1U << lanes) - 1)
        << "bits beyond the lanes have no effect";
}

TYPED_TEST(SimdOperations, LanesAreKeptAndChosenByTheirBits)
{
    using T = typename TestFixture::T;
    constexpr int lanes = TestFixture::lanes;
    TypeParam a, b;
    for (int lane = 0; lane < lanes; ++lane) a.set(lane, T(lane + 1)), b.set(lane, -T(lane + 1));
    for (unsigned bits = 0; bits < (1U << lanes); ++bits) {
        const TypeParam kept = keep_lanes<T, lanes>(bits, a);
        const TypeParam chosen = choose_lanes<T, lanes>(bits, a, b);
        for (int lane = 0; lane < lanes; ++lane) {
            const bool set = ((bits >> lane) & 1U) != 0;
            ASSERT_TRUE(same(kept[lane], set ? T(lane + 1) : T(0)));
            ASSERT_EQ(chosen[lane], set ? T(lane + 1) : -T(lane + 1));
        }
    }
}

TYPED_TEST(SimdOperations, PowersOfTwo)
{
    using T = typename TestFixture::T;
    constexpr int lanes = TestFixture::lanes;
    for (int k = std::numeric_limits<T>::min_exponent - 1; k + lanes <= std::numeric_limits<T>::max_exponent; ++k) {
        TypeParam exponent;
        for (int lane = 0; lane < lanes; ++lane) exponent.set(lane, T(k + lane));
        const TypeParam power = power_of_two(exponent);
        for (int lane = 0; lane < lanes; ++lane) ASSERT_EQ(power[lane], std::ldexp(T(1), k + lane)) << k;
    }
}

TEST(SimdOrScalarType, IsTheScalarAtWidthOne)
{
    static_assert(std::is_same_v<SimdOrScalar<float, 1>, float>);
    static_assert(std::is_same_v<SimdOrScalar<float, 8>, Simd<float, 8>>);
    static_assert(LaneOf<Simd<double, 4>>::lanes == 4 && LaneOf<double>::lanes == 1);
    static_assert(std::is_same_v<Lane<Simd<double, 4>>, double>);
}

}  // namespace
}  // namespace halfulp::test
