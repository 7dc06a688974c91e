// Error-free transforms: value + error must equal the exact result, so the tolerance is zero throughout.
#include <gtest/gtest.h>

#include "precision/error_free.hpp"
#include "precision/simd.hpp"
#include "tests/precision/reference.hpp"

namespace halfulp::test {
namespace {

constexpr int repetitions = 50'000;

// Exponents at most 160 apart: the exact sum of two doubles then has at most 214 bits, and fits Wide.
template <class T>
struct Pair {
    T a, b;
};

template <class T>
Pair<T> random_pair(Random& random)
{
    const int limit = sizeof(T) == 4 ? 60 : 80;
    return {random.number<T>(-limit, limit), random.number<T>(-limit, limit)};
}

template <class T>
class ErrorFreeScalar : public testing::Test {
};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(ErrorFreeScalar, Scalars);

TYPED_TEST(ErrorFreeScalar, TwoSumIsExact)
{
    using T = TypeParam;
    Random random(1);
    int inexact = 0;
    for (int k = 0; k < repetitions; ++k) {
        const auto [a, b] = random_pair<T>(random);
        const WithError<T> s = two_sum(a, b);
        ASSERT_EQ(s.value, a + b);
        ASSERT_EQ(Wide(s.value) + Wide(s.error), Wide(a) + Wide(b)) << a << " + " << b;
        inexact += s.error != 0;
    }
    EXPECT_GT(inexact, repetitions / 2) << "the pairs must round, or an error of zero would pass";
}

TYPED_TEST(ErrorFreeScalar, FastTwoSumIsExactForOrderedOperands)
{
    using T = TypeParam;
    Random random(2);
    for (int k = 0; k < repetitions; ++k) {
        auto [a, b] = random_pair<T>(random);
        if (std::abs(a) < std::abs(b)) std::swap(a, b);
        const WithError<T> s = fast_two_sum(a, b);
        ASSERT_EQ(s.value, a + b);
        ASSERT_EQ(Wide(s.value) + Wide(s.error), Wide(a) + Wide(b)) << a << " + " << b;
    }
    const WithError<T> from_zero = fast_two_sum(T(0), T(3));
    EXPECT_EQ(from_zero.value, T(3));
    EXPECT_EQ(from_zero.error, T(0));
}

TYPED_TEST(ErrorFreeScalar, TwoProdIsExact)
{
    using T = TypeParam;
    Random random(3);
    int inexact = 0;
    for (int k = 0; k < repetitions; ++k) {
        // Exponents for which neither the product nor its error, 2 * 53 bits below, leaves the normal range.
        const int limit = sizeof(T) == 4 ? 30 : 80;
        const T a = random.number<T>(-limit, limit);
        const T b = random.number<T>(-limit, limit);
        const WithError<T> p = two_prod(a, b);
        ASSERT_EQ(p.value, a * b);
        ASSERT_EQ(Wide(p.value) + Wide(p.error), Wide(a) * Wide(b)) << a << " * " << b;
        inexact += p.error != 0;
    }
    EXPECT_GT(inexact, repetitions / 2);
}

template <class S>
class ErrorFreeSimd : public testing::Test {
};
using SimdTypes = testing::Types<Simd<float, 4>, Simd<float, 8>, Simd<float, 16>, Simd<double, 4>, Simd<double, 8>>;
TYPED_TEST_SUITE(ErrorFreeSimd, SimdTypes);

// Every lane has the scalar's bits, and by the tests above the scalar is exact.
TYPED_TEST(ErrorFreeSimd, EveryLaneEqualsTheScalar)
{
    using S = TypeParam;
    using T = Lane<S>;
    constexpr int lanes = LaneOf<S>::lanes;
    Random random(4);
    for (int k = 0; k < repetitions / lanes; ++k) {
        S a, b, large, small;
        for (int lane = 0; lane < lanes; ++lane) {
            const auto [x, y] = random_pair<T>(random);
            a.set(lane, x);
            b.set(lane, y);
            large.set(lane, std::abs(x) < std::abs(y) ? y : x);
            small.set(lane, std::abs(x) < std::abs(y) ? x : y);
        }
        const WithError<S> sum = two_sum(a, b);
        const WithError<S> fast = fast_two_sum(large, small);
        const WithError<S> product = two_prod(a, b);
        for (int lane = 0; lane < lanes; ++lane) {
            const WithError<T> s = two_sum(a[lane], b[lane]);
            const WithError<T> f = fast_two_sum(large[lane], small[lane]);
            const WithError<T> p = two_prod(a[lane], b[lane]);
            ASSERT_TRUE(same(sum.value[lane], s.value) && same(sum.error[lane], s.error));
            ASSERT_TRUE(same(fast.value[lane], f.value) && same(fast.error[lane], f.error));
            ASSERT_TRUE(same(product.value[lane], p.value) && same(product.error[lane], p.error));
        }
    }
}

}  // namespace
}  // namespace halfulp::test
