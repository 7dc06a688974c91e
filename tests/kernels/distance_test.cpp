// Both lengths agree where squares fit the format; only the scaled one holds where they do not.
#include <gtest/gtest.h>

#include <cmath>

#include "kernels/distance.hpp"
#include "precision/simd.hpp"
#include "tests/precision/reference.hpp"

namespace halfulp::test {
namespace {

TEST(Distance, WholeTriangles)
{
    EXPECT_EQ((PlainDistance::length(Vec<2, float>{{3, -4}})), 5.0F);
    EXPECT_EQ((ScaledDistance::length(Vec<2, float>{{-3, 4}})), 5.0F);
    EXPECT_EQ((ScaledDistance::length(Vec<3, double>{{0, 0, 0}})), 0.0);
    EXPECT_EQ((ScaledDistance::length(Vec<3, double>{{0, -2, 0}})), 2.0);
}

TEST(Distance, SquaresThatUnderflowOrOverflow)
{
    const Vec<2, float> small{{3e-30F, 4e-30F}};
    EXPECT_EQ(PlainDistance::length(small), 0x1p-50F);
    EXPECT_NEAR(ScaledDistance::length(small), 5e-30F, 4e-37F);
    const Vec<2, float> large{{3e30F, 4e30F}};
    EXPECT_TRUE(std::isinf(PlainDistance::length(large)));
    EXPECT_NEAR(ScaledDistance::length(large), 5e30F, 1e24F);
}

// The largest component is found wherever it stands: any other divisor overflows.
TEST(Distance, AnyComponentMayBeTheLargest)
{
    for (int largest = 0; largest < 3; ++largest) {
        Vec<3, float> r{{1e-20F, -1e-20F, 1e-20F}};
        r[largest] = -1e25F;
        EXPECT_EQ(ScaledDistance::length(r), 1e25F) << largest;
    }
}

// dot: one rounding and an fma; the root halves them and rounds: 2 u. Scaled: D divisions, which count twice in the
// squares' sum and are halved, the largest component's being exact; sum, root, product: 5 u.
TEST(Distance, Errors)
{
    Random random(31);
    for (int k = 0; k < 20000; ++k) {
        Vec<3, float> r;
        for (int c = 0; c < 3; ++c) r[c] = static_cast<float>(random.uniform(-1, 1));
        const double exact = std::hypot(double(r[0]), double(r[1]), double(r[2]));
        EXPECT_NEAR(PlainDistance::length(r), exact, 2.01 * 0x1p-24 * exact);
        EXPECT_NEAR(ScaledDistance::length(r), exact, 5.01 * 0x1p-24 * exact);
    }
}

TEST(Distance, LanesEqualTheScalar)
{
    using S = Simd<float, 8>;
    Random random(32);
    Vec<3, S> r;
    for (int c = 0; c < 3; ++c)
        for (int lane = 0; lane < 8; ++lane) r[c].set(lane, lane == 3 ? 0.0F : random.number<float>(-20, 20));
    const S length = ScaledDistance::length(r);
    for (int lane = 0; lane < 8; ++lane)
        EXPECT_TRUE(same(length[lane], ScaledDistance::length(Vec<3, float>{{r[0][lane], r[1][lane], r[2][lane]}})));
}

}  // namespace
}  // namespace halfulp::test
