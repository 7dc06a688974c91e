// Flows of the decisive study whose signals have exact values.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "validation/decisive/flows.hpp"
#include "validation/decisive/oscillation.hpp"
#include "validation/decisive/settled_start.hpp"

namespace halfulp::test {
namespace {

// The signal of a standing wave is its height, whatever the dimensions.
TEST(DecisiveFlows, AStandingWaveBeginsWithItsHeight)
{
    for (const double height : {5e-4, 2e-3}) {
        Flow flow = seiche_3d(12, height, 0.01, Scale::usual);
        const Recorded run = follow(flow, {.name = "robust", .precision = "robust"});
        EXPECT_NEAR(run.signals.front().at(0), height, 1e-5 * height);
        EXPECT_EQ(run.signals.front().at(1), 0);
        EXPECT_LT(run.signals.back().at(0), height);
        EXPECT_GT(run.signals.back().at(1), 0);
    }
}

TEST(DecisiveFlows, AnArmOfAPartOfTheTimeHasTheBitsOfTheWholeSoFar)
{
    Flow flow = seiche_3d(12, 5e-4, 0.05, Scale::usual);
    flow.sample_every = 4;
    const Recorded whole = follow(flow, {.name = "robust", .precision = "robust"});
    const Recorded part = follow(flow, {.name = "far", .precision = "robust", .cells = 1'000'000, .part = 0.6});
    EXPECT_NEAR(part.times.back(), 0.03, 0.002);
    EXPECT_NEAR(whole.times.back(), 0.05, 0.002);
    ASSERT_GT(part.times.size(), 4U);
    EXPECT_TRUE(have_same_bits(whole, part));
    EXPECT_TRUE(have_same_bits(part, whole));
    EXPECT_FALSE(have_same_bits(whole, follow(flow, {.name = "ulp", .precision = "robust", .ulp_seed = 1})));
    Recorded other = part;
    other.velocity_bits[2] ^= 1;
    EXPECT_FALSE(have_same_bits(whole, other));
    other = part;
    other.velocity_bits.back() ^= 1;  // where the two were not looked at alike
    EXPECT_TRUE(have_same_bits(whole, other));
}

// In every arm from where the water in double has come to, with the wave's velocity on top of what is left of its own.
TEST(DecisiveFlows, AWaveInSettledWaterBeginsWhereThatHasComeToRest)
{
    Flow flow = seiche({.name = "settled", .height = 2.5e-3, .spacing = 0.05, .end = 0.05, .settle = 1}, Scale::quick);
    flow.sample_every = 4;
    Case rest = case_of(flow, {.name = "rest", .precision = "double"});
    rest.time.end = flow.settle;
    FluidState settled;
    simulate(prepare(rest), 1'000'000,
             [&](const Problem& problem, const Simulation& now) { settled = fluid_of(problem, now.snapshot()); });
    for (const std::int64_t cells : {0, 1'000'000}) {
        Problem problem = prepare(case_of(flow, {.name = "robust", .precision = "robust", .cells = cells}));
        const double lattice = coordinate_of(problem, problem.particles.stored().front(), 1);
        decisive::settle(flow, problem);
        std::size_t k = 0;
        for (const InitialParticle& particle : problem.particles.stored()) {
            if (particle.kind != Kind::fluid) continue;
            for (std::size_t axis = 0; axis < 2; ++axis) {
                EXPECT_NEAR(coordinate_of(problem, particle, axis), settled.position.at(k)[axis],
                            0x1p-24 * problem.units.length);
                EXPECT_NEAR(problem.units.velocity * static_cast<double>(particle.velocity[axis]),
                            settled.velocity[k][axis], 1e-9);
            }
            ++k;
        }
        EXPECT_EQ(k, settled.position.size());
        EXPECT_EQ(coordinate_of(problem, problem.particles.stored().front(), 1), lattice) << "walls stay";
    }
    const Recorded run = follow(flow, {.name = "robust", .precision = "robust"});
    EXPECT_NEAR(run.signals.front().at(0), 2.5e-3, 1e-4);
    EXPECT_EQ(run.signals.front().at(1), 0);
    EXPECT_TRUE(
        have_same_bits(run, follow(flow, {.name = "far", .precision = "robust", .cells = 1'000'000, .part = 0.6})));
}

TEST(DecisiveFlows, TheForceOnABodyIsItsWeightInWaterAndFollowsTheTank)
{
    const int periods = 3;
    const Flow flow = body_in_waves(4, periods, Scale::quick);
    const Recorded run = follow(flow, {.name = "robust", .precision = "robust"});
    const auto in_last_period = [&](std::size_t signal) {
        std::vector<Sample> samples;
        for (std::size_t i = 0; i < run.times.size(); ++i) {
            if (run.times[i] >= flow.windows.back()[0]) samples.push_back({run.times[i], run.signals[i].at(signal)});
        }
        return fit_harmonics(samples, flow.frequency, flow.harmonics);
    };
    const Harmonics upwards = in_last_period(1);
    EXPECT_NEAR(upwards.mean, flow.exact_mean, 0.02 * flow.exact_mean);
    EXPECT_NEAR(flow.exact_mean, 1000 * 9.81 * 0.04, 1e-9);
    // In the tank's frame the water is pushed by its acceleration, A w^2, and what a body displaces with it; the water
    // resonates 1.8-fold at this frequency.
    const Harmonics along = in_last_period(0);
    const double displaced = 1000 * 0.04 * 0.002 * flow.frequency * flow.frequency;
    EXPECT_GT(std::abs(along.lines[0]), displaced);
    EXPECT_LT(std::abs(along.lines[0]), 10 * displaced);
    EXPECT_LT(std::abs(along.mean), 0.25 * std::abs(along.lines[0]));  // it has just begun
}

}  // namespace
}  // namespace halfulp::test
