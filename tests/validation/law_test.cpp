// The law of what plain updates of coordinates lose, against short runs and against the measurements of the study.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <future>
#include <map>

#include "validation/decisive/law.hpp"

namespace halfulp::test {
namespace {

Oscillation fitted(const Flow& flow, const Recorded& run, const std::array<double, 2>& window)
{
    std::vector<Sample> samples;
    for (std::size_t i = 0; i < run.times.size(); ++i) {
        if (run.times[i] >= window[0] && run.times[i] <= window[1])
            samples.push_back({run.times[i], run.signals[i].front()});
    }
    return fit_oscillation(samples, flow.frequency);
}

TEST(LawOfRounding, IsWithinAFactorOfThreeOfShortRuns)
{
    const Flow flow = seiche({.name = "short", .height = 1e-3, .end = 15}, Scale::quick);
    const std::vector<Arm> arms{{.name = "double", .precision = "double"},
                                {.name = "near", .precision = "naive"},
                                {.name = "30 cells away", .precision = "naive", .cells = 30}};
    std::vector<std::future<Recorded>> running;
    for (const Arm& arm : arms) running.push_back(std::async(std::launch::async, [&] { return follow(flow, arm); }));
    const Recorded reference = running[0].get();
    std::vector<double> amplitudes;
    for (const auto& window : flow.windows) amplitudes.push_back(fitted(flow, reference, window).amplitude());
    for (std::size_t a = 1; a < arms.size(); ++a) {
        const RoundingLoss loss = rounding_loss(prepare(case_of(flow, arms[a])));
        const double by_law = lost_by_law(loss, flow, amplitudes).back();
        const auto& end = flow.windows.back();
        const double measured = error_of(fitted(flow, running[a].get(), end), fitted(flow, reference, end)).together;
        EXPECT_LT(measured, 3 * by_law) << arms[a].name;
        EXPECT_GT(measured, by_law / 3) << arms[a].name;
    }
}

// Windows of one arm of a flow: errors and the amplitudes that were fitted.
struct Windows {
    std::vector<double> errors;
    std::vector<double> amplitudes;
    std::vector<double> by_law;  // as the page says
};

std::map<std::pair<std::string, std::string>, Windows> measured_windows()
{
    std::ifstream file(HALFULP_TEST_MEASURED "/decisive-ladder.csv");
    std::map<std::pair<std::string, std::string>, Windows> all;
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
        std::vector<std::string> cells{""};
        bool quoted = false;
        for (const char c : line) {
            if (c == '"') quoted = !quoted;
            else if (c == ',' && !quoted) cells.emplace_back();
            else cells.back() += c;
        }
        Windows& windows = all[{cells.at(0), cells.at(1)}];
        windows.errors.push_back(std::stod(cells.at(4)));
        windows.amplitudes.push_back(std::stod(cells.at(7)));
        windows.by_law.push_back(std::stod(cells.at(8)));
    }
    return all;
}

TEST(LawOfRounding, IsWithinAFactorOfThreeOfTheMeasurements)
{
    const auto measured = measured_windows();
    int compared = 0;
    int lost = 0;
    for (const Flow& flow : decisive_flows(Scale::usual)) {
        const auto reference = measured.find({flow.name, "double"});
        if (reference == measured.end()) continue;
        for (const Arm& arm : flow.arms) {
            const auto coordinates = plain_coordinates(arm.precision);
            if (!coordinates) continue;
            const RoundingLoss loss = rounding_loss(prepare(case_of(flow, arm)), *coordinates);
            const double by_law = lost_by_law(loss, flow, reference->second.amplitudes).back();
            const double error = measured.at({flow.name, arm.name}).errors.back();
            EXPECT_NEAR(measured.at({flow.name, arm.name}).by_law.back(), by_law, 1e-4 * by_law);
            EXPECT_GT(error, by_law / 3) << flow.name << ", " << arm.name;
            if (by_law < 1) {
                EXPECT_LT(error, 3 * by_law) << flow.name << ", " << arm.name;
            }
            ++(by_law < 1 ? compared : lost);
        }
    }
    EXPECT_GE(compared, 14);
    EXPECT_GE(lost, 10);
}

TEST(LawOfRounding, FollowsTheAmplitude)
{
    const Flow flow = seiche({.name = "made", .height = 2e-4, .end = 80}, Scale::quick);
    const RoundingLoss loss{.drift_error = 2e-5, .speed = 1e-3, .frequency = 5};
    // Of a constant amplitude it is that of the time; a smaller one loses more.
    const std::vector<double> constant = lost_by_law(loss, flow, std::vector<double>(8, 2e-4));
    for (std::size_t k = 0; k < 8; ++k)
        EXPECT_NEAR(constant[k], loss.share(0.5 * (flow.windows[k][0] + flow.windows[k][1])), 1e-12);
    const std::vector<double> damped = lost_by_law(loss, flow, {8e-4, 7e-4, 6e-4, 5e-4, 4e-4, 3e-4, 2e-4, 1e-4});
    EXPECT_GT(damped.back(), 2 * constant.back());
    EXPECT_FALSE(plain_coordinates("robust").has_value());
}

}  // namespace
}  // namespace halfulp::test
