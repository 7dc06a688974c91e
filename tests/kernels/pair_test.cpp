// Continuity, momentum and artificial viscosity: hand-worked pairs, signs, symmetry to the bit and SIMD lanes.
#include <gtest/gtest.h>

#include "precision/simd.hpp"
#include "tests/kernels/random_pair.hpp"

namespace halfulp::test {
namespace {

// Distance (3, 4)/5 of length 1 = h: Wendland's f is -5/8, the cubic spline's -3/4.
Parameters<2, double> unit_parameters()
{
    Parameters<2, double> p{};
    p.smoothing_length = 1;
    p.inverse_smoothing_length = 1;
    p.sound_speed = 10;
    p.artificial_viscosity = 0.5;
    p.viscous_softening = 0.25;
    return p;
}

TEST(Continuity, HandWorkedPair)
{
    // u.r = 2 * 0 + 3 * 1 = 3, r = 1.
    const auto pair = continuity_pair<WendlandC2>(Vec<2, double>{{0, 1}}, Vec<2, double>{{2, 3}}, 1.0);
    EXPECT_EQ(pair.rate, 3 * -0.625);
    EXPECT_EQ(pair.approach, 3);
    EXPECT_EQ(pair.distance_squared, 1);
    // q = 2 * 1/2: the inverse of h multiplies the distance. r = (0, 0, 2), u.r = -8.
    const auto far = continuity_pair<CubicSpline>(Vec<3, double>{{0, 0, 2}}, Vec<3, double>{{5, 6, -4}}, 0.5);
    EXPECT_EQ(far.rate, -8 * -0.75);
    EXPECT_EQ(far.distance_squared, 4);
}

TEST(Continuity, ApproachCompresses)
{
    EXPECT_GT((continuity_pair<WendlandC2>(Vec<2, double>{{1, 0}}, Vec<2, double>{{-1, 0}}, 1.0).rate), 0);
    EXPECT_LT((continuity_pair<WendlandC2>(Vec<2, double>{{1, 0}}, Vec<2, double>{{1, 0}}, 1.0).rate), 0);
}

TEST(Momentum, HandWorkedInviscidPair)
{
    const MomentumState<2, double> a{{{1, 2}}, 2.0, {0.0}};
    const MomentumState<2, double> b{{{7, 7}}, 3.0, {0.1}};
    const auto pair = momentum_pair<WendlandC2, false>(Vec<2, double>{{0, -1}}, a, b, unit_parameters());
    EXPECT_EQ(pair.total, (2 + 3) * -0.625);
    EXPECT_EQ(pair.viscous, 0);
    // du_a/dt = -pair_scale total r_ab: a positive pressure drives a away from b, along r_ab.
    EXPECT_LT(pair.total, 0);
}

TEST(ArtificialViscosity, HandWorkedPair)
{
    // At rest density: 0.5 * 10 * 1 * 2 / ((1 + 0.25) * 1) = 8.
    const CentredDensity<double> rest{0.0};
    EXPECT_EQ(artificial_viscosity(-2.0, 1.0, rest, rest, 0.5, 1.0, 0.25, 10.0), 8.0);
    // One particle at twice its density: c = (80 + 10)/2, rho = 1.5: 0.5 * 45 * 2 / (1.25 * 1.5) = 24.
    EXPECT_EQ(artificial_viscosity(-2.0, 1.0, CentredDensity<double>{1.0}, rest, 0.5, 1.0, 0.25, 10.0), 24.0);
    EXPECT_EQ(artificial_viscosity(-2.0, 1.0, rest, CentredDensity<double>{1.0}, 0.5, 1.0, 0.25, 10.0), 24.0);
    // Proportional to h through mu.
    EXPECT_EQ(artificial_viscosity(-2.0, 1.0, rest, rest, 0.5, 3.0, 0.25, 10.0), 24.0);
    // Linear in the closing speed; none for particles that recede or keep their distance.
    EXPECT_EQ(artificial_viscosity(-1.0, 1.0, rest, rest, 0.5, 1.0, 0.25, 10.0), 4.0);
    EXPECT_EQ(artificial_viscosity(2.0, 1.0, rest, rest, 0.5, 1.0, 0.25, 10.0), 0.0);
    EXPECT_EQ(artificial_viscosity(0.0, 1.0, rest, rest, 0.5, 1.0, 0.25, 10.0), 0.0);
}

TEST(Momentum, HandWorkedViscousPair)
{
    const MomentumState<2, double> a{{{0, 1}}, 2.0, {0.0}};
    const MomentumState<2, double> b{{{0, 3}}, 3.0, {0.0}};
    // u.r = -2 at distance 1: Pi = 8 as above.
    const auto pair = momentum_pair<WendlandC2, true>(Vec<2, double>{{0, 1}}, a, b, unit_parameters());
    EXPECT_EQ(pair.viscous, 8 * -0.625);
    EXPECT_EQ(pair.total, (2 + 3 + 8) * -0.625);
    // Receding: the pressure alone.
    const auto receding = momentum_pair<WendlandC2, true>(Vec<2, double>{{0, -1}}, a, b, unit_parameters());
    EXPECT_EQ(receding.viscous, 0);
    EXPECT_EQ(receding.total, 5 * -0.625);
}

template <class Case>
class RandomPairs : public testing::Test {
};

template <class K, int dimensions>
struct KernelIn {
    using Kernel = K;
    static constexpr int D = dimensions;
};
using Cases = testing::Types<KernelIn<WendlandC2, 2>, KernelIn<WendlandC2, 3>, KernelIn<CubicSpline, 2>,
                             KernelIn<CubicSpline, 3>>;
TYPED_TEST_SUITE(RandomPairs, Cases);

// The power of viscosity on the pair is -pair_scale Pi F u.r, never positive.
TYPED_TEST(RandomPairs, ViscosityDissipates)
{
    constexpr int D = TypeParam::D;
    Random random(91);
    const auto p = test_parameters<D>();
    int acting = 0;
    for (int k = 0; k < 20'000; ++k) {
        const auto in = random_pair<D>(random);
        const auto pair = momentum_pair<typename TypeParam::Kernel, true>(in.r, in.a, in.b, p);
        const float approach = dot(in.a.velocity - in.b.velocity, in.r);
        ASSERT_LE(-pair.viscous * approach, 0.0F);
        ASSERT_LE(pair.viscous, 0.0F) << "it pushes approaching particles apart and never pulls";
        acting += pair.viscous != 0;
    }
    EXPECT_GT(acting, 1000);
}

// The factors of r_ab and the share of ds/dt are the same for (a, b) and (b, a): the forces are then opposite to the
// bit.
TYPED_TEST(RandomPairs, AreSymmetricToTheBit)
{
    constexpr int D = TypeParam::D;
    using Kernel = typename TypeParam::Kernel;
    Random random(92);
    const auto p = test_parameters<D>();
    for (int k = 0; k < 20'000; ++k) {
        const auto in = random_pair<D>(random);
        const auto back = in.exchanged();
        const auto ab = momentum_pair<Kernel, true>(in.r, in.a, in.b, p);
        const auto ba = momentum_pair<Kernel, true>(back.r, back.a, back.b, p);
        ASSERT_TRUE(same(ab.total, ba.total) && same(ab.viscous, ba.viscous));
        for (int i = 0; i < D; ++i) ASSERT_TRUE(same(ab.total * in.r[i], -(ba.total * back.r[i])));
        const auto inviscid_ab = momentum_pair<Kernel, false>(in.r, in.a, in.b, p);
        const auto inviscid_ba = momentum_pair<Kernel, false>(back.r, back.a, back.b, p);
        ASSERT_TRUE(same(inviscid_ab.total, inviscid_ba.total));
        const auto mass_ab = continuity_pair<Kernel>(in.r, in.a.velocity - in.b.velocity, p.inverse_smoothing_length);
        const auto mass_ba =
            continuity_pair<Kernel>(back.r, back.a.velocity - back.b.velocity, p.inverse_smoothing_length);
        ASSERT_TRUE(same(mass_ab.rate, mass_ba.rate) && same(mass_ab.approach, mass_ba.approach));
        ASSERT_TRUE(same(mass_ab.distance_squared, mass_ba.distance_squared));
    }
}

TYPED_TEST(RandomPairs, BeyondTheSupportAddsAnExactZero)
{
    constexpr int D = TypeParam::D;
    using Kernel = typename TypeParam::Kernel;
    Random random(93);
    const auto p = test_parameters<D>();
    int beyond = 0;
    for (int k = 0; k < 20'000; ++k) {
        const auto in = random_pair<D>(random);
        if (dot(in.r, in.r) < 1.4F * 1.4F * 1.0001F) continue;
        ++beyond;
        const auto pair = momentum_pair<Kernel, true>(in.r, in.a, in.b, p);
        ASSERT_EQ(pair.total, 0.0F);
        ASSERT_EQ(pair.viscous, 0.0F);
        ASSERT_EQ(continuity_pair<Kernel>(in.r, in.a.velocity, p.inverse_smoothing_length).rate, 0.0F);
    }
    EXPECT_GT(beyond, 1000);
}

// One lane of a vector a pair; every lane must have the bits of the scalar evaluation.
template <class Kernel, int D, int width>
void expect_lanes_equal_the_scalar()
{
    using S = Simd<float, width>;
    Random random(94);
    const auto p = test_parameters<D>();
    const auto wide = p.template as<D, S>();
    for (int k = 0; k < 4000 / width; ++k) {
        PairInput<D, float> inputs[width];
        PairInput<D, S> in;
        for (int lane = 0; lane < width; ++lane) {
            inputs[lane] = random_pair<D>(random);
            for (int i = 0; i < D; ++i) {
                in.r[i].set(lane, inputs[lane].r[i]);
                in.a.velocity[i].set(lane, inputs[lane].a.velocity[i]);
                in.b.velocity[i].set(lane, inputs[lane].b.velocity[i]);
            }
            in.a.pressure_term.set(lane, inputs[lane].a.pressure_term);
            in.b.pressure_term.set(lane, inputs[lane].b.pressure_term);
            in.a.density.s.set(lane, inputs[lane].a.density.s);
            in.b.density.s.set(lane, inputs[lane].b.density.s);
        }
        const auto viscous = momentum_pair<Kernel, true>(in.r, in.a, in.b, wide);
        const auto inviscid = momentum_pair<Kernel, false>(in.r, in.a, in.b, wide);
        const auto mass = continuity_pair<Kernel>(in.r, in.a.velocity - in.b.velocity, wide.inverse_smoothing_length);
        for (int lane = 0; lane < width; ++lane) {
            const auto& one = inputs[lane];
            const auto v = momentum_pair<Kernel, true>(one.r, one.a, one.b, p);
            const auto w = momentum_pair<Kernel, false>(one.r, one.a, one.b, p);
            const auto m = continuity_pair<Kernel>(one.r, one.a.velocity - one.b.velocity, p.inverse_smoothing_length);
            ASSERT_TRUE(same(viscous.total[lane], v.total) && same(viscous.viscous[lane], v.viscous));
            ASSERT_TRUE(same(inviscid.total[lane], w.total) && same(inviscid.viscous[lane], w.viscous));
            ASSERT_TRUE(same(mass.rate[lane], m.rate) && same(mass.approach[lane], m.approach));
            ASSERT_TRUE(same(mass.distance_squared[lane], m.distance_squared));
        }
    }
}

TYPED_TEST(RandomPairs, LanesEqualTheScalarAtEveryWidth)
{
    expect_lanes_equal_the_scalar<typename TypeParam::Kernel, TypeParam::D, 4>();
    expect_lanes_equal_the_scalar<typename TypeParam::Kernel, TypeParam::D, 8>();
    expect_lanes_equal_the_scalar<typename TypeParam::Kernel, TypeParam::D, 16>();
}

}  // namespace
}  // namespace halfulp::test
