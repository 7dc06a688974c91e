// Sloshing: the frequency of the first mode, and the impacts in a rolling tank (SPHERIC test 10, lateral impact,
// water).
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "validation/measurements/measurements.hpp"

namespace halfulp {

namespace {

namespace linear {

constexpr double length = 1;   // m, of the tank
constexpr double depth = 0.5;  // m

Comparison compare(const MeasuredRun& run, MeasuredData&)
{
    Comparison result;
    constexpr double wave_number = std::numbers::pi / length;
    const double omega = std::sqrt(-run.source.gravity[1] * wave_number * std::tanh(wave_number * depth));
    const double exact = omega / (2 * std::numbers::pi);
    const double limit = run.scale == Scale::quick ? 0.02 : 0.005;
    // A tenth of a period: sound that goes up and down in the tank is not what is asked for.
    const double window = 0.1 / exact;
    const auto one = [&](const std::string& name, const std::string& panel, const Series& series) {
        const Series smooth = moving_average(series, window);
        result.add_score("frequency of the " + name, frequency(smooth), exact, "Hz", limit);
        result.add_computed(panel, smooth);
    };
    one("pressure on the left wall", "pressure on the left wall (Pa)",
        run.probe("pressure-left", "pressure_fluid_shepard"));
    one("level at the left wall", "level at the left wall (m)", run.probe("level-left", "level"));
    return result;
}

}  // namespace linear

namespace rolling {

// Of the run whose pressure and roll are published, and over 100 repeats. The second impact of that run is a sequence
// of peaks over 20 ms, whose highest comes last.
struct PublishedImpact {
    double rise;       // s, through the threshold of `search`
    double time;       // s, of the highest sample
    double peak;       // Pa
    double mean;       // Pa, of the repeats
    double deviation;  // Pa, one standard deviation
};
constexpr std::array published{
    PublishedImpact{2.3737, 2.3749, 3683, 3710, 730}, PublishedImpact{4.0469, 4.0668, 3890, 4820, 1500},
    PublishedImpact{5.6705, 5.6718, 2663, 4690, 1710}, PublishedImpact{7.3026, 7.3032, 7148, 4640, 1320}};
constexpr double time_limit = 0.02;     // s
constexpr double impulse_limit = 0.15;  // relative
// An impact begins where the pressure rises to 1 kPa; water at rest reaches but to the sensor, and running up gives a
// few hundred. It repeats every 1.64 s, and its impulse is taken over the time in which the pressure falls back to that
// of the water run up.
constexpr ImpactSearch search{.threshold = 1000, .apart = 1, .before = 0.2, .lead = 0.01, .length = 0.1};

// A flat impact without air starts a sound that the depth keeps up: it crosses it and comes back in 2H/c0, with a speed
// of sound that is chosen, not water's. Averaged over that time, computed and measured alike, peaks are shown as well;
// they are judged as they were published, by their highest sample.
constexpr double depth = 0.093;  // m
double sound_window(const Case& c) { return 2 * depth / c.fluid.sound_speed; }

// The recorded roll instead of the case's sine.
void take_recorded_roll(Case& c, MeasuredData& data)
{
    const auto file = data.path("spheric10_lateral_water_roll_1khz.csv", "the tank rolls by the case's sine");
    if (!file) return;
    Signal& angle = c.motions.at(0).rotation.value().angle;
    angle.form = Signal::Form::table;
    angle.table = {.file = file->string(), .time = "t_s", .column = "roll_deg"};
}

Comparison compare(const MeasuredRun& run, MeasuredData& data)
{
    Comparison result;
    const Series pressure = run.probe("sensor-1", "pressure_fluid_shepard");
    const auto computed = impacts(pressure, search);
    const double window = sound_window(run.source);
    const Series smooth = moving_average(pressure, window);
    const auto mean_peak = [&](const Series& averaged, const Impact& impact) {
        return largest_sample(averaged, impact.rise, impact.rise + search.apart).value_or(0) - impact.base;
    };
    std::vector<Impact> measured;
    Series measured_smooth;
    const std::string panel = "pressure at sensor 1 (Pa)";
    const std::string smooth_panel = fmt::format("its mean over {:.1f} ms (Pa)", 1e3 * window);
    if (const auto table =
            data.table("spheric10_lateral_water_sensor1_minmax.csv", "the impulses of the impacts are left out")) {
        const Series series{table->ascending_column("t_s"), table->column("p_pa")};
        measured = impacts(series, search);
        measured_smooth = moving_average(series, window);
        result.add_measured(panel, "one run", Curve::Look::line, series);
        result.add_measured(smooth_panel, "one run", Curve::Look::line, measured_smooth);
    }
    Series repeats;
    for (std::size_t k = 0; k < published.size(); ++k) {
        const PublishedImpact& one = published[k];
        const std::string name = fmt::format("impact {}", k + 1);
        const bool there = k < computed.size();
        const auto number = [&](double Impact::*member) {
            return there ? std::optional(computed[k].*member) : std::nullopt;
        };
        result.add_score("beginning of " + name, number(&Impact::rise), one.rise, "s", time_limit, Deviation::absolute);
        result.add_score("time of " + name, number(&Impact::time), one.time, "s", time_limit, Deviation::absolute);
        Score peak =
            compared("peak of " + name, number(&Impact::peak), one.mean, "Pa", one.deviation, Deviation::absolute);
        peak.measured = fmt::format("{:.0f} +- {:.0f} Pa, that run {:.0f} Pa", one.mean, one.deviation, one.peak);
        peak.asked = "within one standard deviation of the repeats";
        result.scores.push_back(peak);
        if (k < measured.size()) {
            const auto mean = there ? std::optional(mean_peak(smooth, computed[k])) : std::nullopt;
            result.add_score(fmt::format("peak of {}, both averaged over {:.1f} ms", name, 1e3 * window), mean,
                             mean_peak(measured_smooth, measured[k]), "Pa");
            result.add_score("impulse of " + name, number(&Impact::impulse), measured[k].impulse, "Pa s",
                             impulse_limit);
        }
        repeats.add(one.time, one.peak);
    }
    result.add_measured(panel, "peaks of that run", Curve::Look::points, repeats);
    result.add_computed(panel, pressure);
    result.add_computed(smooth_panel, smooth);
    return result;
}

// The first impact as the CEHINAV group's paper looks at it: sensor 1 from the fluid alone and from walls too. Shown
// and not judged; the paper's own deviations stand in the names.
Comparison compare_first_impact(const MeasuredRun& run, MeasuredData& data)
{
    constexpr double calm = 2.2;  // s; before the impact
    Comparison result;
    const auto table = data.table("spheric10_lateral_water_sensor1_minmax.csv", "the calm part is not compared");
    Series measured;
    if (table) measured = {table->ascending_column("t_s"), table->column("p_pa")};
    const PublishedImpact& published_impact = published.front();
    const auto show = [&](const std::string& whose, const char* column, const char* peak_of_paper,
                          const char* time_of_paper) {
        const Series pressure = run.probe("sensor-1", column);
        const auto found = impacts(pressure, search);
        std::optional<double> peak, time;
        if (!found.empty()) {
            peak = found.front().peak + found.front().base;
            time = found.front().time;
        }
        result.add_score(fmt::format("peak of {}{}", whose, peak_of_paper), peak, published_impact.peak, "Pa");
        result.add_score(fmt::format("time of the peak of {}{}", whose, time_of_paper), time, published_impact.time,
                         "s", 0, Deviation::absolute);
        const std::string panel = fmt::format("pressure at sensor 1, {} (Pa)", whose);
        if (table) {
            result.add_deviation(fmt::format("mean deviation to {} s, {}", calm, whose), "the record",
                                 mean_deviation(pressure, measured, 0, calm));
            result.add_measured(panel, "one run", Curve::Look::line, measured);
        }
        result.add_computed(panel, pressure);
    };
    show("the fluid alone", "pressure_fluid_shepard", " (paper: 24 % off)", " (paper: 0.06 s late)");
    show("all particles", "pressure_all_shepard", "", "");
    return result;
}

MeasuredCase with(const std::string& dimensions, const Resolutions& resolutions)
{
    return {.name = "spheric10-" + dimensions,
            .summary = "water strikes the side of a rolling tank, " + dimensions,
            .citation = "Delorme et al., Ocean Eng. 36 (2009) 168; Souto-Iglesias, Botia-Vera and Bulian, ISOPE 2011",
            .case_file = "spheric10-" + dimensions,
            .length = depth,
            .resolutions = resolutions,
            .prepare = take_recorded_roll,
            .compare = compare};
}

}  // namespace rolling

}  // namespace

MeasuredCase linear_sloshing()
{
    return {.name = "linear-sloshing",
            .summary = "the first mode in a tank at rest swings as linear theory says, 2D",
            .citation = "Lamb, Hydrodynamics, 1932, art. 257: w^2 = g k tanh(k H)",
            .case_file = "linear-sloshing-2d",
            .length = linear::depth,
            .resolutions = {.from = Scale::quick, .quick = 20, .usual = 50, .full = {25, 50, 100}},
            .prepare = {},
            .compare = linear::compare};
}

MeasuredCase spheric10_2d()
{
    return rolling::with("2d", {.from = Scale::usual, .quick = 12, .usual = 31, .full = {16, 31, 62}});
}

MeasuredCase cehinav_sloshing()
{
    return {.name = "cehinav-sloshing",
            .summary = "the first impact of the CEHINAV group's rolling tank, with their numerics, 2D",
            .citation =
                "Souto-Iglesias, Botia-Vera and Bulian, ISOPE 2011; computed by the CEHINAV group with 100,000 "
                "particles, 97 across the depth",
            .case_file = "cehinav-sloshing-2d",
            .length = rolling::depth,
            .resolutions = {.from = Scale::full, .quick = 6, .usual = 31, .full = {15, 31, 97}},
            .prepare = rolling::take_recorded_roll,
            .compare = rolling::compare_first_impact};
}

MeasuredCase spheric10_3d()
{
    return rolling::with("3d", {.from = Scale::full, .quick = 6, .usual = 10, .full = {10, 15, 20}});
}

}  // namespace halfulp
