// The law of what plain updates of coordinates lose, against short runs and against the measurements of the study.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <future>
#include <map>
#include <sstream>

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
        const double by_law = error_by_law(loss, flow, amplitudes).back();
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
    std::vector<double> phases;
    std::vector<double> by_law;  // as the page says
};

std::map<std::pair<std::string, std::string>, Windows> measured_windows(const std::string& table)
{
    std::ifstream file(HALFULP_TEST_MEASURED "/" + table);
    std::map<std::pair<std::string, std::string>, Windows> all;
    std::string line;
    std::getline(file, line);
    std::vector<std::string> header;
    std::istringstream names(line);
    for (std::string name; std::getline(names, name, ',');) header.push_back(name);
    const auto column = [&](const std::string& name) {
        return static_cast<std::size_t>(std::ranges::find(header, name) - header.begin());
    };
    const std::size_t error = column("error[1]");
    const std::size_t amplitude =
        column(std::ranges::count(header, "fitted_amplitude") > 0 ? "fitted_amplitude" : "fitted_amplitude[m]");
    const std::size_t phase = column("phase[rad]");
    const std::size_t by_law = column("law[1]");
    while (std::getline(file, line)) {
        std::vector<std::string> cells{""};
        bool quoted = false;
        for (const char c : line) {
            if (c == '"') quoted = !quoted;
            else if (c == ',' && !quoted) cells.emplace_back();
            else cells.back() += c;
        }
        Windows& windows = all[{cells.at(0), cells.at(1)}];
        windows.errors.push_back(std::stod(cells.at(error)));
        windows.amplitudes.push_back(std::stod(cells.at(amplitude)));
        windows.phases.push_back(std::stod(cells.at(phase)));
        windows.by_law.push_back(std::stod(cells.at(by_law)));
    }
    return all;
}

constexpr double about_three = 3.1;  // of two runs from starts an ulp apart one errs by up to 1.8 times the other

// At the end of each run; all windows have the page's numbers of the law.
TEST(LawOfRounding, IsWithinAFactorOfThreeOfTheMeasurements)
{
    int compared = 0;
    int destroyed = 0;
    int windows = 0;
    int close = 0;
    int settled = 0;
    for (const char* table : {"decisive-ladder.csv", "decisive-waves.csv", "decisive-settled.csv"}) {
        const auto measured = measured_windows(table);
        for (const Flow& flow : decisive_flows(Scale::usual)) {
            const auto reference = measured.find({flow.name, "double"});
            const auto is_of = [&](const char* waves) { return flow.name.starts_with(waves); };
            if (reference == measured.end() || !(is_of("seiche-") || is_of("ladder-") || is_of("settled-"))) continue;
            // In these with coordinates of cells other roundings weigh more (docs/decisive.md).
            const bool others_weigh_more = flow.name.ends_with("-defaults") || flow.name == "seiche-everything";
            for (const Arm& arm : flow.arms) {
                const auto coordinates = plain_coordinates(arm.precision);
                if (!coordinates || (others_weigh_more && *coordinates == Coordinates::of_a_cell)) continue;
                const RoundingLoss loss = rounding_loss(problem_on_lattice(flow, arm), *coordinates);
                const std::vector<double> by_law = error_by_law(loss, flow, reference->second.amplitudes);
                const auto found = measured.find({flow.name, arm.name});
                if (found == measured.end()) continue;
                const Windows& of_arm = found->second;
                for (std::size_t w = 0; w < by_law.size(); ++w) {
                    EXPECT_NEAR(of_arm.by_law[w], by_law[w], 1e-4 * by_law[w]);
                    ++windows;
                    const double ratio = std::min(of_arm.errors[w], 1.0) / by_law[w];
                    if (ratio > 1.0 / 3 && ratio < 3) ++close;
                    // In settled water all the time, but with the defaults (docs/decisive.md).
                    if (arm.name != "naive" || !is_of("settled-h")) continue;
                    EXPECT_LT(ratio, about_three) << flow.name << ", window " << w;
                    EXPECT_GT(ratio, 1 / about_three) << flow.name << ", window " << w;
                    ++settled;
                }
                EXPECT_GT(of_arm.errors.back(), by_law.back() / about_three) << flow.name << ", " << arm.name;
                if (by_law.back() < 1) {
                    EXPECT_LT(of_arm.errors.back(), about_three * by_law.back()) << flow.name << ", " << arm.name;
                }
                ++(by_law.back() < 1 ? compared : destroyed);
            }
        }
    }
    EXPECT_EQ(settled, 16);  // windows of two waves
    EXPECT_GE(compared, 18);
    EXPECT_GE(destroyed, 12);
    EXPECT_GE(close, 0.85 * windows);  // an error may pass through zero
}

// A single phase may be anything below three times its root mean square, so all starts of a flow are taken together: of
// each window their error over the law.
std::vector<double> starts_over_law(const Flow& flow, const std::string& table, unsigned starts = 8)
{
    const auto measured = measured_windows(table);
    std::vector<double> squares(flow.windows.size());
    std::vector<double> by_law;
    unsigned counted = 0;
    for (const Arm& arm : flow.arms) {
        if (arm.precision != "naive") continue;
        const RoundingLoss loss = rounding_loss(problem_on_lattice(flow, arm));
        by_law = error_by_law(loss, flow, measured.at({flow.name, "double"}).amplitudes);
        const Windows& of_arm = measured.at({flow.name, arm.name});
        for (std::size_t w = 0; w < squares.size(); ++w) {
            EXPECT_NEAR(of_arm.by_law[w], by_law[w], 1e-4 * by_law[w]);
            squares[w] += of_arm.errors[w] * of_arm.errors[w];
        }
        ++counted;
    }
    EXPECT_EQ(counted, starts) << flow.name;
    std::vector<double> ratios;
    for (std::size_t w = 0; w < squares.size(); ++w) ratios.push_back(std::sqrt(squares[w] / counted) / by_law[w]);
    return ratios;
}

void expect_within_three(const std::vector<double>& ratios, std::size_t first, std::size_t end, const std::string& of)
{
    for (std::size_t w = first; w < end; ++w) {
        EXPECT_LT(ratios[w], 3) << of << ", window " << w;
        EXPECT_GT(ratios[w], 1.0 / 3) << of << ", window " << w;
    }
}

TEST(LawOfRounding, OfManyStartsIsWithinAFactorOfThreeInFourSizes)
{
    int sizes = 0;
    for (const Flow& flow : decisive_flows(Scale::usual)) {
        if (!flow.name.starts_with("displaced")) continue;
        expect_within_three(starts_over_law(flow, "decisive-displaced.csv"), 7, 8, flow.name);
        ++sizes;
    }
    EXPECT_EQ(sizes, 4);
}

// Of the larger waves over 100 periods in all windows but those that docs/decisive.md names.
TEST(LawOfRounding, OfManyStartsIsWithinAFactorOfThreeAllTheTime)
{
    int waves = 0;
    for (const Flow& flow : decisive_flows(Scale::full)) {
        if (!flow.name.starts_with("starts-")) continue;
        const bool defaults = flow.name == "starts-defaults";
        const std::size_t first = defaults ? 3 : 0;
        const std::size_t end = defaults ? 6 : flow.name == "starts-everything" ? 7 : 8;
        expect_within_three(starts_over_law(flow, "decisive-starts.csv"), first, end, flow.name);
        ++waves;
    }
    EXPECT_EQ(waves, 4);
}

// In settled water with the defaults and parts of them, three starts together at the end of 50 periods; on the way they
// are out by up to 14, and at the end by 3.1 without diffusion, where the wave of double grows (docs/decisive.md).
TEST(LawOfRounding, InSettledWaterIsWithinAFactorOfThreeAtTheEnd)
{
    int waves = 0;
    const auto measured = measured_windows("decisive-settled-starts.csv");
    for (const Flow& flow : decisive_flows(Scale::usual)) {
        if (!flow.name.starts_with("settled-starts-")) continue;
        const std::vector<double> ratios = starts_over_law(flow, "decisive-settled-starts.csv", 3);
        const bool destroyed = measured.at({flow.name, "naive"}).by_law.back() == 1;
        EXPECT_EQ(destroyed, flow.name == "settled-starts-dynamic");
        if (destroyed) {
            EXPECT_GT(ratios.back(), 1.0 / 3);
        } else if (flow.name != "settled-starts-undiffused") {
            expect_within_three(ratios, 7, 8, flow.name);
        }
        if (flow.name == "settled-starts-h200") {
            EXPECT_LT(*std::ranges::max_element(ratios), 5);
        }
        ++waves;
    }
    EXPECT_EQ(waves, 6);
}

// Particles off a lattice change the frequency by terms that cancel but for k spacing of each, at random: k spacing
// over the root of their number (docs/decisive.md), while the lattice holds.
TEST(LawOfRounding, DisplacementsChangeTheFrequencyByTheRootOfTheNumberOfParticles)
{
    constexpr double displaced = 0.002;
    constexpr std::size_t window = 4;  // before the lattice of the finest breaks up
    const auto measured = measured_windows("decisive-displaced.csv");
    std::vector<double> factors;
    for (const Flow& flow : decisive_flows(Scale::usual)) {
        if (!flow.name.starts_with("displaced")) continue;
        if (flow.name == "displaced-finest") continue;  // its lattice breaks up before
        const Problem problem = prepare(case_of(flow, flow.arms.front()));
        const auto middle = [&](std::size_t w) { return 0.5 * (flow.windows[w][0] + flow.windows[w][1]); };
        double sum = 0;
        double squares = 0;
        double count = 0;
        for (const Arm& arm : flow.arms) {
            if (arm.displaced == 0) continue;
            const std::vector<double>& phases = measured.at({flow.name, arm.name}).phases;
            const double change =
                (phases[window] - phases[0]) / (flow.frequency * (middle(window) - middle(0))) / displaced;
            sum += change;
            squares += change * change;
            count += 1;
        }
        const double spread = std::sqrt((squares - sum * sum / count) / (count - 1));
        factors.push_back(spread * std::sqrt(static_cast<double>(problem.fluid)) /
                          (M_PI * problem.source.resolution.spacing));
    }
    ASSERT_EQ(factors.size(), 3U);
    const auto [least, most] = std::ranges::minmax(factors);
    EXPECT_LT(most, 1.5 * least);
    EXPECT_GT(least, 25);
    EXPECT_LT(most, 50);
}

// What `halfulp info` says does not know the damping.
TEST(LawOfRounding, OfACaseAloneIsWithinAFactorOfThreeOfTheMeasuredWaves)
{
    const auto measured = measured_windows("decisive-waves.csv");
    int compared = 0;
    for (const Flow& flow : decisive_flows(Scale::usual)) {
        if (!flow.name.starts_with("seiche-") || !measured.contains({flow.name, "naive"})) continue;
        const auto naive = std::ranges::find(flow.arms, "naive", &Arm::name);
        const auto& end = flow.windows.back();
        const double by_case = rounding_loss(prepare(case_of(flow, *naive))).error(0.5 * (end[0] + end[1]));
        const double error = measured.at({flow.name, "naive"}).errors.back();
        EXPECT_LT(error, 3 * by_case) << flow.name;
        EXPECT_GT(error, by_case / 3) << flow.name;
        ++compared;
    }
    EXPECT_EQ(compared, 4);  // H/200, H/100, with the defaults, with every term
}

// How much absolute densities lose is no law of the case alone; that it is more where they stall is measured.
TEST(LawOfRounding, AbsoluteDensitiesErrMoreWhereTheyStall)
{
    int stalled = 0;
    int moving = 0;
    for (const char* table : {"decisive-ladder.csv", "decisive-waves.csv"}) {
        const auto measured = measured_windows(table);
        for (const Flow& flow : decisive_flows(Scale::usual)) {
            const auto found = measured.find({flow.name, "dualsphysics"});
            if (found == measured.end() || !(flow.name.starts_with("seiche-h") || flow.name.starts_with("ladder-")))
                continue;
            const RoundingLoss loss = rounding_loss(prepare(case_of(flow, flow.arms.front())));
            const double error = found->second.errors.back();
            if (loss.speed < loss.stalling_speed) {
                EXPECT_GT(error, 0.01) << flow.name;
                ++stalled;
            } else {
                EXPECT_LT(error, 0.01) << flow.name;
                ++moving;
            }
        }
    }
    EXPECT_GE(stalled, 7);
    EXPECT_GE(moving, 2);
}

TEST(LawOfRounding, FollowsTheAmplitude)
{
    const Flow flow = seiche({.name = "made", .height = 2e-4, .end = 80}, Scale::quick);
    const RoundingLoss loss{.drift_error = 2e-5, .speed = 1e-3, .frequency = 5, .step = 1e-4, .spacing = 0.025};
    // Of a constant amplitude it is that of the time; a smaller one loses more.
    const std::vector<double> constant = error_by_law(loss, flow, std::vector<double>(8, 2e-4));
    for (std::size_t k = 0; k < 8; ++k)
        EXPECT_NEAR(constant[k], loss.error(0.5 * (flow.windows[k][0] + flow.windows[k][1])), 1e-12);
    const std::vector<double> damped = error_by_law(loss, flow, {8e-4, 7e-4, 6e-4, 5e-4, 4e-4, 3e-4, 2e-4, 1e-4});
    EXPECT_GT(damped.back(), 2 * constant.back());
    EXPECT_FALSE(plain_coordinates("robust").has_value());
}

}  // namespace
}  // namespace halfulp::test
