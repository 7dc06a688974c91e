// State updates over many steps. A compensated step rounds three quantities, each of at most about u |x| and so by u^2
// |x|: residual + small change, the residual of the rate, and the new residual. n steps: |error| <= 3 n u^2 max|x|.
#include <gtest/gtest.h>

#include "precision/compensated.hpp"
#include "precision/multiprecision.hpp"
#include "precision/simd.hpp"
#include "tests/precision/reference.hpp"

namespace halfulp::test {
namespace {

constexpr int steps = 1'000'000;

template <class T>
class StateUpdate : public testing::Test {
};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(StateUpdate, Scalars);

TYPED_TEST(StateUpdate, CompensatedTracksTheExactState)
{
    using T = TypeParam;
    Random random(41);
    T value = T(0.3);
    T residual = 0;
    T plain = value;
    T unused = 0;
    Quad exact = value;
    Quad largest = 0;
    Quad worst = 0;
    Quad worst_plain = 0;
    const Quad u = unit_roundoff<T>;
    for (int k = 1; k <= steps; ++k) {
        const T rate = static_cast<T>(random.uniform(-1, 1.5));
        const T rate_residual = static_cast<T>(random.uniform(-0.5, 0.5) * unit_roundoff<T>);
        const T interval = static_cast<T>(random.uniform(1e-6, 3e-6));
        exact += (Quad(rate) + Quad(rate_residual)) * Quad(interval);
        CompensatedUpdate::advance(value, residual, rate, rate_residual, interval);
        PlainUpdate::advance(plain, unused, rate, rate_residual, interval);
        ASSERT_EQ(value + residual, value) << "the residual is at most half an ulp of the value";
        largest = std::max(largest, Quad(abs(exact)));
        if (k % 100 == 0) {
            worst = std::max(worst, Quad(abs(Quad(value) + Quad(residual) - exact)));
            worst_plain = std::max(worst_plain, Quad(abs(Quad(plain) - exact)));
        }
    }
    const Quad bound = 3 * Quad(steps) * u * u * largest;
    EXPECT_LE(worst, bound);
    EXPECT_GT(worst_plain, 20 * u * largest) << "plain updates lose many ulp";
    EXPECT_GT(worst_plain, 1000 * worst);
}

// The rate's own residual is part of the motion: left out, the state would be off by half of it.
TYPED_TEST(StateUpdate, TheRatesResidualCounts)
{
    using T = TypeParam;
    T value = T(0);
    T residual = T(0);
    const T rate_residual = static_cast<T>(unit_roundoff<T> / 2);
    for (int k = 0; k < 1024; ++k) CompensatedUpdate::advance(value, residual, T(1), rate_residual, T(0x1p-10));
    EXPECT_EQ(Quad(value) + Quad(residual), Quad(1) + Quad(rate_residual));
}

// A velocity through zero: value and change cancel, and the residual must survive it.
TYPED_TEST(StateUpdate, CancellationKeepsTheResidual)
{
    using T = TypeParam;
    T value = T(1);
    T residual = static_cast<T>(unit_roundoff<T> / 4);
    CompensatedUpdate::advance(value, residual, T(-1), T(0), T(1));
    EXPECT_EQ(Quad(value) + Quad(residual), Quad(unit_roundoff<T> / 4));
}

TYPED_TEST(StateUpdate, PlainIsOneFusedMultiplyAdd)
{
    using T = TypeParam;
    T value = T(1) / 3;
    T residual = T(5);
    PlainUpdate::advance(value, residual, T(0.7), T(9), T(0.1));
    EXPECT_TRUE(same(value, std::fma(T(0.7), T(0.1), T(1) / 3)));
    EXPECT_EQ(residual, T(5)) << "a plain update touches no residual";
    static_assert(CompensatedUpdate::has_residual && !PlainUpdate::has_residual);
}

TEST(StateUpdateSimd, LanesEqualTheScalar)
{
    using S = Simd<float, 8>;
    Random random(42);
    S value(0.3F), residual(0.0F);
    float values[8], residuals[8];
    for (int lane = 0; lane < 8; ++lane) {
        values[lane] = 0.3F;
        residuals[lane] = 0.0F;
    }
    for (int k = 0; k < 10'000; ++k) {
        S rate, rate_residual;
        const auto interval = static_cast<float>(random.uniform(1e-3, 2e-3));
        for (int lane = 0; lane < 8; ++lane) {
            rate.set(lane, static_cast<float>(random.uniform(-1, 1)));
            rate_residual.set(lane, static_cast<float>(random.uniform(-1e-8, 1e-8)));
            CompensatedUpdate::advance(values[lane], residuals[lane], rate[lane], rate_residual[lane], interval);
        }
        CompensatedUpdate::advance(value, residual, rate, rate_residual, S(interval));
    }
    for (int lane = 0; lane < 8; ++lane)
        EXPECT_TRUE(same(value[lane], values[lane]) && same(residual[lane], residuals[lane]));
}

}  // namespace
}  // namespace halfulp::test
