// The stable step, energies a unit mass, small vectors and the constants of a run.
#include <gtest/gtest.h>

#include "kernels/energy.hpp"
#include "kernels/time_step.hpp"
#include "precision/simd.hpp"
#include "tests/kernels/random_pair.hpp"

namespace halfulp::test {
namespace {

TEST(ClosingSpeed, HandWorkedPair)
{
    EXPECT_EQ(closing_speed(-3.0F, 1.5F, 4.0F, 0.5F), 6.0F);
    EXPECT_EQ(closing_speed(3.0F, 1.5F, 4.0F, 0.5F), 6.0F) << "eq. A.8 takes the magnitude: receding pairs count too";
    EXPECT_EQ(closing_speed(0.0F, 1.5F, 4.0F, 0.5F), 0.0F);
    EXPECT_EQ(closing_speed(0.0F, 0.0F, 4.0F, 0.5F), 0.0F) << "a particle with itself";
}

// At a given speed of approach u the softened ratio h u r/(r^2 + (h/10)^2) is largest at r = h/10, where it is 5 u.
TEST(ClosingSpeed, IsBoundedHoweverCloseThePair)
{
    const float h = 1;
    const float softening = 0.01F;
    for (float r = 1e-6F; r < 2; r *= 1.1F) EXPECT_LE(closing_speed(3 * r, r * r, h, softening), 15.001F);
    EXPECT_NEAR(closing_speed(0.3F, 0.01F, h, softening), 15, 1e-5);
}

TEST(ClosingSpeed, LanesEqualTheScalar)
{
    using S = Simd<float, 8>;
    Random random(101);
    for (int k = 0; k < 1000; ++k) {
        S approach, r2;
        for (int lane = 0; lane < 8; ++lane) {
            approach.set(lane, random.number<float>(-10, 3));
            r2.set(lane, lane == k % 8 ? 0.0F : std::abs(random.number<float>(-10, 3)));
        }
        const S speed = closing_speed(approach, r2, S(0.7F), S(0.01F));
        for (int lane = 0; lane < 8; ++lane)
            ASSERT_TRUE(same(speed[lane], closing_speed(approach[lane], r2[lane], 0.7F, 0.01F)));
    }
}

// cfl min(sqrt(h/a), h/c): h = 2, c = 10 gives 0.2 by the signal; a = 8 gives 0.5 by the force, a = 800 gives 0.05.
TEST(StableStep, TakesTheStricterLimit)
{
    EXPECT_EQ(stable_step(0.5, 2, 8, 10), 0.5 * (2.0 / 10));
    EXPECT_EQ(stable_step(0.5, 2, 800, 10), 0.5 * std::sqrt(2.0 / 800));
    EXPECT_EQ(stable_step(0.5, 2, 0, 10), 0.5 * (2.0 / 10)) << "no acceleration, no limit by it";
}

// Limits by small accelerations and viscosities, too: sqrt(2/0.5) = 2 beside 2/0.1 = 20, and 0.1^2/(8 0.5) = 0.0025.
TEST(StableStep, AnyAccelerationAndViscosityLimitsIt)
{
    EXPECT_EQ(stable_step(0.5, 2, 0.5, 0.1), 0.5 * 2);
    EXPECT_EQ(stable_step(0.5, 0.1, 0, 0.001, 0.5), 0.125 * 0.1 * 0.1 / 0.5);
}

// h^2/(8 nu): h = 2, nu = 5 gives 0.1.
TEST(StableStep, ViscosityLimitsIt)
{
    EXPECT_EQ(viscous_step(2, 5), 0.1);
    EXPECT_EQ(stable_step(0.5, 2, 8, 10, 5), 0.1);
    EXPECT_EQ(stable_step(0.5, 2, 8, 10, 0.5), 0.5 * (2.0 / 10));
    EXPECT_EQ(stable_step(0.5, 2, 8, 10, 0), 0.5 * (2.0 / 10));
}

// Linear equation, c0 = 1, ds/dt = C + D with C = 3/8 and D = 1/8 over dt = 2, from 1/2 to 3/2: half of
// [e(3/4) - e(1/2)] + [e(3/2) - e(5/4)].
TEST(Energy, WorkOfADensityShare)
{
    const auto e = [](double s) { return compressive_energy(StateEquation::linear, CentredDensity<double>{s}, 1.0); };
    EXPECT_EQ(work_of_density_share(StateEquation::linear, 1, 0.5, 1.5, 0.5, 0.125, 2),
              0.5 * ((e(0.75) - e(0.5)) + (e(1.5) - e(1.25))));
    // From 1/4 to -3/4, of which tension is cut off after a quarter of the step; and from the beginning.
    EXPECT_EQ(work_of_density_share(StateEquation::linear, 1, 0.25, -0.75, -0.5, -0.125, 2, true),
              0.5 * ((e(0.1875) - e(0.25)) - e(0.0625)));
    EXPECT_EQ(work_of_density_share(StateEquation::linear, 1, 0, -0.75, -0.375, 0.125, 2, true), 0);
    // The shares of a whole add up to the change of energy, whatever they are.
    Random random(104);
    for (int k = 0; k < 1000; ++k) {
        const double s0 = random.uniform(-0.1, 0.1);
        const double c = random.uniform(-1, 1);
        const double d = random.uniform(-1, 1);
        const double dt = random.uniform(0, 0.05);
        const double s2 = s0 + dt * (c + d);
        for (const StateEquation equation : {StateEquation::tait, StateEquation::linear}) {
            const auto energy = [&](double s) { return compressive_energy(equation, CentredDensity<double>{s}, 2.0); };
            const double whole = work_of_density_share(equation, 2, s0, s2, c + d, d, dt) +
                                 work_of_density_share(equation, 2, s0, s2, c + d, c, dt);
            // |e| is below 7 * 2 * 0.2^2 / 2 here: some ten roundings of it.
            EXPECT_NEAR(whole, energy(s2) - energy(s0), 20 * unit_roundoff<double>);
        }
    }
}

// Against the closed forms of both energies, e = c0^2 [log(1+s) - s/(1+s)] and B [((1+s)^6 - 1)/6 + 1/(1+s) - 1], in
// long double.
TEST(Energy, WorkOfADensityShareByTheClosedForms)
{
    Random random(105);
    const double stiffness = 3;
    for (const StateEquation equation : {StateEquation::tait, StateEquation::linear}) {
        const auto e = [&](long double s) {
            return stiffness * (equation == StateEquation::linear ? std::log1p(s) - s / (1 + s)
                                                                  : (std::pow(1 + s, 6.0L) - 1) / 6 + 1 / (1 + s) - 1);
        };
        for (int k = 0; k < 1000; ++k) {
            const double s0 = random.uniform(-0.2, 0.2);
            const double other = random.uniform(-1, 1), share = random.uniform(-1, 1), dt = random.uniform(0, 0.1);
            const double rate = other + share;
            const double s2 = s0 + dt * rate;
            const long double expected = ((e(s0 + dt * static_cast<long double>(share)) - e(s0)) +
                                          (e(s2) - e(s0 + dt * (static_cast<long double>(rate) - share)))) /
                                         2;
            // |e| is below 2 here and its slope below 5: some twenty roundings.
            EXPECT_NEAR(work_of_density_share(equation, stiffness, s0, s2, rate, share, dt), expected, 4e-15);
        }
    }
}

TEST(Energy, HandWorkedValues)
{
    EXPECT_EQ(kinetic_energy(Vec<2, double>{{3, 4}}), 12.5);
    EXPECT_EQ(kinetic_energy(Vec<3, double>{{1, 2, 2}}), 4.5);
    EXPECT_EQ(potential_energy(Vec<3, double>{{0, 0, -9.5}}, Vec<3, double>{{7, 8, 2}}), 19.0) << "up is positive";
    EXPECT_EQ(central_energy(3, Vec<2, double>{{1, 2}}), 7.5) << "Omega^2 r^2 / 2";
    // Force (2, -1), mean velocity (2, 2), half a time unit: (4 - 2)/2.
    EXPECT_EQ(work_of_kick(Vec<2, double>{{2, -1}}, Vec<2, double>{{1, 3}}, Vec<2, double>{{3, 1}}, 0.5), 1.0);
}

// For the whole force the work is the change of kinetic energy, exactly; in double to a few roundings of either.
TEST(Energy, TheWorkOfAKickIsItsChangeOfKineticEnergy)
{
    Random random(102);
    for (int k = 0; k < 1000; ++k) {
        Vec<3, double> force, before, after;
        const double interval = random.uniform(0.001, 0.1);
        for (int i = 0; i < 3; ++i) {
            force[i] = random.uniform(-10, 10);
            before[i] = random.uniform(-2, 2);
            after[i] = before[i] + force[i] * interval;
        }
        const double change = kinetic_energy(after) - kinetic_energy(before);
        const double scale = kinetic_energy(after) + kinetic_energy(before);
        EXPECT_NEAR(work_of_kick(force, before, after, interval), change, 8 * unit_roundoff<double> * scale);
    }
}

// The order decides bits: one product, then fused multiply-adds from the second component on.
TEST(Vector, DotIsOneChainOfFusedMultiplyAdds)
{
    Random random(103);
    int other_order_differs = 0;
    for (int k = 0; k < 1000; ++k) {
        Vec<3, float> a, b;
        for (int i = 0; i < 3; ++i) {
            a[i] = random.number<float>(-3, 3);
            b[i] = random.number<float>(-3, 3);
        }
        ASSERT_TRUE(same(dot(a, b), std::fma(a[2], b[2], std::fma(a[1], b[1], a[0] * b[0]))));
        other_order_differs += dot(a, b) != a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
        ASSERT_TRUE(same((a - b)[2], a[2] - b[2]));
    }
    EXPECT_GT(other_order_differs, 100);
}

TEST(Parameters, ConvertExactlyFromFloat)
{
    const Parameters<3, float> p = test_parameters<3>();
    const Parameters<3, double> d = p.as<3, double>();
    EXPECT_EQ(d.smoothing_length, double(p.smoothing_length));
    EXPECT_EQ(d.inverse_smoothing_length, double(p.inverse_smoothing_length));
    EXPECT_EQ(d.pair_scale, double(p.pair_scale));
    EXPECT_EQ(d.stiffness, double(p.stiffness));
    EXPECT_EQ(d.sound_speed, double(p.sound_speed));
    EXPECT_EQ(d.artificial_viscosity, double(p.artificial_viscosity));
    EXPECT_EQ(d.viscous_softening, double(p.viscous_softening));
    EXPECT_EQ(d.kinematic_viscosity, double(p.kinematic_viscosity));
    EXPECT_EQ(d.inverse_shape_at_spacing, double(p.inverse_shape_at_spacing));
    EXPECT_EQ(d.density_diffusion, double(p.density_diffusion));
    EXPECT_EQ(d.contact_reaches, double(p.contact_reaches));
    EXPECT_EQ(d.xsph_scale, double(p.xsph_scale));
    EXPECT_EQ(d.shifting_scale, double(p.shifting_scale));
    EXPECT_EQ(d.central_stiffness, double(p.central_stiffness));
    for (int i = 0; i < 3; ++i) EXPECT_EQ(d.gravity[i], double(p.gravity[i]));
    Parameters<3, float> q = p;
    q.gravity[0] = 1;
    q.gravity[1] = 2;
    const auto flat = q.as<2, Simd<float, 4>>();
    for (int lane = 0; lane < 4; ++lane) {
        EXPECT_EQ(flat.gravity[0][lane], 1.0F);
        EXPECT_EQ(flat.gravity[1][lane], 2.0F);
        EXPECT_EQ(flat.pair_scale[lane], p.pair_scale);
    }
}

}  // namespace
}  // namespace halfulp::test
