// What plain single precision would lose of a flow: by hand from the ulps of coordinates, the step and the speeds.
#include "core/setup/rounding_loss.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "said_of_cases.hpp"

namespace halfulp {
namespace {

// Water whose coordinates are all between 4 and 8 m, where an ulp is 2^-21 m.
Case far_water()
{
    Case c =
        case_of(2, 0.1, {hollow_box("tank", {4, 4, 0}, {6, 6, 0}, 0), box("water", Kind::fluid, {4, 4, 0}, {6, 5, 0})});
    c.gravity = {0, -9.81, 0};
    c.fluid.sound_speed = 40;
    c.time.end = c.output.interval = 10;
    return c;
}

Problem moving(Case c, double speed)
{
    Problem problem = prepare(c);
    for (InitialParticle& particle : problem.particles.stored())
        particle.velocity[0] = static_cast<float>(speed / problem.units.velocity);
    return problem;
}

TEST(RoundingLoss, DriftsErrByTheUlpOfTheCoordinates)
{
    const Case c = far_water();
    const RoundingLoss loss = rounding_loss(moving(c, 0.25));
    const double step = c.time.cfl * smoothing_length(c) / 40;
    EXPECT_NEAR(loss.step, step, 1e-12);
    EXPECT_EQ(loss.steps, std::ceil(10 / loss.step));
    // Two axes, roundings uniform between -1/2 and 1/2 ulp, in halves of a step.
    EXPECT_NEAR(loss.drift_error, std::sqrt(2.0) * std::exp2(-21) / 2 / std::sqrt(3.0) / (step / 2), 1e-9);
    EXPECT_NEAR(loss.speed, 0.25, 1e-6);
    // The wave of 2 m on 1 m of water, less a spacing that the lattice may move its faces by.
    EXPECT_NEAR(loss.frequency, std::sqrt(9.81 * M_PI / 2 * std::tanh(M_PI / 2)), 0.1);
}

TEST(RoundingLoss, GrowsWithTheDistanceForCoordinatesFromTheOriginAlone)
{
    Case c = far_water();
    const RoundingLoss near = rounding_loss(moving(c, 0.25));
    const RoundingLoss near_in_cell = rounding_loss(moving(c, 0.25), Coordinates::of_a_cell);
    c.origin.cells = {1'000'000, -1'000'000, 0};
    const RoundingLoss far = rounding_loss(moving(c, 0.25));
    const RoundingLoss far_in_cell = rounding_loss(moving(c, 0.25), Coordinates::of_a_cell);
    EXPECT_GT(far.drift_error, 30'000 * near.drift_error);
    EXPECT_EQ(far_in_cell.drift_error, near_in_cell.drift_error);
    EXPECT_LT(near_in_cell.drift_error, 0.05 * near.drift_error);
    EXPECT_EQ(far.speed, near.speed);
}

TEST(RoundingLoss, TakesTheShareOfTheDriftErrorsEnergyInEachPeriod)
{
    const RoundingLoss loss{.drift_error = 0.02, .speed = 0.2, .frequency = 2 * M_PI / 3};
    // A hundredth each time; of the first 25 periods, in which it sets in, as if there were half of them.
    EXPECT_NEAR(loss.amplitude(3 * 1025) - loss.amplitude(3 * 1000.0), 25 * 0.01, 1e-12);
    EXPECT_NEAR(loss.amplitude(3 * 25), 12.5 * 0.01, 1e-14);
    EXPECT_NEAR(loss.amplitude(3 * 5), 0.5 * 0.01, 1e-14);
    // Nothing is left to set in where hardly an increment moves a particle.
    const RoundingLoss stalled{.drift_error = 0.4, .speed = 0.2, .frequency = 2 * M_PI / 3};
    EXPECT_NEAR(stalled.amplitude(3), 4, 1e-12);
}

TEST(RoundingLoss, ShiftsThePhaseByTheRandomWalkOfTheRoundings)
{
    const Case c = far_water();
    const RoundingLoss loss = rounding_loss(moving(c, 0.25));
    // 2 * 5,000 roundings uniform between -1/2 and 1/2 ulp on each of two axes, on average over a time that counts
    // linearly; a spacing is 0.1 m.
    const double walk = std::sqrt(2 * 5000.0 * 2 / 12 / 3) * std::exp2(-21);
    EXPECT_NEAR(loss.phase(5000 * loss.step), 0.2 * loss.frequency * 5000 * loss.step * walk / 0.1,
                1e-6 * loss.phase(5000 * loss.step));
    // It does not depend on the speed, and is the larger part for fast motions.
    const RoundingLoss fast = rounding_loss(moving(c, 25));
    EXPECT_EQ(fast.phase(10), loss.phase(10));
    EXPECT_NEAR(fast.error(10), fast.phase(10), 1e-3 * fast.phase(10));
    EXPECT_NEAR(loss.error(10), std::hypot(loss.amplitude(10), loss.phase(10)), 1e-15);
}

TEST(RoundingLoss, IsInverseToTheSquaresOfStepAndSpeed)
{
    Case c = far_water();
    const RoundingLoss one = rounding_loss(moving(c, 0.25));
    EXPECT_NEAR(rounding_loss(moving(c, 0.125)).amplitude(10), 4 * one.amplitude(10), 1e-5 * one.amplitude(10));
    c.time.cfl /= 2;
    EXPECT_NEAR(rounding_loss(moving(c, 0.25)).amplitude(10), 4 * one.amplitude(10), 1e-9 * one.amplitude(10));
    // Twice as many roundings.
    EXPECT_NEAR(rounding_loss(moving(c, 0.25)).phase(10), std::sqrt(2.0) * one.phase(10), 1e-9 * one.phase(10));
}

// By an update of a density itself: at that speed the weight of the water above changes it by half an ulp in a step.
TEST(RoundingLoss, StallingIsWhereAStepChangesNoDensity)
{
    Case c = far_water();
    const RoundingLoss loss = rounding_loss(moving(c, 0.25));
    const auto changed = [&](double speed) {
        const double density_change = 1000 * 9.81 * speed * loss.step / (40.0 * 40.0);
        return 1000.0F + static_cast<float>(density_change) != 1000.0F;
    };
    EXPECT_FALSE(changed(0.99 * loss.stalling_speed));
    EXPECT_TRUE(changed(1.01 * loss.stalling_speed));
    c.gravity = {};
    EXPECT_EQ(rounding_loss(moving(c, 0.25)).stalling_speed, 0);
}

TEST(RoundingLoss, TakesTheSpeedFromWhatMovesTheFlow)
{
    Case c =
        case_of(2, 0.1, {hollow_box("tank", {0, 0, 0}, {4, 2, 0}, 0), box("water", Kind::fluid, {0, 0, 0}, {1, 1, 0})});
    c.gravity = {0, -9.81, 0};
    c.fluid.sound_speed = 45;
    c.time.end = c.output.interval = 1;
    // A column of 1 m that becomes a layer of 0.25 m: g (0.5 - 0.125) m of energy for each kg.
    EXPECT_NEAR(rounding_loss(prepare(c)).speed, std::sqrt(2 * 9.81 * 0.375), 0.15);
    c.shapes[1].to[0] = 4;
    EXPECT_LT(rounding_loss(prepare(c)).speed, 1e-3);
    // In the frame of a tank that moves steadily it is at rest; one that sways with 2 m/s^2 gives it sqrt(2 a L).
    c.motions = {{.name = "push", .bodies = {}, .rotation = {}, .translation = {}}};
    c.motions[0].translation = MotionTranslation{.direction = {1, 0, 0}, .distance = steadily(3)};
    EXPECT_NEAR(rounding_loss(prepare(c)).speed, 3, 1e-6);
    c.motions[0].frame = MotionFrame::moving;
    EXPECT_LT(rounding_loss(prepare(c)).speed, 1e-3);
    c.motions[0].translation->distance = sine_of(2 / (4 * M_PI * M_PI), 1, 90);
    EXPECT_NEAR(rounding_loss(prepare(c)).speed, std::sqrt(2 * 2 * 3.9), 0.1);
    c.motions.clear();
    // Without gravity it turns over once along its length.
    c.gravity = {};
    const Problem problem = moving(c, 0.5);
    EXPECT_NEAR(rounding_loss(problem).frequency, M_PI / 4 * 0.5, 1e-6);
}

}  // namespace
}  // namespace halfulp
