// The front of a collapse against tables made by hand.
#include <gtest/gtest.h>

#include "core/output/front.hpp"

namespace halfulp::test {
namespace {

using Points = std::vector<std::array<double, 2>>;

// With L = 0.5 m and g = 1 m/s^2 the scaled time is twice the time. The front moves at 1 m/s from x = 1.5 m, measured
// from x = 1 m: x/L = 1 + T at the scaled time T.
Points moving_front()
{
    Points history;
    for (int k = 0; k <= 20; ++k) history.push_back({0.1 * k, 1.5 + 0.1 * k});
    return history;
}

Front with_tables(std::vector<Points> tables)
{
    Front front{.start = 1, .length = 0.5, .references = {}};
    for (Points& points : tables)
        front.references.push_back({.name = "table", .citation = "", .points = std::move(points)});
    return front;
}

std::vector<FrontScore> scores_of(const Front& front) { return score_front(front, 1, moving_front()); }

TEST(FrontScore, MeanAndLargestDeviationBetweenRows)
{
    // Exact at T = 0.5 (between two rows), 10 % behind at T = 1: 2 against 2 / 1.1 of the table; beyond the run at T
    // = 9. Two points are too few to fit a lag or a speed to.
    const auto scores = scores_of(with_tables({{{0.5, 1.5}, {1, 2 / 1.1}, {9, 10}}}));
    ASSERT_EQ(scores.size(), 1U);
    EXPECT_EQ(scores[0].points, 2U);
    EXPECT_EQ(scores[0].table_points, 3U);
    EXPECT_NEAR(scores[0].largest_deviation, 0.1, 1e-12);
    EXPECT_NEAR(scores[0].mean_deviation, 0.05, 1e-12);
    EXPECT_EQ(scores[0].mean_deviation, scores[0].mean_deviation_as_published);
    EXPECT_EQ(scores[0].lag, 0);
    EXPECT_EQ(scores[0].speed, 0);
}

TEST(FrontScore, TheLagOfAGateIsFitted)
{
    // Behind by 0.25; a time before the fluid starts counts as the start.
    const auto scores = scores_of(with_tables({{{0.125, 1}, {1.25, 2}, {2.25, 3}, {2.75, 3.5}}}));
    EXPECT_NEAR(scores[0].lag, 0.25, 1e-12);
    EXPECT_NEAR(scores[0].mean_deviation, 0, 1e-12);
    EXPECT_NEAR(scores[0].mean_deviation_as_published, (0.125 / 1 + 0.25 / 2 + 0.25 / 3 + 0.25 / 3.5) / 4, 1e-12);
    EXPECT_NEAR(scores[0].speed, 1, 1e-12);
}

TEST(FrontScore, ALagDoesNotHideAnotherSpeed)
{
    // A table whose front is slower by a fifth beyond x/L = 1.5; what a lag can mend is not its speed.
    const Points slow{{0.5, 1.5}, {1, 1.9}, {1.5, 2.3}, {2, 2.7}, {2.5, 3.1}};
    const Points right{{0.5, 1.5}, {1, 2}, {2, 3}, {3, 4}};
    const Points fast{{0.5, 1.6}, {1, 2.2}, {1.5, 2.8}, {2, 3.4}};
    Front front = with_tables({slow});
    front.tolerance = 0.06;
    EXPECT_NEAR(scores_of(front)[0].speed, 1.25, 1e-9);
    EXPECT_LT(scores_of(front)[0].mean_deviation, 0.06);
    EXPECT_FALSE(accepted(front, scores_of(front)));
    // Between two experiments that disagree; with both on one side; and beyond the deviation that is accepted.
    const auto verdict = [](const std::vector<Points>& tables, double tolerance) {
        Front f = with_tables(tables);
        f.tolerance = tolerance;
        return accepted(f, scores_of(f));
    };
    EXPECT_TRUE(verdict({slow, right}, 0.06));
    EXPECT_TRUE(verdict({slow, fast}, 0.2));
    EXPECT_FALSE(verdict({fast}, 0.2));
    EXPECT_FALSE(verdict({slow, right}, 0.005));
}

TEST(FrontScore, ATableOfAFrontAtRestHasNoSpeed)
{
    const auto scores = scores_of(with_tables({{{0.5, 2}, {1, 2}, {2, 2}}}));
    EXPECT_EQ(scores[0].points, 3U);
    EXPECT_EQ(scores[0].speed, 0);
}

}  // namespace
}  // namespace halfulp::test
