#include "core/output/probe_series.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

namespace halfulp {

namespace {

using Measure = Probe::Measure;

constexpr std::string_view filtered_suffix = "_filtered";

const char* name_of(Measure measures)
{
    switch (measures) {
    case Measure::pressure: return "pressure";
    case Measure::velocity: return "velocity";
    case Measure::level: return "level";
    case Measure::force: return "force";
    case Measure::flow: break;
    }
    return "flow";
}

void add_components(std::vector<ProbeColumn>& columns, const std::string& name, const char* unit, int first, int end)
{
    for (int axis = first; axis < end; ++axis) columns.push_back({name + '_' + "xyz"[axis], unit});
}

std::string numbers(const std::array<double, 3>& values, int dimensions)
{
    std::string text;
    for (int i = 0; i < dimensions; ++i)
        text += fmt::format("{}{}", i > 0 ? " " : "", values[static_cast<std::size_t>(i)]);
    return text;
}

// Means over windows centred at the sample times of the piecewise linear interpolant, from its integral.
class Window {
public:
    Window(const std::vector<double>& time, const std::vector<double>& values) : time_(time), values_(values)
    {
        integral_.resize(time.size());
        for (std::size_t i = 1; i < time.size(); ++i)
            integral_[i] = integral_[i - 1] + 0.5 * (values[i - 1] + values[i]) * (time[i] - time[i - 1]);
    }

    [[nodiscard]] double mean(double from, double to) const
    {
        return (integral_to(to) - integral_to(from)) / (to - from);
    }

private:
    // The integral from the first sample to t.
    [[nodiscard]] double integral_to(double t) const
    {
        const auto after = std::upper_bound(time_.begin() + 1, time_.end() - 1, t) - time_.begin();
        const auto i = static_cast<std::size_t>(after);
        const double fraction = (t - time_[i - 1]) / (time_[i] - time_[i - 1]);
        const double there = values_[i - 1] + fraction * (values_[i] - values_[i - 1]);
        return integral_[i - 1] + 0.5 * (values_[i - 1] + there) * (t - time_[i - 1]);
    }

    const std::vector<double>& time_;
    const std::vector<double>& values_;
    std::vector<double> integral_;
};

}  // namespace

std::vector<ProbeColumn> probe_columns(Measure measures, int dimensions)
{
    const bool flat = dimensions == 2;
    std::vector<ProbeColumn> columns;
    switch (measures) {
    case Measure::pressure:
        for (const char* name : {"pressure_fluid", "pressure_fluid_shepard", "pressure_all", "pressure_all_shepard"})
            columns.push_back({name, "Pa"});
        break;
    case Measure::velocity: add_components(columns, "velocity", "m/s", 0, dimensions); break;
    case Measure::level: columns.push_back({"level", "m"}); break;
    case Measure::force:
        add_components(columns, "force", flat ? "N/m" : "N", 0, dimensions);
        add_components(columns, "moment", flat ? "N" : "N m", flat ? 2 : 0, 3);
        break;
    case Measure::flow: columns.push_back({"flow", flat ? "m^2/s" : "m^3/s"}); break;
    }
    return columns;
}

std::string_view probe_formula(Measure measures)
{
    switch (measures) {
    case Measure::pressure:
        return "sum P V W over the fluid, over sum V W (shepard), and both over the fluid and walls (all)";
    case Measure::velocity: return "sum u V W over sum V W, of the fluid";
    case Measure::level: return "sum V W of the fluid, W normalised over the horizontal";
    case Measure::force: return "sum m du/dt of the walls, the fluid's force on them; sum r x m du/dt";
    case Measure::flow: break;
    }
    return "sum V u.n W of the fluid, W normalised across the plane";
}

const std::vector<double>& ProbeSeries::operator[](std::string_view column) const
{
    for (std::size_t c = 0; c < columns.size(); ++c) {
        if (columns[c].name == column) return values[c];
    }
    throw std::out_of_range(fmt::format("probe {} has no column {}", name, column));
}

ProbeSeries empty_series(const Probe& probe, const Case& c)
{
    ProbeSeries series;
    series.name = probe.name;
    series.columns = {{"time", "s"}};
    for (ProbeColumn& column : probe_columns(probe.measures, c.dimensions)) series.columns.push_back(std::move(column));
    series.values.resize(series.columns.size());
    series.filter = probe.filter;
    auto& description = series.description;
    description["measures"] = name_of(probe.measures);
    description["formula"] = probe_formula(probe.measures);
    description["interval"] = fmt::format("{} s", probe.interval);
    description["filter"] = probe.filter > 0 ? fmt::format("centred moving mean, {} s wide", probe.filter) : "none";
    if (probe.measures == Measure::force) {
        std::string& bodies = description["bodies"];
        for (const Shape& shape : c.shapes) {
            if (shape.kind == Kind::wall && has_body(probe.bodies, shape.name))
                bodies += (bodies.empty() ? "" : " ") + shape.name;
        }
        description["about"] = numbers(probe.about, c.dimensions) + " m";
    } else {
        description["at"] = numbers(probe.at, c.dimensions) + " m";
    }
    if (probe.measures == Measure::flow) description["normal"] = numbers(probe.normal, c.dimensions);
    if (probe.within) {
        description["within"] = fmt::format("{} to {} m", numbers(probe.within->from, c.dimensions),
                                            numbers(probe.within->to, c.dimensions));
    }
    return series;
}

std::vector<double> centred_mean(const std::vector<double>& time, const std::vector<double>& values, double width)
{
    std::vector<double> means = values;
    if (time.size() < 3) return means;
    const Window window(time, values);
    for (std::size_t i = 1; i + 1 < time.size(); ++i) {
        const double half = std::min({0.5 * width, time[i] - time.front(), time.back() - time[i]});
        const double before = time[i] - time[i - 1];
        const double after = time[i + 1] - time[i];
        if (half <= 0) continue;
        // Within the two straight lines that meet at a sample no integral is needed, of which only rounding would be
        // left in a narrow window, and no width at all in one below the resolution of the time.
        if (half < std::min(before, after))
            means[i] += half / 4 * ((values[i + 1] - values[i]) / after - (values[i] - values[i - 1]) / before);
        else means[i] = window.mean(time[i] - half, time[i] + half);
    }
    return means;
}

void without_filtered(ProbeSeries& series)
{
    const auto filtered = [](const ProbeColumn& column) { return column.name.ends_with(filtered_suffix); };
    const auto measured = std::find_if(series.columns.begin(), series.columns.end(), filtered);
    series.values.resize(static_cast<std::size_t>(measured - series.columns.begin()));
    series.columns.erase(measured, series.columns.end());
}

ProbeSeries with_filtered(const ProbeSeries& series)
{
    ProbeSeries both = series;
    if (series.filter == 0) return both;
    for (std::size_t c = 1; c < series.columns.size(); ++c) {
        both.columns.push_back({series.columns[c].name + std::string(filtered_suffix), series.columns[c].unit});
        both.values.push_back(centred_mean(series.time(), series.values[c], series.filter));
    }
    return both;
}

}  // namespace halfulp
