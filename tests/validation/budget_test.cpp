// The error budget's parts, each against something worked out another way.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/evolution/simulation.hpp"
#include "core/setup/read_case.hpp"
#include "validation/arithmetic.hpp"
#include "validation/budget/condition.hpp"
#include "validation/budget/exchange.hpp"
#include "validation/budget/loss.hpp"
#include "validation/laboratory.hpp"
#include "validation/study.hpp"

namespace halfulp::test {
namespace {

TEST(Loss, HalfAnUlp)
{
    EXPECT_EQ(ulp_of(1.0F), 0x1p-23);
    EXPECT_EQ(ulp_of(-1.5F), 0x1p-23);
    EXPECT_EQ(ulp_of(2.0F), 0x1p-22);
    EXPECT_EQ(ulp_of(std::nextafter(1.0F, 0.0F)), 0x1p-24);
    EXPECT_EQ(ulp_of(0.0F), 0x1p-149);
}

TEST(Loss, IsWholeBelowHalfAnUlpAndBitsAreThoseBelowTheLastKept)
{
    // Below half an ulp of 1, and on a tie, which goes to the even number 1.
    EXPECT_TRUE(loss_of(1.0F, 1.0F, 0x1p-25F).whole);
    EXPECT_TRUE(loss_of(1.0F, 1.0F, 0x1p-24F).whole);
    EXPECT_TRUE(loss_of(1.0F, 1.0F, 0x1p-24F).counts);
    EXPECT_EQ(loss_of(1.0F, 1.0F, 0x1p-25F).bits, 24);
    // More than half: one bit of it arrives.
    EXPECT_FALSE(loss_of(1.0F, 1.5F, 0x1p-24F).whole);
    EXPECT_EQ(loss_of(1.0F, 1.0F, 0x1p-23F).bits, 23);
    EXPECT_FALSE(loss_of(1.0F, -1.0F, 0x1p-23F).whole);
    // As large as the number itself, or larger, nothing is below.
    EXPECT_EQ(loss_of(1.0F, 1.0F, 1.0F).bits, 0);
    EXPECT_EQ(loss_of(0.001F, 1.0F, 1.0F).bits, 0);
    EXPECT_EQ(loss_of(0.0F, 1.0F, 0x1p-30F).bits, 0);
    EXPECT_FALSE(loss_of(0.0F, 1.0F, 0x1p-30F).whole);
    // Far from the origin more is lost.
    EXPECT_EQ(loss_of(1024.0F, 1.0F, 0x1p-5F).bits, 15);
    EXPECT_FALSE(loss_of(1.0F, 0.0F, 1.0F).counts);
    Tally tally;
    tally.add(loss_of(1.0F, 0.0F, 1.0F));
    tally.add(loss_of(1.0F, 1.0F, 0x1p-25F));
    tally.add(loss_of(1.0F, 1.0F, 0x1p-23F));
    EXPECT_EQ(tally.share(), 0.5);
    EXPECT_EQ(tally.mean_bits(), 23.5);
}

Problem tank(const std::vector<std::string>& more = {}, const std::string& name = "inviscid-tank-2d")
{
    std::vector<std::string> overrides{"numerics.precision=robust"};
    overrides.insert(overrides.end(), more.begin(), more.end());
    return prepare(read_case(find_case(name), overrides));
}

TEST(Loss, OfAParticleInTheOperationsOfTheScheme)
{
    const Problem problem = tank();
    HeldParticle p;
    p.cell = {3, -2, 0};
    p.offset = {0.25F, 0.25F, 0};
    p.velocity = {0x1p-10F, 0, 0};
    p.density = 0x1p-8F;
    p.rate = {0x1p-4F, 0, 0, 0x1p-6F};
    // Positions and velocities change in halves of a step: 2^-10 2^-9 in a number from 1/4 on, of 24 bits.
    const auto offset = losses_of(problem, p, offset_in_cell, 0x1p-8);
    ASSERT_EQ(offset.size(), 2U);
    EXPECT_EQ(offset[0].bits, 17);
    EXPECT_FALSE(offset[1].counts);                                              // it does not move upwards
    EXPECT_EQ(losses_of(problem, p, coordinate_at_origin, 0x1p-8)[0].bits, 20);  // 3.25
    EXPECT_EQ(losses_of(problem, p, velocity_held, 0x1p-8)[0].bits, 3);
    // A density changes once a step. rho of 1000 kg/m^3 and a bit: 2^9, changed by 1000 2^-14 = 2^-5 and a bit.
    EXPECT_EQ(losses_of(problem, p, density_centred, 0x1p-8)[0].bits, 6);
    EXPECT_EQ(losses_of(problem, p, density_absolute, 0x1p-8)[0].bits, 14);
    EXPECT_EQ(losses_of(problem, p, density_relative, 0x1p-8)[0].bits, 14);
}

TEST(Residuals, AreMeasuredInHalvesOfAnUlp)
{
    const Problem problem = tank();
    HeldParticle p;
    p.offset = {1.0F, 0.5F, 9};
    p.offset_residual = {0x1p-25F, -0x1p-25F, 9};  // half of half an ulp, all of it; the third is none in 2D
    HeldParticle wall = p;
    wall.kind = Kind::wall;
    wall.offset_residual = {1, 1, 1};
    const Residuals r = residuals_of(problem, {p, wall}, Quantity::position);
    EXPECT_EQ(r.count, 2);
    EXPECT_EQ(r.largest, 1);
    EXPECT_EQ(r.mean, 0.75);
    EXPECT_EQ(r.histogram[10], 0.5);
    EXPECT_EQ(r.histogram[19], 0.5);
    EXPECT_EQ(r.root_mean_square, 0x1p-25);
}

// Particles of the fluid in a row along x, `distances` apart in cell sides, at the density s.
std::vector<HeldParticle> row(const std::vector<float>& places, float s)
{
    std::vector<HeldParticle> particles(places.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
        const float cell = std::nearbyint(places[i]);
        particles[i].cell = {static_cast<std::int32_t>(cell), 0, 0};
        particles[i].offset = {places[i] - cell, 0, 0};
        particles[i].density = s;
        particles[i].velocity = {places[i], 0, 0};
    }
    return particles;
}

TEST(Condition, OfOnePairIsOneAndOfBalancedForcesInfinite)
{
    Problem problem = tank();
    for (float& component : problem.parameters.gravity) component = 0;
    const auto two = conditions_of(problem, row({0, 0.75F}, 0.01F));
    EXPECT_EQ(two[0].neighbours, 1);
    EXPECT_EQ(two[0].forces.condition(), 1);
    EXPECT_EQ(two[0].density_rate.condition(), 1);
    EXPECT_LT(two[0].value[0], 0);  // pressed away from its neighbour
    EXPECT_EQ(two[0].value[0], -two[1].value[0]);
    const auto three = conditions_of(problem, row({-0.75F, 0, 0.75F}, 0.01F));
    EXPECT_EQ(three[1].forces.condition(), std::numeric_limits<double>::infinity());
    EXPECT_EQ(three[1].density_rate.condition(), 1);  // both go away from it
    EXPECT_EQ(conditions_of(problem, row({0, 5}, 0.01F))[0].neighbours, 0);
    // Gravity is a term of the acceleration and not of the forces.
    problem.parameters.gravity[1] = -1;
    const auto heavy = conditions_of(problem, row({0, 5}, 0.01F));
    EXPECT_EQ(heavy[0].acceleration.condition(), 1);
    EXPECT_EQ(heavy[0].value[1], -1);
}

// Largest difference of a run's accelerations from those in double, in u of the terms.
double difference_after(const Problem& problem, int steps)
{
    Simulation simulation(problem, make_cpu_backend(problem, one_thread));
    for (int k = 0; k < steps; ++k) simulation.step();
    const auto particles = held_particles(problem, simulation.backend());
    const auto conditions = conditions_of(problem, particles);
    double largest = 0;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        if (particles[i].kind != Kind::fluid) continue;
        EXPECT_GT(conditions[i].neighbours, 5);
        for (std::size_t c = 0; c < 3; ++c)
            largest = std::max(largest, std::abs(static_cast<double>(particles[i].rate[c]) - conditions[i].value[c]) /
                                            (0x1p-24 * conditions[i].scale));
    }
    return largest;
}

TEST(Condition, ItsSumsAreThoseOfTheRun)
{
    // Some ten roundings a term: a wrong neighbour or formula would make millions of u.
    EXPECT_LT(difference_after(tank(), 300), 32);
    EXPECT_LT(difference_after(tank({"origin.cells=[-1000,70000]"}), 100), 32);
    EXPECT_LT(difference_after(
                  tank({"fluid.artificial_viscosity=0", "numerics.density_diffusion=none", "resolution.spacing=0.06"},
                       "dam-break-3d"),
                  20),
              32);
    // Images along periods, and no walls.
    Problem periodic = tank(
        {"resolution.spacing=0.04", "numerics.skin=0.25", "numerics.walls=dynamic", "numerics.density_diffusion=none"},
        "taylor-green-2d");
    periodic.physics.laminar_viscosity = LaminarViscosity::none;
    EXPECT_LT(difference_after(periodic, 10), 32);
}

TEST(Condition, RefusesWhatItDoesNotKnow)
{
    EXPECT_THROW(conditions_of(tank({"numerics.velocity_smoothing=0.5"}), {}), Error);
    EXPECT_THROW(conditions_of(tank({}, "oscillating-drop-2d"), {}), Error);
}

TEST(Exchange, PairsAreSymmetricInEveryPolicyAndNotInTheOtherOrder)
{
    const Problem problem = tank();
    Simulation simulation(problem, make_cpu_backend(problem, one_thread));
    for (int k = 0; k < 300; ++k) simulation.step();
    const auto particles = held_particles(problem, simulation.backend());
    const auto all = fluid_pairs(problem, particles, 1'000'000);
    EXPECT_GT(all.size(), 1000U);
    const auto pairs = fluid_pairs(problem, particles, 100);
    ASSERT_EQ(pairs.size(), 100U);
    for (const PolicyInfo& policy : laboratory_policies(Scale::full)) {
        const Asymmetry a = asymmetry_of(problem, particles, pairs, policy.name);
        // In what is left both forces are exactly zero: the pair is at the end of the support.
        EXPECT_GE(a.pairs, 98) << policy.name;
        EXPECT_EQ(a.asymmetric, 0) << policy.name;
    }
    const Asymmetry other = asymmetry_of_other_order(problem, particles, pairs);
    EXPECT_GT(other.asymmetric, 0);
    EXPECT_GT(other.largest, 1e-8);
}

TEST(Exchange, ADropKeepsItsMomentumToRounding)
{
    const auto drop = [](const char* precision) {
        return net_momentum(read_case(find_case("elliptical-drop-2d"),
                                      {"resolution.spacing=0.16", "shapes.drop.circle.centre=[0.013,0.027]",
                                       std::string("numerics.precision=") + precision}),
                            10);
    };
    const NetMomentum robust = drop("robust");
    EXPECT_EQ(robust.steps, 10);
    EXPECT_GT(robust.largest_force, 0);
    EXPECT_LT(robust.largest_force, 3 * 0x1p-24);    // two roundings of each particle's sum, and terms of second order
    EXPECT_LT(drop("double").largest_force, 1e-14);  // about n u, n neighbours
    EXPECT_GT(drop("naive").gained, robust.gained);
    // Gravity is a force from outside: it shows.
    const NetMomentum heavy = net_momentum(
        read_case(find_case("elliptical-drop-2d"), {"resolution.spacing=0.16", "gravity=[0,-1000000]"}), 10);
    EXPECT_GT(heavy.largest_force, 0.01);
    EXPECT_GT(heavy.gained, 0.01);
}

}  // namespace
}  // namespace halfulp::test
