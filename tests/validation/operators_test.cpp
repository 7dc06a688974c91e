// Right-hand sides taken apart: the parts are the back end's own, and what they are compared with is exact.
#include <cmath>

#include <gtest/gtest.h>

#include "core/backends/cpu/cpu_backend.hpp"
#include "core/error.hpp"
#include "core/setup/policy_table.hpp"
#include "validation/operators/measure.hpp"

namespace halfulp::test {
namespace {

constexpr Block small{.edge = 12};

// Every policy in float and double: were one operation of the host's evaluation another than the pair loops', bits
// would differ.
TEST(Operators, AllSourcesTogetherHaveTheBitsOfTheBackEnd)
{
    for (const std::int32_t displacement : {0, 12345}) {
        for (const PolicyInfo& policy : policies()) {
            if (policy.number == "quad") continue;
            Block block = small;
            block.displacement = displacement;
            const auto errors = measure_operators(block, policy.name, true);
            EXPECT_EQ(errors.differing, 0) << policy.name << ", " << displacement << " cells away";
        }
    }
}

TEST(Operators, AllSourcesTogetherHaveTheBitsOfTheBackEndIn3D)
{
    const Block block{.dimensions = 3, .edge = 9, .displacement = 100};
    for (const char* name : {"robust", "naive", "dualsphysics", "reversible", "double"})
        EXPECT_EQ(measure_operators(block, name, true).differing, 0) << name;
}

// Double's error is 2^-29 of float's: a reference of fewer than 53 digits, or of other particles, would not give that.
TEST(Operators, DoubleIsExactToItsRoundings)
{
    const auto errors = measure_operators(small, "double", false);
    EXPECT_GT(errors.acceleration.rms_start, 0);
    EXPECT_LT(errors.acceleration.rms_start, 1e-15);
    EXPECT_LT(errors.density_rate.rms_start, 1e-15);
}

// Two programs of the same formulas in 113 bits: a hundred roundings of 1e-34.
TEST(Operators, HostAndBackEndAgreeInQuad)
{
    Block far = small;
    far.displacement = 1'000'000'000;
    for (const char* quad : {"quad", "quad/units=si"}) EXPECT_LT(difference_of_quads(far, quad), 1e-30) << quad;
}

// The shares add up as vectors, so the error's rms is at most the sum of theirs.
TEST(Operators, SharesExplainTheError)
{
    for (const char* name : {"robust", "naive"}) {
        const auto errors = measure_operators(small, name, true);
        for (const ErrorOfRate* e : {&errors.acceleration, &errors.density_rate}) {
            double sum = 0;
            for (const double share : e->share) sum += share;
            EXPECT_LE(e->rms_start, sum * (1 + 1e-9)) << name;
            EXPECT_GT(e->rms_start, 0) << name;
        }
        // ds/dt knows no pressure.
        EXPECT_EQ(errors.density_rate.share[3], 0) << name;
        EXPECT_GT(errors.acceleration.share[3], 0) << name;
    }
    const auto robust = measure_operators(small, "robust", true);
    EXPECT_EQ(robust.acceleration.share[0], 0) << "robust holds the start exactly";
    EXPECT_EQ(robust.acceleration.share[1], 0);
}

TEST(Operators, ABlockIsTheSameParticlesEverywhereAndInAllUnits)
{
    Block far = small;
    far.displacement = 1'000'000'000;
    const Problem here = problem_of(small, "robust");
    const Problem there = problem_of(far, "naive");
    ASSERT_EQ(here.particles.size(), 144u);
    ASSERT_EQ(there.particles.size(), 144u);
    for (std::size_t id = 0; id < 144; ++id) {
        const InitialParticle& a = here.particles[id];
        const InitialParticle& b = there.particles[id];
        for (std::size_t c = 0; c < 2; ++c) {
            EXPECT_EQ(std::int64_t(a.cell[c]) - here.source.origin.cells[c],
                      std::int64_t(b.cell[c]) - there.source.origin.cells[c]);
            EXPECT_EQ(a.offset[c], b.offset[c]);
            EXPECT_EQ(static_cast<double>(a.velocity[c]) * here.units.velocity,
                      static_cast<double>(b.velocity[c]) * there.units.velocity);
        }
        EXPECT_EQ(a.density, b.density);
        EXPECT_LE(std::abs(a.density), small.deviation);
    }
    // 12 spacings less a support of 4 at each end, jittered.
    const auto interior = interior_of(here, small);
    EXPECT_GE(interior.size(), 9u);
    EXPECT_LE(interior.size(), 25u);
    EXPECT_TRUE(interior_of(problem_of({.edge = 6}, "robust"), {.edge = 6}).empty());
}

TEST(Operators, WhatCannotBeTakenApartIsRefused)
{
    Problem problem = problem_of(small, "quad");
    EXPECT_THROW(evaluate(problem, {}, {0}, 0), Error);
    problem = problem_of(small, "robust");
    problem.physics.artificial_viscosity = true;
    EXPECT_THROW(evaluate(problem, {}, {0}, 0), Error);
    EXPECT_THROW(measure_operators({.edge = 6}, "robust", false), Error);
}

// Equal moves are all rounded the same way by plain updates, so that their errors add up.
// Compensated ones lose none, but pairs
// read the leading part of a global coordinate, which has fewer digits far away. Errors of ds/dt in ulps, measured:
// 340, 102, 2.4; docs/laboratory.md has those of a larger block.
TEST(Operators, DriftsLoseDigitsOnlyWithoutCompensation)
{
    Block far = small;
    far.displacement = 100;
    const auto ulps = [&](const char* precision) { return errors_after_drifts(far, precision, 1000)[1] / 0x1p-23; };
    EXPECT_LT(ulps("robust"), 3);
    EXPECT_GT(ulps("robust/update=plain"), 100 * ulps("robust"));
    EXPECT_GT(ulps("robust/position=global"), 30 * ulps("robust"));
    EXPECT_LT(ulps("double"), 3 * 0x1p-20);
}

// Half an ulp of rho is 2^-25 to 2^-24 of rho0; what is centred throughout has a few roundings of s itself.
TEST(PressurePair, OnlyCentredThroughoutGainsFromSmallDeviations)
{
    const double u = 0x1p-24;
    ASSERT_EQ(pressure_ways().size(), 6u);
    for (const PressureWay& way : pressure_ways()) {
        for (const double s : {1e-6, 1e-3}) {
            const PressureErrors e = way.errors(s, 500);
            const bool centred = way.storage == "centred" && way.evaluation == "horner";
            const std::string where = way.storage + ", " + way.evaluation;
            EXPECT_LE(e.rms, e.largest) << where;
            if (centred) EXPECT_LT(e.largest, 16 * u * s) << where;
            else EXPECT_GT(e.rms, u / 4) << where;
            EXPECT_LT(e.largest, 16 * u) << where;
        }
    }
}

}  // namespace
}  // namespace halfulp::test
