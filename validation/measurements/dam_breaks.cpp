// Dam breaks against walls with pressure sensors: Lobovsky et al. 2014, and Kleefsman et al. 2005 (SPHERIC test 2).
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/error.hpp"
#include "validation/measurements/measurements.hpp"

namespace halfulp {

namespace {

// The pressure of a sensor: the mean over the fluid alone within the kernel's support (Shepard), averaged over
// `window`. Walls are left out because theirs is the pressure that the compression of their own particles gives, not
// the fluid's.
Series sensor(const MeasuredRun& run, const std::string& name, double window)
{
    return moving_average(run.probe(name, "pressure_fluid_shepard"), window);
}

Series column_of(const NumberTable& table, const std::string& time, const std::string& value)
{
    return {table.ascending_column(time), table.column(value)};
}

// Throws an Error if what was measured never rises so far.
double measured_arrival(const NumberTable& table, const std::string& value, double threshold)
{
    if (const auto time = arrival_time(column_of(table, "t_s", value), threshold)) return *time;
    throw input_error(
        fmt::format("{}: {} never rises to {:.6g} Pa, the arrival that is compared; give the file of the "
                    "measurement as it was published",
                    table.path.string(), value, threshold));
}

namespace lobovsky {

constexpr double depth = 0.3;     // m, H
constexpr double gravity = 9.81;  // m/s^2
constexpr double density = 997;   // kg/m^3
constexpr double pressure_unit = density * gravity * depth;
constexpr double window = 0.005;  // s, of the moving mean

double time_unit() { return std::sqrt(depth / gravity); }

// Sensor 2 over 100 repeats, t sqrt(g/H) and p/(rho g H): arrival 2.463 (2.434 to 2.487), and the median with the band
// from 2.5 to 97.5 %.
constexpr double arrival = 2.463;
struct BandPoint {
    double time, median, low, high;
};
constexpr std::array published_band{BandPoint{2.5, 1.554, 1.086, 1.827}, BandPoint{2.8, 1.379, 1.248, 1.513},
                                    BandPoint{3, 0.919, 0.792, 1.048},   BandPoint{4, 0.590, 0.490, 0.716},
                                    BandPoint{5, 0.581, 0.440, 0.704},   BandPoint{6, 0.843, 0.694, 1.023},
                                    BandPoint{7, 0.664, 0.537, 0.803}};

// In s and Pa.
struct Repeats {
    Series median;
    Band band;
    bool whole = false;  // the curves of the file, not only the published points
};

Repeats published_repeats()
{
    Repeats result;
    for (const BandPoint& p : published_band) {
        result.median.add(p.time * time_unit(), p.median * pressure_unit);
        result.band.time.push_back(p.time * time_unit());
        result.band.low.push_back(p.low * pressure_unit);
        result.band.high.push_back(p.high * pressure_unit);
    }
    return result;
}

Repeats repeats(MeasuredData& data)
{
    if (const auto table =
            data.table("lobovsky2014_h300_sensor2_percentiles_1khz.csv",
                       "the band of 100 repeats has only its seven published points, and the plateaus are left out")) {
        const Series median = column_of(*table, "t_s", "p2_median_pa");
        return {median, {median.time, table->column("p2_p025_pa"), table->column("p2_p975_pa")}, true};
    }
    return published_repeats();
}

Comparison compare(const MeasuredRun& run, MeasuredData& data)
{
    Comparison result;
    const Series raw = run.probe("sensor-2", "pressure_fluid_shepard");
    const Series pressure = moving_average(raw, window);
    const Repeats measured = repeats(data);
    const double end = 7.1 * time_unit();

    result.add_score("arrival at sensor 2 (rise to 0.1 rho g H)", arrival_time(raw, 0.1 * pressure_unit),
                     arrival * time_unit(), "s", 0.03);
    const double after = published_band.front().time * time_unit();  // t sqrt(g/H) = 2.5
    const auto share = share_inside(pressure, measured.band, after - 1e-9, end);
    result.scores.push_back(
        {.name =
             fmt::format("pressure at sensor 2 inside the band of 2.5 to 97.5 % of the repeats, {:.3g} s to {:.3g} s",
                         after, measured.whole ? measured.band.time.back() : end),
         .measured = measured.whole ? "95 % by its making" : fmt::format("{} points", published_band.size()),
         .asked = measured.whole ? "more than half of the time" : "more than half of the points",
         .computed = share ? fmt::format("{:.0f} %", 100 * *share) : "none",
         .met = share && *share > 0.5,
         .unit = "1",
         .computed_number = share});
    const auto add_mean = [&](double from, double to, const std::string& name) {
        const auto mean = [&](const Series& series) { return mean_over(series, from * time_unit(), to * time_unit()); };
        if (const auto here = mean(measured.median); here && measured.whole)
            result.add_score(name, mean(pressure), *here, "Pa");
    };
    add_mean(2.5, 3, "mean pressure at sensor 2 after the impact, t sqrt(g/H) = 2.5 to 3");
    add_mean(3.5, 5, "plateau at sensor 2, t sqrt(g/H) = 3.5 to 5");
    add_mean(5.5, 7, "second plateau at sensor 2, t sqrt(g/H) = 5.5 to 7");
    const std::string p = "pressure at sensor 2 (Pa)";
    const Repeats published = published_repeats();
    result.curves.push_back({p, "median and 2.5 to 97.5 % of 100 repeats, published", Curve::Look::points,
                             published.median, published.band});
    if (measured.whole)
        result.curves.push_back({p, "the whole curve", Curve::Look::line, measured.median, measured.band});
    result.add_computed(p, pressure);

    if (const auto table = data.table("lobovsky2014_h300_typical_event_4khz.csv", "sensors 1, 3 and 4 are left out")) {
        for (const auto& [name, column] : {std::pair{"1", "p1_z3mm_pa"}, {"3", "p3_z30mm_pa"}, {"4", "p4_z80mm_pa"}}) {
            const Series one = column_of(*table, "t_s", column);
            const Series computed = sensor(run, fmt::format("sensor-{}", name), window);
            result.add_score(fmt::format("arrival at sensor {}", name), arrival_time(computed, 0.1 * pressure_unit),
                             measured_arrival(*table, column, 0.1 * pressure_unit), "s");
            const std::string panel = fmt::format("pressure at sensor {} (Pa)", name);
            result.add_measured(panel, "one run", Curve::Look::line, moving_average(one, window));
            result.add_computed(panel, computed);
        }
    }
    if (const auto table = data.table("lobovsky2014_h300_levels.csv", "water levels are left out")) {
        for (const int gauge : {1, 2, 3, 4}) {
            const Series level = column_of(*table, "t_s", fmt::format("h{}_run1_m", gauge));
            const Series computed = run.probe(fmt::format("level-{}", gauge), "level");
            result.add_deviation(fmt::format("level at gauge {}, mean deviation over mean level", gauge), "",
                                 mean_deviation(computed, level, 0, end));
            const std::string panel = fmt::format("level at gauge {} (m)", gauge);
            result.add_measured(panel, "one run", Curve::Look::line, level);
            result.add_computed(panel, computed);
        }
    }
    return result;
}

MeasuredCase with(const std::string& dimensions, const Resolutions& resolutions)
{
    return {.name = "lobovsky-" + dimensions,
            .summary = "a dam break strikes a wall with pressure sensors, " + dimensions,
            .citation = "Lobovsky et al., J. Fluids Struct. 48 (2014) 407; pressures averaged over 5 ms",
            .case_file = "lobovsky-" + dimensions,
            .length = depth,
            .resolutions = resolutions,
            .prepare = {},
            .compare = compare};
}

}  // namespace lobovsky

namespace kleefsman {

constexpr double depth = 0.55;  // m
constexpr double density = 1000;
constexpr double window = 0.005;  // s, of the moving mean

// Arrival of 1 cm of water: gauge of the case, s.
constexpr std::array<std::pair<const char*, double>, 3> level_arrivals{{{"3", 0.194}, {"2", 0.358}, {"1", 0.918}}};
// The highest pressures: sensor, Pa, s.
struct Peak {
    const char* sensor;
    double pressure, time;
};
constexpr std::array peaks{Peak{"1", 11239, 0.415}, Peak{"2", 8128, 0.426}, Peak{"3", 6564, 0.459},
                           Peak{"4", 7203, 0.455}};

Comparison compare(const MeasuredRun& run, MeasuredData& data)
{
    Comparison result;
    const double threshold = 0.1 * density * 9.81 * depth;
    const auto level = [&](const auto& gauge) { return run.probe(fmt::format("level-{}", gauge), "level"); };
    const auto table = data.table("spheric2_kleefsman.csv", "the arrival at P1, level H4 and all curves are left out");
    if (table) {
        result.add_score("arrival at P1 (rise to 0.1 rho g H)",
                         arrival_time(run.probe("pressure-1", "pressure_fluid_shepard"), threshold),
                         measured_arrival(*table, "p1_pa", threshold), "s", 0.03);
        result.add_deviation(fmt::format("level H4, mean deviation over mean level, 0 to {:.3g} s", run.time), "",
                             mean_deviation(level(4), column_of(*table, "t_s", "h4_m"), 0, run.time), 0.1);
    }
    for (const Peak& peak : peaks) {
        const Series pressure = sensor(run, fmt::format("pressure-{}", peak.sensor), window);
        Impact largest;
        for (std::size_t i = 0; i < pressure.time.size() && pressure.time[i] < 1; ++i) {
            if (pressure.value[i] > largest.peak) largest = {.time = pressure.time[i], .peak = pressure.value[i]};
        }
        result.add_score(fmt::format("highest pressure at P{} (single samples repeat badly)", peak.sensor),
                         largest.peak, peak.pressure, "Pa");
        result.add_score(fmt::format("its time at P{}", peak.sensor), largest.time, peak.time, "s");
    }
    for (const auto& [gauge, time] : level_arrivals)
        result.add_score(fmt::format("1 cm of water at H{}", gauge), arrival_time(level(gauge), 0.01), time, "s");
    for (int name = 1; name <= 8; ++name) {
        const std::string panel = fmt::format("pressure at P{} (Pa)", name);
        if (table)
            result.add_measured(panel, "experiment", Curve::Look::line,
                                moving_average(column_of(*table, "t_s", fmt::format("p{}_pa", name)), window));
        result.add_computed(panel, sensor(run, fmt::format("pressure-{}", name), window));
    }
    for (int name = 1; name <= 4; ++name) {
        const std::string panel = fmt::format("level at H{} (m)", name);
        if (table)
            result.add_measured(panel, "experiment", Curve::Look::line,
                                column_of(*table, "t_s", fmt::format("h{}_m", name)));
        result.add_computed(panel, level(name));
    }
    return result;
}

}  // namespace kleefsman

}  // namespace

MeasuredCase lobovsky_2d()
{
    return lobovsky::with("2d", {.from = Scale::usual, .quick = 25, .usual = 100, .full = {50, 100, 200}});
}

MeasuredCase lobovsky_3d()
{
    return lobovsky::with("3d", {.from = Scale::full, .quick = 15, .usual = 30, .full = {20, 30, 45}});
}

MeasuredCase spheric2()
{
    return {.name = "spheric2",
            .summary = "a dam break strikes a box, 3D",
            .citation = "Kleefsman et al., J. Comput. Phys. 206 (2005) 363; pressures averaged over 5 ms",
            .case_file = "spheric2",
            .length = kleefsman::depth,
            .resolutions = {.from = Scale::full, .quick = 11, .usual = 22, .full = {15, 22, 33}},
            .prepare = {},
            .compare = kleefsman::compare};
}

}  // namespace halfulp
