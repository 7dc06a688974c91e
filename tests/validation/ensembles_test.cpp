// Ensembles: what sets their members apart, and what is found when they differ.
#include <gtest/gtest.h>

#include <cmath>

#include "core/setup/read_case.hpp"
#include "validation/chaos/ensemble.hpp"

namespace halfulp::test {
namespace {

Case tank(const std::string& precision = "robust", const std::string& end = "0.05")
{
    return read_case(find_case("inviscid-tank-2d"),
                     {"numerics.precision=" + precision, "time.cfl=0.2", "time.end=" + end});
}

double coordinate(const Problem& problem, std::size_t i, std::size_t c)
{
    const InitialParticle& p = problem.particles[i];
    return (p.cell[c] + static_cast<double>(p.offset[c])) * problem.units.length;
}

TEST(Ensemble, MembersStartOneRoundingApart)
{
    const Problem lattice = prepare(tank());
    const double ulp = coordinate_ulp(lattice, true);
    EXPECT_EQ(ulp, 0x1p-25) << "of 0.475 m";
    Problem moved = lattice;
    perturb(moved, 7, ulp);
    Problem other = lattice;
    perturb(other, 8, ulp);
    Problem again = lattice;
    perturb(again, 7, ulp);
    // An offset is a float: the distance is rounded to half its ulp, 2^-25 of a cell side where it passes 1/2.
    const double rounding = 0x1p-25 * lattice.units.length * (1 + 1e-6);
    std::size_t alike = 0;
    std::size_t up = 0;
    for (std::size_t i = 0; i < lattice.particles.size(); ++i) {
        for (std::size_t c = 0; c < 2; ++c) {
            const double by = coordinate(moved, i, c) - coordinate(lattice, i, c);
            EXPECT_EQ(coordinate(moved, i, c), coordinate(again, i, c));
            if (lattice.particles[i].kind == Kind::wall) {
                EXPECT_EQ(by, 0);
                continue;
            }
            EXPECT_NEAR(std::abs(by), ulp, rounding);
            up += by > 0 ? 1 : 0;
            alike += coordinate(moved, i, c) == coordinate(other, i, c) ? 1 : 0;
        }
    }
    // 200 fair coins: five standard deviations.
    EXPECT_NEAR(static_cast<double>(up), 100, 36);
    EXPECT_NEAR(static_cast<double>(alike), 100, 36);
}

TEST(Ensemble, UlpIsThatOfWhereTheCaseLies)
{
    Case c = tank();
    c.origin.cells = {4000, -4000, 0};
    const Problem far_away = prepare(c);
    EXPECT_EQ(coordinate_ulp(far_away, false), 0x1p-25);
    EXPECT_EQ(coordinate_ulp(far_away, true), 0x1p-15) << "of 440 m";
}

TEST(Ensemble, AMemberIsItsNumberAlone)
{
    const MemberOptions options{.member = 3, .perturbation = 1e-7, .records = 4, .positions = true};
    const Member once = run_member(tank(), options);
    const Member again = run_member(tank(), options);
    ASSERT_GE(once.records.size(), 4U);
    EXPECT_FALSE(once.broke);
    EXPECT_EQ(once.hash, again.hash);
    EXPECT_EQ(once.records.back().positions.size(), 200U) << "x and y of a hundred particles";
    EXPECT_EQ(distances(once, again), std::vector<double>(once.records.size(), 0.0));
    EXPECT_EQ(once.records.back().values, again.records.back().values);
    EXPECT_EQ(once.records[0].values[std::size_t(Quantity::impulse)], 0);
    const Member other = run_member(tank(), {.member = 4, .perturbation = 1e-7, .records = 4, .positions = true});
    EXPECT_GT(distances(once, other)[0], 1e-8);
    EXPECT_LT(distances(once, other).back(), 1e-5);
}

// Water that fills the tank presses on the far wall from the start: its impulse is pressure times time.
TEST(Ensemble, ImpulseIsThatOfTheFarWall)
{
    Case c = read_case(find_case("still-water"), {"time.end=0.05", "time.step=fixed", "time.cfl=0.2"});
    const Member still = run_member(c, {.member = 0, .perturbation = 0, .records = 2});
    const auto& last = still.records.back();
    const double mean_pressure = last.values[std::size_t(Quantity::impulse)] / last.time;
    double surface = 0;
    const Problem problem = prepare(c);
    for (const InitialParticle& p : problem.particles)
        if (p.kind == Kind::fluid)
            surface = std::max(surface, (p.cell[1] + double(p.offset[1])) * problem.units.length);
    // The lower half of a hydrostatic column: three quarters of the pressure at the bottom.
    EXPECT_NEAR(mean_pressure, 0.75 * 1000 * 9.81 * surface, 0.1 * 1000 * 9.81 * surface);
}

TEST(Divergence, TimesAreInterpolatedInTheLogarithm)
{
    const std::vector<double> times{0, 1, 2, 3};
    EXPECT_NEAR(time_beyond(times, {1e-8, 1e-6, 1e-4, 1e-2}, 1e-5), 1.5, 1e-12);
    EXPECT_EQ(time_beyond(times, {0, 1e-6, 1e-4, 1e-2}, 1e-7), 1) << "no logarithm to start from";
    EXPECT_EQ(time_beyond(times, {0, 0, 0, 0}, 1e-7), 3) << "never";
    const Divergence apart{.times = times,
                           .typical = {1, std::exp(2.0), std::exp(4.0), 1},
                           .smallest = {},
                           .largest = {},
                           .first = {},
                           .second = {}};
    EXPECT_NEAR(growth_rate(apart, 0, 2), 2, 1e-12);
    EXPECT_EQ(typical_at(apart, 2.9), 1);
}

// Members whose front is `shift` apart, in 12 steps from 0 to 1, and with the same other values.
Ensemble fronts(const std::string& name, double shift)
{
    Ensemble ensemble{.name = name, .reference = "reference", .perturbation = 0, .members = {}};
    for (int k = 0; k < 12; ++k) {
        Member member;
        member.records.push_back({.time = 1, .values = {k / 11.0 + shift, 1, 1, 1}, .positions = {}});
        ensemble.members.push_back(member);
    }
    return ensemble;
}

TEST(Distinction, FindsWhatDiffersAndNothingElse)
{
    const Ensemble reference = fronts("reference", 0);
    EXPECT_EQ(distinguish(fronts("same", 0), reference, {0}).smallest_p, 1);
    EXPECT_GT(distinguish(fronts("near", 0.1), reference, {0}).smallest_p, 0.05);
    const Distinction far_away = distinguish(fronts("far", 2), reference, {0});
    EXPECT_LT(far_away.smallest_p, 1e-4);
    EXPECT_EQ(far_away.tests.size(), quantities.size());
    EXPECT_NE(far_away.where.find("front"), std::string::npos);
    EXPECT_EQ(far_away.tests[0].distance, 1);
    EXPECT_NEAR(far_away.tests[0].welch.difference, 2, 1e-12);
    EXPECT_LT(confirmed_p(far_away, fronts("far again", 2), reference), 1e-5);
    EXPECT_GT(confirmed_p(far_away, fronts("chance", 0.1), reference), 0.05);
}

}  // namespace
}  // namespace halfulp::test
