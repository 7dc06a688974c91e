// The velocity of particle shifting, against its definition and on lattices whose sums are known.
#include <cmath>

#include <gtest/gtest.h>

#include "kernels/particle_shifting.hpp"
#include "tests/precision/reference.hpp"

namespace halfulp::test {
namespace {

using V2 = Vec<2, double>;

TEST(ParticleShifting, GoesDownTheGradient)
{
    // A h = 0.8, |u| = 5: inside the fluid -A h |u| grad C.
    const V2 shift = shifting_velocity<2, double>({0.25, -0.5}, 2.0, {3, 4}, 0.8);
    EXPECT_DOUBLE_EQ(shift[0], -0.8 * 5 * 0.25);
    EXPECT_DOUBLE_EQ(shift[1], 0.8 * 5 * 0.5);
    const V2 at_rest = shifting_velocity<2, double>({0.25, -0.5}, 2.0, {0, 0}, 0.8);
    EXPECT_EQ(at_rest[0], 0);
    EXPECT_EQ(at_rest[1], 0);
}

TEST(ParticleShifting, FadesTowardsASurface)
{
    const auto share = [](double divergence) {
        return shifting_velocity<2, double>({1, 0}, divergence, {0, 1}, 0.5)[0] / -0.5;
    };
    EXPECT_EQ(share(0.3), 0);
    EXPECT_EQ(share(1.5), 0);
    EXPECT_DOUBLE_EQ(share(1.75), 0.5);
    EXPECT_DOUBLE_EQ(share(2), 1);
    EXPECT_DOUBLE_EQ(share(2.2), 1) << "where particles crowd div r is larger than inside";
    const auto in_3d = [](double divergence) {
        return shifting_velocity<3, double>({1, 0, 0}, divergence, {0, 1, 0}, 0.5)[0] / -0.5;
    };
    EXPECT_EQ(in_3d(2.75), 0);
    EXPECT_DOUBLE_EQ(in_3d(2.875), 0.5);
    EXPECT_DOUBLE_EQ(in_3d(3), 1);
}

TEST(ParticleShifting, IsNeverFasterThanTheParticle)
{
    Random random(5);
    for (int k = 0; k < 1000; ++k) {
        Vec<3, double> gradient{}, u{};
        for (int i = 0; i < 3; ++i) gradient[i] = random.uniform(-20, 20), u[i] = random.uniform(-1, 1);
        const auto shift = shifting_velocity<3, double>(gradient, 3.0, u, 0.5);
        EXPECT_LE(std::sqrt(dot(shift, shift)), std::sqrt(dot(u, u)) * (1 + 1e-15));
        const double along = dot(shift, gradient);
        EXPECT_LT(along, 0);
        EXPECT_NEAR(along * along, dot(shift, shift) * dot(gradient, gradient), 1e-12 * along * along);
    }
}

}  // namespace
}  // namespace halfulp::test
