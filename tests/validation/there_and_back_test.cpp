// Runs forwards and back: what is measured, and what the policies leave.
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "core/setup/read_case.hpp"
#include "validation/reversal/there_and_back.hpp"

namespace halfulp::test {
namespace {

Case tank(const std::string& precision, const std::vector<std::string>& more = {})
{
    std::vector<std::string> overrides{"numerics.precision=" + precision};
    overrides.insert(overrides.end(), more.begin(), more.end());
    return read_case(find_case("inviscid-tank-2d"), overrides);
}

TEST(ThereAndBack, DistanceOfPointsKnowsWhatIsNoNumber)
{
    const Points a{{0, 0, 0}, {1, 2, 3}};
    EXPECT_EQ(farthest(a, a), 0);
    EXPECT_EQ(farthest(a, Points{{0, 3, 4}, {1, 2, 3}}), 5);
    EXPECT_EQ(farthest(a, Points{{0, 0, 0}}), INFINITY);
    EXPECT_EQ(farthest(a, Points{{NAN, 0, 0}, {1, 2, 3}}), INFINITY);
    EXPECT_EQ(farthest(a, Points{{0, 0, 0}, {1, INFINITY, 3}}), INFINITY);
}

TEST(ThereAndBack, ReversibleComesBackAndOthersNearly)
{
    const Return exact = there_and_back(tank("reversible"), 200, false);
    EXPECT_EQ(exact.changed, 0);
    EXPECT_EQ(exact.distance, 0);
    EXPECT_EQ(exact.speed, 0);
    EXPECT_LT(exact.broke_at, 0);
    EXPECT_GT(exact.moved, 0.01);  // m; it fell for 0.064 s, 2 cm freely
    EXPECT_EQ(exact.turn.size(), 100U);

    const Return robust = there_and_back(tank("robust"), 200, false);
    EXPECT_GT(robust.changed, 0);
    EXPECT_GT(robust.distance, 0);
    EXPECT_LT(robust.distance, 1e-7);  // m; a float coordinate of 0.5 m has half an ulp of 3e-8 m
    EXPECT_NEAR(robust.moved, exact.moved, 1e-6);
}

TEST(ThereAndBack, AResolutionIsThatOfTheState)
{
    // The tank's coordinates are up to 1.65 m with its walls: half an ulp in single precision is 2^-24 m.
    EXPECT_EQ(there_and_back(tank("naive"), 2, false).resolution, 0x1p-24);
    // In double, and as snapshots give the positions of every policy: 2^-53 m.
    EXPECT_EQ(there_and_back(tank("double"), 2, false).resolution, 0x1p-53);
    EXPECT_EQ(there_and_back(tank("robust"), 2, false).resolution, 0x1p-53);
    // 4,000 cells of 0.11 m away: coordinates of 440 m.
    const std::vector<std::string> far{"origin.cells=[4000,0]"};
    EXPECT_EQ(there_and_back(tank("naive", far), 2, false).resolution, 0x1p-16);
    EXPECT_EQ(there_and_back(tank("robust", far), 2, false).resolution, 0x1p-45);
}

TEST(Returns, CountWhereARunWentWhereDoubleGoes)
{
    Returns all;
    all["double"] = {.words = 1, .changed = 1, .distance = 1e-15, .moved = 1, .resolution = 1e-16, .turn = {{0, 0, 0}}};
    all["robust"] = {
        .words = 1, .changed = 1, .distance = 1e-9, .moved = 0.95, .resolution = 1e-16, .turn = {{3, 4, 0}}};
    all["naive"] = {.words = 1, .changed = 1, .distance = 0, .moved = 0.5, .resolution = 1e-5, .turn = {{1, 0, 0}}};
    all["gpusph"] = {.moved = 1, .broke_at = 7};
    EXPECT_TRUE(counts(all, "double"));
    EXPECT_TRUE(counts(all, "robust"));
    EXPECT_FALSE(counts(all, "naive"));
    EXPECT_FALSE(counts(all, "gpusph"));
    // Nothing is nearer than the resolution.
    EXPECT_EQ(measurable_distance(all["naive"]), 1e-5);
    EXPECT_EQ(measurable_distance(all["robust"]), 1e-9);
    EXPECT_EQ(error_at_turn(all, "robust"), 5);
    EXPECT_EQ(error_at_turn(all, "gpusph"), INFINITY);
    EXPECT_EQ(return_text(all, "gpusph"), "stopped after 7 steps");
    EXPECT_EQ(return_text(all, "naive"), "0.5 of double's way only");
    all["naive"].moved = 1;
    EXPECT_EQ(return_text(all, "naive"), "below 1.0e-05");
    EXPECT_EQ(turn_text(all, "double"), "");
    // In SI units the reference is double in SI units, where that is there.
    EXPECT_EQ(&reference(all, "naive"), &all["double"]);
    all["double/units=si"] = all["double"];
    EXPECT_EQ(&reference(all, "naive"), &all["double/units=si"]);
    EXPECT_EQ(&reference(all, "robust"), &all["double"]);
}

TEST(ThereAndBack, TheFilmHasFiveMoments)
{
    const Film film = there_and_back(tank("robust"), 3, true).film;
    ASSERT_EQ(film.size(), film_moments.size());
    for (const auto& picture : film) {
        ASSERT_EQ(picture.size(), 100U);
        for (std::size_t i = 0; i < 100; ++i) EXPECT_EQ(picture[i][2], film[0][i][1]) << "the height at the start";
    }
    EXPECT_TRUE(there_and_back(tank("robust"), 3, false).film.empty());
}

TEST(ThereAndBack, ABreakdownIsRecorded)
{
    // At rest at the bottom the density would deviate by g H/c0^2 = 0.005.
    const Return broken = there_and_back(tank("robust", {"numerics.density_bound=0.001"}), 500, false);
    EXPECT_GT(broken.broke_at, 0);
    EXPECT_LT(broken.broke_at, 500);
    EXPECT_TRUE(broken.turn.empty());
}

TEST(ThereAndBack, AVariableStepIsRefused)
{
    EXPECT_THROW(there_and_back(tank("robust", {"time.step=variable"}), 2, false), Error);
}

}  // namespace
}  // namespace halfulp::test
