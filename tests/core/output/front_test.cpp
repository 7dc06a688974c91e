// The front of a collapse against tables made by hand.
#include <gtest/gtest.h>

#include "core/output/front.hpp"

namespace halfulp::test {
namespace {

// With L = 0.5 m and g = 1 m/s^2 the scaled time is twice the time. The front moves at 1 m/s from x = 1.5 m, measured
// from x = 1 m: x/L = 1 + T at the scaled time T.
std::vector<std::array<double, 2>> moving_front()
{
    std::vector<std::array<double, 2>> history;
    for (int k = 0; k <= 20; ++k) history.push_back({0.1 * k, 1.5 + 0.1 * k});
    return history;
}

Front with_table(std::vector<std::array<double, 2>> points, double clock_ahead)
{
    return {.start = 1,
            .length = 0.5,
            .references = {{.name = "table", .citation = "", .clock_ahead = clock_ahead, .points = std::move(points)}}};
}

TEST(FrontScore, MeanAndLargestDeviationBetweenRows)
{
    // Exact at T = 0.5 (between two rows), 10 % behind at T = 1: 2 against 2 / 1.1 of the table; beyond the run at T
    // = 9.
    const auto scores = score_front(with_table({{0.5, 1.5}, {1, 2 / 1.1}, {9, 10}}, 0), 1, moving_front());
    ASSERT_EQ(scores.size(), 1U);
    EXPECT_EQ(scores[0].points, 2U);
    EXPECT_EQ(scores[0].table_points, 3U);
    EXPECT_NEAR(scores[0].largest_deviation, 0.1, 1e-12);
    EXPECT_NEAR(scores[0].mean_deviation, 0.05, 1e-12);
    EXPECT_EQ(scores[0].mean_deviation, scores[0].mean_deviation_as_published);
}

TEST(FrontScore, ClockAheadTakesTheGateOutOfTheTimes)
{
    // A table that lags by 0.25 agrees once its clock is set right; a time before the fluid starts counts as the start.
    const auto scores = score_front(with_table({{0.125, 1}, {1.25, 2}, {2.25, 3}}, 0.25), 1, moving_front());
    EXPECT_NEAR(scores[0].mean_deviation, 0, 1e-12);
    EXPECT_NEAR(scores[0].mean_deviation_as_published, (0.125 / 1 + 0.25 / 2 + 0.25 / 3) / 3, 1e-12);
}

}  // namespace
}  // namespace halfulp::test
