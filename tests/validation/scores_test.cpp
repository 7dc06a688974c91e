// Scores of curves made by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "validation/measurements/scores.hpp"

namespace halfulp::test {
namespace {

Series sampled(double from, double to, double step, const std::function<double(double)>& f)
{
    Series series;
    for (int i = 0; from + i * step <= to + 1e-12; ++i) series.add(from + i * step, f(from + i * step));
    return series;
}

TEST(Scores, ValuesLieBetweenSamples)
{
    const Series series{{1, 2, 4}, {10, 20, 0}};
    EXPECT_EQ(value_at(series, 1), 10);
    EXPECT_EQ(value_at(series, 3), 10);
    EXPECT_EQ(value_at(series, 4), 0);
    EXPECT_FALSE(value_at(series, 0.99));
    EXPECT_FALSE(value_at(series, 4.01));
    EXPECT_FALSE(value_at({}, 0));
}

TEST(Scores, ArrivalIsTheFirstRiseThroughTheThreshold)
{
    const Series series{{0, 1, 2, 3, 4}, {0, 0, 10, 0, 20}};
    EXPECT_DOUBLE_EQ(*arrival_time(series, 5), 1.5);
    EXPECT_DOUBLE_EQ(*arrival_time(series, 5, 2.9), 3.25);
    EXPECT_DOUBLE_EQ(*arrival_time(series, 10), 2);
    EXPECT_DOUBLE_EQ(*arrival_time(series, 0), 0) << "it is there already";
    EXPECT_FALSE(arrival_time(series, 21));
    EXPECT_FALSE(arrival_time(series, 5, 4.5));
}

TEST(Scores, MeansAreOverTimeNotOverSamples)
{
    const Series series{{0, 1, 1.5, 4}, {0, 2, 2, 2}};
    EXPECT_DOUBLE_EQ(*mean_over(series, 1, 4), 2);
    EXPECT_DOUBLE_EQ(*mean_over(series, 0, 2), 1.5);
    EXPECT_DOUBLE_EQ(*mean_over(series, 0.5, 1), 1.5);
    EXPECT_FALSE(mean_over(series, 3, 4.5));
    const Series smooth = moving_average({{0, 1, 2, 3, 4}, {0, 0, 4, 0, 0}}, 2);
    EXPECT_EQ(smooth.value, (std::vector<double>{0, 1, 2, 1, 0}));
    EXPECT_EQ(moving_average(series, 0).value, series.value);
}

TEST(Scores, LargestSampleOfATime)
{
    const Series series{{0, 1, 2, 3}, {9, -3, 5, 4}};
    EXPECT_EQ(largest_sample(series, 0, 3), 9);
    EXPECT_EQ(largest_sample(series, 1, 1), -3);
    EXPECT_EQ(largest_sample(series, 2.5, 9), 4);
    EXPECT_FALSE(largest_sample(series, 1.2, 1.8));
    EXPECT_FALSE(largest_sample({}, 0, 1));
}

TEST(Scores, ImpactsHaveTimesPeaksAndImpulses)
{
    // A base of 2 with two triangles of 10 above it, 0.2 wide, and a second bounce shortly after the first.
    const auto triangle = [](double t, double at, double height) {
        return std::max(0.0, height * (1 - std::abs(t - at) / 0.1));
    };
    const Series series = sampled(
        0, 4, 0.01, [&](double t) { return 2 + triangle(t, 1, 10) + triangle(t, 1.3, 6) + triangle(t, 3, 10); });
    const auto found = impacts(series, {.threshold = 4, .apart = 0.6, .before = 0.5, .lead = 0.05, .length = 0.2});
    ASSERT_EQ(found.size(), 2U);
    for (std::size_t k = 0; k < 2; ++k) {
        EXPECT_NEAR(found[k].time, k == 0 ? 1 : 3, 1e-9);
        EXPECT_NEAR(found[k].rise, (k == 0 ? 1 : 3) - 0.08, 1e-9);
        EXPECT_NEAR(found[k].peak, 10, 1e-9);
        EXPECT_NEAR(found[k].base, 2, 1e-9);
        EXPECT_NEAR(found[k].impulse, 1, 1e-9);
    }
    EXPECT_NEAR(impulse(series, 0.9, 1.1, 2), 1, 1e-9);
    EXPECT_NEAR(impulse(series, 3.9, 9, 0), 0.2, 1e-9) << "beyond the end there is nothing";
    EXPECT_TRUE(impacts(series, {.threshold = 13, .apart = 0.6}).empty());
    EXPECT_TRUE(impacts({}, {.threshold = 1, .apart = 0.6}).empty());
    // A rise that stays is one impact.
    EXPECT_EQ(
        impacts(sampled(0, 4, 0.01, [](double t) { return t > 1 ? 5 : 0; }), {.threshold = 4, .apart = 0.6}).size(),
        1U);
}

TEST(Scores, ShareOfTimeInsideABand)
{
    const Band band{{0, 1, 2, 3}, {0, 0, 0, 0}, {1, 1, 1, 1}};
    const Series series{{0, 3}, {-0.5, 2.5}};  // inside from 0.5 to 1.5
    EXPECT_DOUBLE_EQ(*share_inside(series, band, 0, 3), 0.25);
    EXPECT_DOUBLE_EQ(*share_inside(series, band, 1, 2), 0.5);
    EXPECT_DOUBLE_EQ(*share_inside({{0, 1}, {1, 1}}, band, 0, 3), 1) << "where the series is";
    EXPECT_FALSE(share_inside(series, band, 4, 5));
}

TEST(Scores, MeanDeviationIsRelativeToTheMean)
{
    const Series reference{{0, 1, 2, 3}, {0, 1, 2, 1}};
    EXPECT_DOUBLE_EQ(*mean_deviation({{0, 3}, {1, 1}}, reference, 0, 3), 0.5);
    EXPECT_DOUBLE_EQ(*mean_deviation({{0, 3}, {1, 1}}, reference, 2, 3), 1.0 / 3);
    EXPECT_DOUBLE_EQ(*mean_deviation({{2.5, 3.5}, {1, 1}}, reference, 0, 3), 0);
    EXPECT_FALSE(mean_deviation({{5, 6}, {1, 1}}, reference, 0, 3));
    EXPECT_FALSE(mean_deviation({{0, 3}, {1, 1}}, reference, 0, 0.5)) << "a reference of nothing but zero";
}

TEST(Scores, FrequencyFromCrossingsOfTheMean)
{
    constexpr double two_pi = 2 * std::numbers::pi;
    // Neither a whole number of periods nor about zero, with a weaker overtone.
    const Series series = sampled(
        0, 7.3, 0.002, [](double t) { return 5 + std::cos(two_pi * 0.8 * t + 0.3) + 0.1 * std::sin(two_pi * 4 * t); });
    EXPECT_NEAR(*frequency(series), 0.8, 8e-4);
    EXPECT_NEAR(*frequency(sampled(0, 7.3, 0.002, [](double t) { return 3 - std::cos(two_pi * 0.8 * t); })), 0.8, 1e-6);
    EXPECT_FALSE(frequency(sampled(0, 1, 0.01, [](double t) { return std::cos(two_pi * t); })));
    EXPECT_FALSE(frequency({}));
}

}  // namespace
}  // namespace halfulp::test
