// Series of probes: their columns, the filter, and what a run's files keep of them.
#include <algorithm>
#include <cmath>

#include "core/output/probe_series.hpp"
#include "tests/core/output/sample_run.hpp"

namespace halfulp::test {
namespace {

using Measure = Probe::Measure;

TEST(ProbeColumns, HaveUnitsOfTwoAndThreeDimensions)
{
    const auto text = [](Measure measures, int dimensions) {
        std::string all;
        for (const ProbeColumn& column : probe_columns(measures, dimensions))
            all += column.name + "[" + column.unit + "] ";
        return all;
    };
    EXPECT_EQ(text(Measure::pressure, 2),
              "pressure_fluid[Pa] pressure_fluid_shepard[Pa] pressure_all[Pa] pressure_all_shepard[Pa] ");
    EXPECT_EQ(text(Measure::velocity, 3), "velocity_x[m/s] velocity_y[m/s] velocity_z[m/s] ");
    EXPECT_EQ(text(Measure::level, 3), "level[m] ");
    EXPECT_EQ(text(Measure::force, 2), "force_x[N/m] force_y[N/m] moment_z[N] ");
    EXPECT_EQ(text(Measure::force, 3), "force_x[N] force_y[N] force_z[N] moment_x[N m] moment_y[N m] moment_z[N m] ");
    EXPECT_EQ(text(Measure::flow, 2) + text(Measure::flow, 3), "flow[m^2/s] flow[m^3/s] ");
}

// A straight line stays what it is, for the mean over a centred window is its middle; also between uneven samples.
TEST(CentredMean, KeepsStraightLinesAndEnds)
{
    const std::vector<double> time = {0, 0.1, 0.15, 0.4, 0.45, 0.7, 1};
    std::vector<double> line;
    for (const double t : time) line.push_back(3 - 2 * t);
    for (const double width : {0.01, 0.3, 10.0}) {
        const auto mean = centred_mean(time, line, width);
        for (std::size_t i = 0; i < time.size(); ++i) EXPECT_NEAR(mean[i], line[i], 1e-13) << width;
        EXPECT_EQ(mean.front(), line.front());
        EXPECT_EQ(mean.back(), line.back());
    }
}

// One sample of 1 among zeros, a unit of time apart: a triangle of area 1, of which a window two units wide sees all
// where it is centred and half beside it; one that is half a unit wide sees 7/16 there.
TEST(CentredMean, IsTheMeanOfStraightLinesOverTheWindow)
{
    const std::vector<double> time = {0, 1, 2, 3, 4, 5, 6};
    const std::vector<double> pulse = {0, 0, 0, 1, 0, 0, 0};
    const auto wide = centred_mean(time, pulse, 2);
    EXPECT_EQ(wide, (std::vector<double>{0, 0, 0.25, 0.5, 0.25, 0, 0}));
    EXPECT_EQ(centred_mean(time, pulse, 0.5)[3], 0.875);
    // Symmetric in time: no shift.
    EXPECT_TRUE(std::equal(wide.begin(), wide.end(), wide.rbegin()));
}

// Down to a window that is narrower than the resolution of the time.
TEST(CentredMean, OfNarrowWindowsTendsToTheSamples)
{
    const std::vector<double> time = {0, 0.1, 0.2, 100, 100.5, 101};
    const std::vector<double> values = {1e5, -3, 7, 12, -1e-3, 4};
    for (const double width : {1e-9, 1e-13, 1e-15, 1e-20, 1e-300}) {
        const auto mean = centred_mean(time, values, width);
        for (std::size_t i = 0; i < time.size(); ++i) EXPECT_NEAR(mean[i], values[i], 1e6 * width) << width;
    }
}

TEST(CentredMean, OfFewSamplesIsThemselves)
{
    for (const std::vector<double>& values : {std::vector<double>{}, {1}, {1, 5}}) {
        std::vector<double> time(values.size());
        for (std::size_t i = 0; i < time.size(); ++i) time[i] = static_cast<double>(i);
        EXPECT_EQ(centred_mean(time, values, 1), values);
    }
}

// The area under a noisy curve whose ends are quiet is kept.
TEST(CentredMean, KeepsTheImpulse)
{
    std::vector<double> time, values;
    double before = 0;
    for (int i = 0; i < 500; ++i) {
        time.push_back(0.01 * i + 0.004 * std::sin(7.0 * i));
        values.push_back(i > 100 && i < 400 ? 5 + std::sin(39.0 * i) : 0);
    }
    const auto area = [&](const std::vector<double>& curve) {
        double sum = 0;
        for (std::size_t i = 1; i < time.size(); ++i) sum += (curve[i] + curve[i - 1]) / 2 * (time[i] - time[i - 1]);
        return sum;
    };
    before = area(values);
    EXPECT_NEAR(area(centred_mean(time, values, 0.2)), before, 2e-3 * before);
}

Case case_with_probes()
{
    Case c;
    c.dimensions = 2;
    c.probes.resize(2);
    c.probes[0].name = "sensor-1";
    c.probes[0].at = {0.5, 0.25, 0};
    c.probes[0].filter = 0.5;
    c.probes[1].name = "flow";
    c.probes[1].measures = Measure::flow;
    c.probes[1].normal = {1, 0, 0};
    c.probes[1].within.emplace();
    return c;
}

// Samples begin <= i < end of a made-up series.
ProbeSeries some_of(const Probe& probe, const Case& c, int begin, int end)
{
    ProbeSeries series = empty_series(probe, c);
    for (int i = begin; i < end; ++i) {
        for (std::size_t k = 0; k < series.values.size(); ++k)
            series.values[k].push_back(k == 0 ? i / 3.0 : std::sin(static_cast<double>(i) + static_cast<double>(k)));
    }
    return series;
}

std::vector<ProbeSeries> samples(const Case& c, int begin, int end)
{
    return {some_of(c.probes[0], c, begin, end), some_of(c.probes[1], c, begin / 2, end / 2)};
}

void expect_equal_series(const ProbeSeries& read, const ProbeSeries& written)
{
    EXPECT_EQ(read.name, written.name);
    EXPECT_EQ(read.description, written.description);
    EXPECT_EQ(read.filter, written.filter);
    ASSERT_EQ(read.columns.size(), written.columns.size());
    for (std::size_t k = 0; k < read.columns.size(); ++k) {
        EXPECT_EQ(read.columns[k].name, written.columns[k].name);
        EXPECT_EQ(read.columns[k].unit, written.columns[k].unit);
        EXPECT_EQ(read.values[k], written.values[k]);
    }
}

TEST(RunFileProbes, ReadBackAsTheyWereWritten)
{
    const Folder folder;
    const Case c = case_with_probes();
    {
        RunWriter writer(folder / "run", false, 2, "", "", {}, samples(c, 0, 0));
        EXPECT_EQ(RunReader(folder / "run").probes().size(), 2U);
        writer.write_probes(samples(c, 0, 1));
        writer.write_probes(samples(c, 1, 1));
        writer.write_probes(samples(c, 1, 2500));
        writer.sync();
        // What an interrupted run leaves: all that was measured, nothing filtered.
        const auto interrupted = RunReader(folder / "run").probes();
        ASSERT_EQ(interrupted.size(), 2U);
        for (std::size_t k = 0; k < 2; ++k) expect_equal_series(interrupted[k], samples(c, 0, 2500)[k]);
        const std::string text = text_of(folder / "run" / "probes" / "sensor-1.csv");
        EXPECT_TRUE(
            text.starts_with("time[s],pressure_fluid[Pa],pressure_fluid_shepard[Pa],pressure_all[Pa],"
                             "pressure_all_shepard[Pa]\n0,"))
            << text.substr(0, 200);
        EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 2501);
        writer.write_filtered_probes();
    }
    const auto read = RunReader(folder / "run").probes();
    ASSERT_EQ(read.size(), 2U);
    for (std::size_t k = 0; k < 2; ++k) expect_equal_series(read[k], with_filtered(samples(c, 0, 2500)[k]));
    EXPECT_EQ(read[0].columns.size(), 9U);
    EXPECT_EQ(read[1].columns.size(), 2U) << "no filter, no filtered column";
    EXPECT_EQ(read[0].description.at("filter"), "centred moving mean, 0.5 s wide");
    EXPECT_EQ(read[0].description.at("at"), "0.5 0.25 m");
    EXPECT_EQ(read[0]["pressure_all_filtered"], centred_mean(read[0].time(), read[0]["pressure_all"], 0.5));

    const std::string text = text_of(folder / "run" / "probes" / "sensor-1.csv");
    std::istringstream table(text);
    std::string line;
    std::getline(table, line);
    EXPECT_TRUE(line.ends_with(",pressure_all_shepard_filtered[Pa]")) << line;
    for (std::size_t row = 0; row < 2500; ++row) {
        ASSERT_TRUE(std::getline(table, line));
        std::istringstream cells(line);
        for (const std::vector<double>& column : read[0].values) {
            std::string cell;
            std::getline(cells, cell, ',');
            ASSERT_EQ(std::strtod(cell.c_str(), nullptr), column[row]);
        }
    }
    EXPECT_TRUE(text_of(folder / "run" / "probes" / "flow.csv").starts_with("time[s],flow[m^2/s]\n"));
}

TEST(RunFileProbes, ARunThatIsReplacedLeavesNone)
{
    const Folder folder;
    const Case c = case_with_probes();
    {
        RunWriter writer(folder / "run", false, 2, "", "", {}, samples(c, 0, 0));
        writer.write_probes(samples(c, 0, 9));
    }
    const RunWriter replacing(folder / "run", true, 2, "", "", {});
    EXPECT_FALSE(fs::exists(folder / "run" / "probes" / "flow.csv"));
    EXPECT_TRUE(RunReader(folder / "run").probes().empty());
}

}  // namespace
}  // namespace halfulp::test
