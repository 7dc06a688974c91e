// Continuity, momentum and viscosity: hand-worked pairs, signs, symmetry to the bit and SIMD lanes.
#include <gtest/gtest.h>

#include "precision/multiprecision.hpp"

#include "kernels/xsph.hpp"
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
    p.kinematic_viscosity = 3;
    p.inverse_shape_at_spacing = 8;
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
    const auto pair = momentum_pair<WendlandC2>(pressure_only, Vec<2, double>{{0, -1}}, a, b, unit_parameters());
    EXPECT_EQ(pair.along, (2 + 3) * -0.625);
    EXPECT_EQ(pair.artificial, 0);
    // du_a/dt = -pair_scale total r_ab: a positive pressure drives a away from b, along r_ab.
    EXPECT_LT(pair.along, 0);
}

TEST(ArtificialViscosity, HandWorkedPair)
{
    constexpr auto tait = StateEquation::tait;
    // At rest density: 0.5 * 10 * 1 * 2 / ((1 + 0.25) * 1) = 8.
    const CentredDensity<double> rest{0.0};
    EXPECT_EQ(artificial_viscosity(tait, -2.0, 1.0, rest, rest, 0.5, 1.0, 0.25, 10.0), 8.0);
    // One particle at twice its density: c = (80 + 10)/2, rho = 1.5: 0.5 * 45 * 2 / (1.25 * 1.5) = 24.
    EXPECT_EQ(artificial_viscosity(tait, -2.0, 1.0, CentredDensity<double>{1.0}, rest, 0.5, 1.0, 0.25, 10.0), 24.0);
    EXPECT_EQ(artificial_viscosity(tait, -2.0, 1.0, rest, CentredDensity<double>{1.0}, 0.5, 1.0, 0.25, 10.0), 24.0);
    // Proportional to h through mu.
    EXPECT_EQ(artificial_viscosity(tait, -2.0, 1.0, rest, rest, 0.5, 3.0, 0.25, 10.0), 24.0);
    // Linear in the closing speed; none for particles that recede or keep their distance.
    EXPECT_EQ(artificial_viscosity(tait, -1.0, 1.0, rest, rest, 0.5, 1.0, 0.25, 10.0), 4.0);
    EXPECT_EQ(artificial_viscosity(tait, 2.0, 1.0, rest, rest, 0.5, 1.0, 0.25, 10.0), 0.0);
    EXPECT_EQ(artificial_viscosity(tait, 0.0, 1.0, rest, rest, 0.5, 1.0, 0.25, 10.0), 0.0);
}

TEST(Momentum, HandWorkedViscousPair)
{
    const MomentumState<2, double> a{{{0, 1}}, 2.0, {0.0}};
    const MomentumState<2, double> b{{{0, 3}}, 3.0, {0.0}};
    // u.r = -2 at distance 1: Pi = 8 as above.
    const auto pair =
        momentum_pair<WendlandC2>(with_artificial_viscosity, Vec<2, double>{{0, 1}}, a, b, unit_parameters());
    EXPECT_EQ(pair.artificial, 8 * -0.625);
    EXPECT_EQ(pair.along, (2 + 3 + 8) * -0.625);
    // Receding: the pressure alone.
    const auto receding =
        momentum_pair<WendlandC2>(with_artificial_viscosity, Vec<2, double>{{0, -1}}, a, b, unit_parameters());
    EXPECT_EQ(receding.artificial, 0);
    EXPECT_EQ(receding.along, 5 * -0.625);
}

TEST(Formulations, HandWorkedPair)
{
    // s_a = 1, s_b = 3: densities 2 and 4 of that at rest.
    const CentredDensity<double> s_a{1.0};
    const CentredDensity<double> s_b{3.0};
    EXPECT_EQ(continuity_share(Formulation::mass_weighted, 6.0, s_b), 6.0);
    EXPECT_EQ(continuity_total(Formulation::mass_weighted, 6.0, s_a, 0.5), 3.0);
    EXPECT_EQ(continuity_share(Formulation::volume_weighted, 6.0, s_b), 1.5);
    EXPECT_EQ(continuity_total(Formulation::volume_weighted, 6.0, s_a, 0.5), 6.0);
    // The pressures themselves, over both densities: (2 + 30)/(2 * 4).
    const Physics by_volume{.formulation = Formulation::volume_weighted};
    EXPECT_EQ(pressure_of_pair(by_volume, 2.0, 30.0, s_a, s_b), 4.0);
    EXPECT_EQ(pressure_of_pair(pressure_only, 2.0, 30.0, s_a, s_b), 32.0);
    const MomentumState<2, double> a{{{1, 2}}, 2.0, s_a};
    const MomentumState<2, double> b{{{7, 7}}, 30.0, s_b};
    EXPECT_EQ(momentum_pair<WendlandC2>(by_volume, Vec<2, double>{{0, -1}}, a, b, unit_parameters()).along, 4 * -0.625);
    // P/rho^2 of one particle, whatever the formulation stores.
    EXPECT_EQ(pressure_over_square(by_volume, 30.0, s_a), 7.5);
    EXPECT_EQ(pressure_over_square(pressure_only, 30.0, s_a), 30.0);
}

// Both pairs conserve energy: the rates of compressive energy, e' ds/dt with e' = rho0 P/rho^2, and of kinetic energy
// add up to nothing for any one pair. Quad, so that what is left is rounding of 1e-34.
TEST(Formulations, AreConjugate)
{
    Random random(90);
    const auto p = test_parameters<2>().as<2, Quad>();
    for (const Formulation formulation : {Formulation::mass_weighted, Formulation::volume_weighted}) {
        for (const StateEquation equation : {StateEquation::tait, StateEquation::linear}) {
            const Physics physics{.state_equation = equation, .formulation = formulation};
            for (int k = 0; k < 300; ++k) {
                auto in = random_pair<2>(random).as<Quad>();
                in.a.pressure_term = pressure_term(physics, in.a.density, p.stiffness);
                in.b.pressure_term = pressure_term(physics, in.b.density, p.stiffness);
                const auto u = in.a.velocity - in.b.velocity;
                const Quad rate = continuity_pair<WendlandC2>(in.r, u, p.inverse_smoothing_length).rate;
                const auto density_rate = [&](CentredDensity<Quad> own, CentredDensity<Quad> other) {
                    return continuity_total(formulation, continuity_share(formulation, rate, other), own, p.pair_scale);
                };
                const Quad compressive = pressure_over_square(physics, in.a.pressure_term, in.a.density) *
                                             density_rate(in.a.density, in.b.density) +
                                         pressure_over_square(physics, in.b.pressure_term, in.b.density) *
                                             density_rate(in.b.density, in.a.density);
                const auto pair = momentum_pair<WendlandC2>(physics, in.r, in.a, in.b, p);
                const Quad kinetic = -p.pair_scale * pair.along * dot(u, in.r);
                ASSERT_LE(abs(compressive + kinetic), Quad("1e-30") * (1 + abs(kinetic)));
            }
        }
    }
}

TEST(LaminarViscosity, HandWorkedMonaghanGingold)
{
    // 2 (2 + 2) 3 = 24 in 2D, 30 in 3D; u.r = -2, r = 1: 24 * 2 / ((1 + 0.25) * 1) = 38.4, as 48/1.25; mean density 1.5
    // of (s = 1, s = 0).
    const CentredDensity<double> rest{0.0};
    const CentredDensity<double> dense{1.0};
    EXPECT_DOUBLE_EQ((MonaghanGingoldViscosity::factor<2>(
                         ViscousPair<double>{-2.0, 1.0, 0.25, mean_density_ratio(rest, rest)}, 3.0)),
                     48 / 1.25);
    EXPECT_DOUBLE_EQ((MonaghanGingoldViscosity::factor<3>(
                         ViscousPair<double>{-2.0, 1.0, 0.25, mean_density_ratio(rest, rest)}, 3.0)),
                     60 / 1.25);
    EXPECT_DOUBLE_EQ((MonaghanGingoldViscosity::factor<2>(
                         ViscousPair<double>{-2.0, 1.0, 0.25, mean_density_ratio(dense, rest)}, 3.0)),
                     48 / 1.875);
    EXPECT_DOUBLE_EQ(
        (MonaghanGingoldViscosity::factor<2>(ViscousPair<double>{2.0, 1.0, 0.25, mean_density_ratio(rest, rest)}, 3.0)),
        -48 / 1.25)
        << "receding pairs too";
    const MomentumState<2, double> a{{{0, 1}}, 2.0, rest};
    const MomentumState<2, double> b{{{0, 3}}, 3.0, rest};
    const Physics physics{.laminar_viscosity = LaminarViscosity::monaghan_gingold};
    const auto pair = momentum_pair<WendlandC2>(physics, Vec<2, double>{{0, 1}}, a, b, unit_parameters());
    EXPECT_DOUBLE_EQ(pair.laminar, 48 / 1.25 * -0.625);
    EXPECT_DOUBLE_EQ(pair.along, (5 + 48 / 1.25) * -0.625);
    EXPECT_EQ(pair.across, 0);
    EXPECT_EQ(pair.artificial, 0);
    EXPECT_EQ(pair.tensile, 0);
}

TEST(LaminarViscosity, HandWorkedMorris)
{
    // 2 * 3 * 1 / ((1 + 0.25) * 1) = 4.8, negative, as f is: du_a/dt = -V across u_ab must brake.
    const CentredDensity<double> rest{0.0};
    EXPECT_DOUBLE_EQ(
        (MorrisViscosity::factor<2>(ViscousPair<double>{-2.0, 1.0, 0.25, mean_density_ratio(rest, rest)}, 3.0)),
        -6 / 1.25);
    EXPECT_DOUBLE_EQ(
        (MorrisViscosity::factor<2>(
            ViscousPair<double>{-2.0, 1.0, 0.25, mean_density_ratio(CentredDensity<double>{1.0}, rest)}, 3.0)),
        -6 / 1.875);
    const MomentumState<2, double> a{{{0, 1}}, 2.0, rest};
    const MomentumState<2, double> b{{{4, 3}}, 3.0, rest};
    const Physics physics{.laminar_viscosity = LaminarViscosity::morris};
    const auto pair = momentum_pair<WendlandC2>(physics, Vec<2, double>{{0, 1}}, a, b, unit_parameters());
    EXPECT_DOUBLE_EQ(pair.across, 6 / 1.25 * 0.625);
    EXPECT_EQ(pair.laminar, pair.across);
    EXPECT_EQ(pair.along, 5 * -0.625) << "the pressure alone";
}

TEST(LaminarViscosity, HandWorkedBrookshaw)
{
    // 2 * 3 / 1, over the mean density 1.5: neither the distance nor the softening enters.
    const CentredDensity<double> rest{0.0};
    EXPECT_DOUBLE_EQ(
        (BrookshawViscosity::factor<2>(
            ViscousPair<double>{-2.0, 7.0, 0.25, mean_density_ratio(CentredDensity<double>{1.0}, rest)}, 3.0)),
        -4);
    const MomentumState<2, double> a{{{0, 1}}, 2.0, rest};
    const MomentumState<2, double> b{{{4, 3}}, 3.0, rest};
    const Physics physics{.laminar_viscosity = LaminarViscosity::brookshaw};
    const auto pair = momentum_pair<WendlandC2>(physics, Vec<2, double>{{0, 1}}, a, b, unit_parameters());
    EXPECT_DOUBLE_EQ(pair.across, 6 * 0.625);
    EXPECT_EQ(pair.laminar, pair.across);
    EXPECT_EQ(pair.along, 5 * -0.625) << "the pressure alone";
    // Particles at one place exchange momentum, too: F is finite there, and so is the force.
    const auto together = momentum_pair<WendlandC2>(physics, Vec<2, double>{{0, 0}}, a, b, unit_parameters());
    EXPECT_TRUE(std::isfinite(together.across) && together.across > 0) << together.across;
}

// A sheared lattice u = (y^2, 0)/2 without pressure feels the force nu laplacian u = (nu, 0): both forms are
// discretisations of it, to a percent with h = 4 spacings and without the softening (4 % with 2 spacings).
template <int D>
double force_on_a_sheared_lattice(LaminarViscosity form, double softening = 0)
{
    const double spacing = 0.25;
    Parameters<D, double> p{};
    p.smoothing_length = 4 * spacing;
    p.inverse_smoothing_length = 1 / p.smoothing_length;
    const double h2 = p.smoothing_length * p.smoothing_length;
    p.pair_scale =
        WendlandC2::normalisation(D) * (D == 2 ? 1 / h2 : spacing / (h2 * p.smoothing_length)) * spacing * spacing / h2;
    p.kinematic_viscosity = 1;
    p.viscous_softening = softening * h2;
    double force = 0;
    for (int x = -8; x <= 8; ++x) {
        for (int y = -8; y <= 8; ++y) {
            for (int z = D == 3 ? -8 : 0; z <= (D == 3 ? 8 : 0); ++z) {
                if (x == 0 && y == 0 && z == 0) continue;
                MomentumState<D, double> a{};
                MomentumState<D, double> b{};
                b.velocity[0] = 0.5 * y * y * spacing * spacing;
                Vec<D, double> r{};
                r[0] = -x * spacing;
                r[1] = -y * spacing;
                if constexpr (D == 3) r[2] = -z * spacing;
                const auto pair = momentum_pair<WendlandC2>({.laminar_viscosity = form}, r, a, b, p);
                force -= p.pair_scale * (pair.along * r[0] + pair.across * (a.velocity[0] - b.velocity[0]));
            }
        }
    }
    return force;
}

TEST(LaminarViscosity, BothFormsAreNuTimesTheLaplacian)
{
    for (const LaminarViscosity form : {LaminarViscosity::morris, LaminarViscosity::monaghan_gingold}) {
        EXPECT_NEAR(force_on_a_sheared_lattice<2>(form), 1, 0.01) << int(form);
        EXPECT_NEAR(force_on_a_sheared_lattice<3>(form), 1, 0.01) << int(form);
    }
}

// What the softening of 0.01 h^2 takes from Morris's viscosity, and not from Brookshaw's.
TEST(LaminarViscosity, SofteningWeakensMorrisAlone)
{
    EXPECT_NEAR(force_on_a_sheared_lattice<2>(LaminarViscosity::morris, 0.01), 0.9840, 5e-4);
    EXPECT_NEAR(force_on_a_sheared_lattice<2>(LaminarViscosity::brookshaw, 0.01), 1, 5e-4);
    EXPECT_NEAR(force_on_a_sheared_lattice<3>(LaminarViscosity::morris, 0.01), 0.9887, 5e-4);
    EXPECT_NEAR(force_on_a_sheared_lattice<3>(LaminarViscosity::brookshaw, 0.01), 1, 5e-4);
}

TEST(TensileCorrection, HandWorkedPair)
{
    EXPECT_EQ(tensile_share(-10.0), 2.0);
    EXPECT_EQ(tensile_share(100.0), 1.0);
    EXPECT_EQ(tensile_share(0.0), 0.0);
    // (w/w0)^4 = (0.25 * 8)^4 = 16 of 2 + 1.
    EXPECT_EQ(tensile_correction(2.0, 1.0, 0.25, 8.0), 48.0);
    // Wendland at q = 1: w = 3/16, 1.5 of 1/8; f = -5/8. 1.5^4 = 5.0625 of 2 + 1.
    const MomentumState<2, double> a{{{0, 1}}, -10.0, {0.0}};
    const MomentumState<2, double> b{{{0, 3}}, 100.0, {0.0}};
    const auto pair =
        momentum_pair<WendlandC2>({.tensile_correction = true}, Vec<2, double>{{0, 1}}, a, b, unit_parameters());
    EXPECT_EQ(pair.tensile, 5.0625 * 3 * -0.625);
    EXPECT_EQ(pair.along, (90 + 5.0625 * 3) * -0.625);
    // By volume P/rho^2 has to be made first: s = 1 leaves a quarter of both pressures, and of their sum.
    const MomentumState<2, double> c{{{0, 1}}, -40.0, {1.0}};
    const MomentumState<2, double> d{{{0, 3}}, 400.0, {1.0}};
    const auto by_volume =
        momentum_pair<WendlandC2>({.formulation = Formulation::volume_weighted, .tensile_correction = true},
                                  Vec<2, double>{{0, 1}}, c, d, unit_parameters());
    EXPECT_EQ(by_volume.tensile, pair.tensile);
    EXPECT_EQ(by_volume.along, pair.along);
}

TEST(VelocitySmoothing, HandWorkedPair)
{
    EXPECT_EQ(xsph_weight(0.75, CentredDensity<double>{0.0}, CentredDensity<double>{0.0}), 0.75);
    EXPECT_EQ(xsph_weight(0.75, CentredDensity<double>{0.0}, CentredDensity<double>{1.0}), 0.5);
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
                             KernelIn<CubicSpline, 3>, KernelIn<Gaussian, 2>, KernelIn<Gaussian, 3>>;
TYPED_TEST_SUITE(RandomPairs, Cases);

// The power of viscosity on the pair is -pair_scale Pi F u.r, or -pair_scale X F u.u, never positive.
TYPED_TEST(RandomPairs, ViscosityDissipates)
{
    constexpr int D = TypeParam::D;
    using Kernel = typename TypeParam::Kernel;
    Random random(91);
    const auto p = test_parameters<D>();
    int acting = 0;
    for (int k = 0; k < 20'000; ++k) {
        const auto in = random_pair<D>(random, Kernel::support);
        const auto u = in.a.velocity - in.b.velocity;
        const float approach = dot(u, in.r);
        const auto artificial = momentum_pair<Kernel>(with_artificial_viscosity, in.r, in.a, in.b, p);
        ASSERT_LE(-artificial.artificial * approach, 0.0F);
        ASSERT_LE(artificial.artificial, 0.0F) << "it pushes approaching particles apart and never pulls";
        acting += artificial.artificial != 0;
        const auto along =
            momentum_pair<Kernel>({.laminar_viscosity = LaminarViscosity::monaghan_gingold}, in.r, in.a, in.b, p);
        ASSERT_LE(-along.laminar * approach, 0.0F);
        ASSERT_EQ(along.across, 0.0F) << "forces along r have no moment";
        const auto across = momentum_pair<Kernel>({.laminar_viscosity = LaminarViscosity::morris}, in.r, in.a, in.b, p);
        ASSERT_LE(-across.across * dot(u, u), 0.0F);
        ASSERT_TRUE(same(across.across, across.laminar));
        acting += along.laminar != 0 && across.across != 0;
    }
    EXPECT_GT(acting, 3000);
}

// It drives particles apart whatever their pressures.
TYPED_TEST(RandomPairs, TensileCorrectionRepels)
{
    constexpr int D = TypeParam::D;
    using Kernel = typename TypeParam::Kernel;
    Random random(96);
    const auto p = test_parameters<D>();
    int acting = 0;
    for (int k = 0; k < 5000; ++k) {
        const auto in = random_pair<D>(random, Kernel::support);
        const auto pair = momentum_pair<Kernel>({.tensile_correction = true}, in.r, in.a, in.b, p);
        ASSERT_LE(pair.tensile, 0.0F);
        acting += pair.tensile != 0;
    }
    EXPECT_GT(acting, 1000);
}

// The factors of r_ab and u_ab and the share of ds/dt are the same for (a, b) and (b, a): the forces are then opposite
// to the bit.
TYPED_TEST(RandomPairs, AreSymmetricToTheBit)
{
    constexpr int D = TypeParam::D;
    using Kernel = typename TypeParam::Kernel;
    Random random(92);
    const auto p = test_parameters<D>();
    for (int k = 0; k < 20'000; ++k) {
        const auto in = random_pair<D>(random, Kernel::support);
        const auto back = in.exchanged();
        for (const Physics& physics : every_physics) {
            const auto ab = momentum_pair<Kernel>(physics, in.r, in.a, in.b, p);
            const auto ba = momentum_pair<Kernel>(physics, back.r, back.a, back.b, p);
            ASSERT_TRUE(same(ab.along, ba.along) && same(ab.across, ba.across));
            ASSERT_TRUE(same(ab.artificial, ba.artificial) && same(ab.laminar, ba.laminar));
            ASSERT_TRUE(same(ab.tensile, ba.tensile));
            for (int i = 0; i < D; ++i) ASSERT_TRUE(same(ab.along * in.r[i], -(ba.along * back.r[i])));
        }
        const auto mass_ab = continuity_pair<Kernel>(in.r, in.a.velocity - in.b.velocity, p.inverse_smoothing_length);
        const auto mass_ba =
            continuity_pair<Kernel>(back.r, back.a.velocity - back.b.velocity, p.inverse_smoothing_length);
        ASSERT_TRUE(same(mass_ab.rate, mass_ba.rate) && same(mass_ab.approach, mass_ba.approach));
        ASSERT_TRUE(same(mass_ab.distance_squared, mass_ba.distance_squared));
        ASSERT_TRUE(same(xsph_weight(0.3F, in.a.density, in.b.density), xsph_weight(0.3F, in.b.density, in.a.density)));
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
        const auto in = random_pair<D>(random, Kernel::support);
        const float support = 0.7F * float(Kernel::support);
        if (dot(in.r, in.r) < support * support * 1.0001F) continue;
        ++beyond;
        for (const Physics& physics : every_physics) {
            const auto pair = momentum_pair<Kernel>(physics, in.r, in.a, in.b, p);
            for (const float part : {pair.along, pair.across, pair.artificial, pair.laminar, pair.tensile})
                ASSERT_EQ(part, 0.0F);
        }
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
            inputs[lane] = random_pair<D>(random, Kernel::support);
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
        for (const Physics& physics : every_physics) {
            const auto pairs = momentum_pair<Kernel>(physics, in.r, in.a, in.b, wide);
            for (int lane = 0; lane < width; ++lane) {
                const auto& one = inputs[lane];
                const auto pair = momentum_pair<Kernel>(physics, one.r, one.a, one.b, p);
                ASSERT_TRUE(same(pairs.along[lane], pair.along) && same(pairs.across[lane], pair.across));
                ASSERT_TRUE(same(pairs.artificial[lane], pair.artificial) && same(pairs.laminar[lane], pair.laminar));
                ASSERT_TRUE(same(pairs.tensile[lane], pair.tensile));
            }
        }
        const auto mass = continuity_pair<Kernel>(in.r, in.a.velocity - in.b.velocity, wide.inverse_smoothing_length);
        const auto share = continuity_share(Formulation::volume_weighted, mass.rate, in.b.density);
        const auto total = continuity_total(Formulation::volume_weighted, share, in.a.density, wide.pair_scale);
        const auto weight = xsph_weight(mass.distance_squared, in.a.density, in.b.density);
        for (int lane = 0; lane < width; ++lane) {
            const auto& one = inputs[lane];
            const auto m = continuity_pair<Kernel>(one.r, one.a.velocity - one.b.velocity, p.inverse_smoothing_length);
            ASSERT_TRUE(same(mass.rate[lane], m.rate) && same(mass.approach[lane], m.approach));
            ASSERT_TRUE(same(mass.distance_squared[lane], m.distance_squared));
            const float s = continuity_share(Formulation::volume_weighted, m.rate, one.b.density);
            ASSERT_TRUE(same(share[lane], s));
            ASSERT_TRUE(
                same(total[lane], continuity_total(Formulation::volume_weighted, s, one.a.density, p.pair_scale)));
            ASSERT_TRUE(same(weight[lane], xsph_weight(m.distance_squared, one.a.density, one.b.density)));
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
