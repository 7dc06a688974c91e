// Lists for a course (core/neighbours/course.hpp) against pairs that do their worst: they come from just beyond its
// reach and stray from it towards each other by as much as it bears.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "core/neighbours/course.hpp"
#include "tests/core/neighbours/particle_cloud.hpp"

namespace halfulp::test {
namespace {

constexpr double support = 1.7;
constexpr double skin = 0.3;
constexpr double drift = 0.01;

// A course on which particles have strayed before, so that it expects that again.
Course bent_course(double longest, double deviation)
{
    Course course(support, skin);
    course.stay(true);
    EXPECT_TRUE(course.must_renew(false, true, 0, longest, drift));
    EXPECT_TRUE(course.has_moves());
    EXPECT_TRUE(course.must_renew(true, true, deviation, longest, drift));
    return course;
}

// The largest deviation at which lists are kept, by bisection; each try on a copy.
double largest_deviation(const Course& course, double longest)
{
    double kept = 0;
    double renewed = support;
    for (int round = 0; round < 60; ++round) {
        const double middle = 0.5 * (kept + renewed);
        Course copy = course;
        (copy.must_renew(false, true, middle, longest, drift) ? renewed : kept) = middle;
    }
    return kept;
}

TEST(CourseTest, NoPairComesWithinTheSupportUnlisted)
{
    Random random(11);
    for (int round = 0; round < 2000; ++round) {
        const double longest = 0.1 * skin * random.uniform(0.01, 1);
        const Course course = bent_course(longest, longest * random.uniform(0, 0.2));
        const double strayed = largest_deviation(course, longest);
        ASSERT_GT(strayed, 0);
        // A relative move until the horizon, and a place from which it passes at the reach, at some time of the course.
        const double angle = random.uniform(0, 6.28);
        const double length = longest / drift * course.horizon() * random.uniform(0, 2);
        const Vec<2, double> relative{{length * std::cos(angle), length * std::sin(angle)}};
        const double share = random.uniform(0, 1);
        const double at = random.uniform(0, 6.28);
        const Vec<2, double> nearest{{course.reach() * std::cos(at), course.reach() * std::sin(at)}};
        // The test of the lists, with the place halfway.
        Vec<2, double> halfway;
        for (int c = 0; c < 2; ++c) halfway[c] = nearest[c] + (0.5 - share) * relative[c];
        const double square = dot(halfway, halfway) - std::fabs(dot(halfway, relative));
        EXPECT_LT(square, course.reach() * course.reach() * (1 + 1e-12)) << "a pair at the reach is not listed";
        // Just beyond the reach, both astray.
        EXPECT_GE(course.reach() - 2 * strayed, support) << "a pair beyond the reach comes within the support";
        EXPECT_LT(course.reach() - 2 * strayed, support * 1.001) << "lists are longer than they need be";
    }
}

// A device that holds operations by this answer must hold them exactly where lists are made.
TEST(CourseTest, TellsBeforehandWithWhatDeviationListsServe)
{
    Random random(12);
    int known = 0;
    int ended = 0;
    for (int round = 0; round < 2000; ++round) {
        const double longest = 0.1 * skin * random.uniform(0.01, 1);
        Course course = bent_course(longest, longest * random.uniform(0, 0.2));
        for (int step = static_cast<int>(random.uniform(0, 80)); step > 0; --step)
            static_cast<void>(course.must_renew(false, true, 0, longest, drift));
        const std::optional<double> most = course.most_deviation(true, drift);
        const auto is_renewed = [&](double deviation) {
            Course copy = course;
            return copy.must_renew(false, true, deviation, longest, drift);
        };
        EXPECT_EQ(is_renewed(most.value_or(0)), !most.has_value());
        if (most) {
            EXPECT_TRUE(is_renewed(std::nextafter(*most, support)));
        }
        ++(most ? known : ended);
    }
    EXPECT_GT(known, 500);
    EXPECT_GT(ended, 20);
    Course none(support, skin);
    none.stay(false);
    EXPECT_TRUE(std::isinf(none.most_deviation(false, drift).value()));
    EXPECT_FALSE(none.must_renew(false, false, 1e9, 1, drift));
    EXPECT_FALSE(none.most_deviation(true, drift).has_value()) << "a course may begin";
}

// Each particle on a parabola, as its acceleration leads it, with the tolerance that this gives it.
TEST(CourseTest, ParabolasAreWithinTheirTolerance)
{
    Random random(12);
    constexpr double most = 0.1;
    for (int round = 0; round < 1000; ++round) {
        Vec<2, double> straight;
        Vec<2, double> bend;
        for (int c = 0; c < 2; ++c) {
            straight[c] = random.uniform(-0.3, 0.3);
            bend[c] = random.uniform(-0.07, 0.07);
        }
        const Four<double> place{random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), 0, 0};
        const Four<double> move = course_of<2>(straight, bend, most);
        const double bent = std::sqrt(dot(bend, bend));
        EXPECT_NEAR(move.w, 0.5 * bent, 1e-15);
        double farthest = 0;
        for (double share = 0; share <= 1; share += 0.125) {
            const Vec<2, double> nothing{{0, 0}};
            Four<double> here = place;
            for (int c = 0; c < 2; ++c) here[c] += share * straight[c] + share * share * bend[c];
            const Four<double> exact{move.x, move.y, 0, 0};
            const double from_chord = deviation_of<2>(CourseView<double>{&place, &exact, share}, 0, here, nothing);
            farthest = std::max(farthest, from_chord);
            // By so much more it may stray.
            const double beyond = deviation_of<2>(CourseView<double>{&place, &move, share}, 0, here, nothing);
            EXPECT_EQ(beyond, std::max(0.0, from_chord - move.w));
            EXPECT_EQ(beyond, 0.0);
        }
        EXPECT_NEAR(farthest, 0.25 * bent, 1e-12) << "a parabola leaves its chord by a quarter of its bend";
    }
}

// A rate that is of no use, as before the first step.
TEST(CourseTest, UnbelievableBendsGetTheWidestTolerance)
{
    constexpr float most = 0.1F;
    const Vec<2, float> straight{{0.2F, -0.1F}};
    for (const float bend : {std::nanf(""), HUGE_VALF, -HUGE_VALF, 3e38F, 0.11F}) {
        const Four<float> move = course_of<2>(straight, Vec<2, float>{{bend, 0.0F}}, most);
        EXPECT_EQ(move.x, 0.2F) << bend;
        EXPECT_EQ(move.y, -0.1F) << bend;
        EXPECT_EQ(move.w, 0.5F * most) << bend;
    }
}

TEST(CourseTest, EndsAtItsHorizon)
{
    Course course = bent_course(0.02 * skin, 0);
    double time = drift;
    int steps = 1;
    while (!course.must_renew(false, true, 0, 0.02 * skin, drift)) {
        time += drift;
        ++steps;
        EXPECT_GE(course.share(0), 0.0);
        EXPECT_LE(course.share(0), 1.0);
        ASSERT_LE(time, course.horizon() * (1 + 1e-12));
    }
    // Until the fastest particle has outrun half the skin, and somewhat longer.
    EXPECT_GE(steps, 25);
    EXPECT_LE(steps, 30);
}

// Where drifts precede refreshs the course begins at the end of one, and its horizon follows from the displacements.
TEST(CourseTest, BeginsAfterADrift)
{
    const double move = 0.02 * skin;  // in a drift
    Course course(support, skin);
    course.stay(true);
    EXPECT_TRUE(course.must_renew_after(true, true, 0, move, drift));
    for (int rebuilds = 0; rebuilds < 3; ++rebuilds) {
        ASSERT_TRUE(course.has_moves());
        EXPECT_EQ(course.share(0), 0.0) << "no particle has moved since";
        int steps = 1;
        for (double displacement = move; !course.must_renew_after(false, true, 0, displacement, drift); ++steps) {
            ASSERT_NEAR(course.share(0), steps * drift / course.horizon(), 1e-12);
            displacement += move;
        }
        // As where refreshs precede drifts; the rebuild that would have come before sets the displacements back.
        EXPECT_GE(steps, 25);
        EXPECT_LE(steps, 30);
        EXPECT_TRUE(course.must_renew_after(true, true, 0, 26 * move, 26 * drift));
        EXPECT_TRUE(course.must_renew_after(true, true, 0, move, drift));
    }
    EXPECT_TRUE(course.must_renew_after(false, true, support, move, drift)) << "a particle has strayed";
    EXPECT_FALSE(course.must_renew_after(false, true, 0, 2 * move, drift)) << "from the course that began then";
}

// A drift back in time leaves the course before its beginning, however straight.
TEST(CourseTest, DoesNotServeTheWayBack)
{
    Course course = bent_course(0.02 * skin, 0);
    EXPECT_FALSE(course.must_renew(false, true, 0, 0.02 * skin, -drift)) << "back to the beginning";
    EXPECT_TRUE(course.must_renew(false, true, 0, 0.02 * skin, -drift));
    EXPECT_FALSE(course.is_assumed());
}

TEST(CourseTest, ServesThePresentPlaceOnlyWithoutAStep)
{
    Course course(support, skin);
    course.stay(true);
    EXPECT_FALSE(course.has_moves());
    EXPECT_FALSE(course.must_renew(false, true, 0, 0, 0));
    EXPECT_TRUE(course.must_renew(false, true, 0.01 * support, 0, 0));
    // Without a coming step the next lists are those of support + skin, which no course renews.
    EXPECT_FALSE(course.is_assumed());
    EXPECT_FALSE(course.must_renew(false, true, 0, 0, 0));
    EXPECT_TRUE(course.must_renew(true, false, 0, 0.01, drift));
    EXPECT_FALSE(course.is_assumed());
    EXPECT_FALSE(course.must_renew(false, false, 0, 0.01, drift));
}

}  // namespace
}  // namespace halfulp::test
