#include "core/output/series_difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

namespace halfulp {
namespace {

using Numbers = std::vector<double>;

// Columns over time, the time among them.
struct Series {
    std::string name;  // for the report
    const char* samples;
    std::vector<ProbeColumn> columns;
    const std::vector<Numbers>& values;
    std::size_t time;  // the column that is the time

    [[nodiscard]] const Numbers& times() const { return values[time]; }
    // Of this name; null if there is none.
    [[nodiscard]] const Numbers* column(const std::string& column_name) const
    {
        const auto found = std::find_if(columns.begin(), columns.end(),
                                        [&](const ProbeColumn& one) { return one.name == column_name; });
        return found == columns.end() ? nullptr : &values[static_cast<std::size_t>(found - columns.begin())];
    }
};

Series ledger_of(const RunContent& run)
{
    Series series{"ledger", "rows", {}, run.ledger, 0};
    for (std::size_t c = 0; c < ledger_columns.size(); ++c) {
        const LedgerColumn& column = ledger_columns[c];
        if (column.member == &LedgerRow::time) series.time = c;
        series.columns.push_back({std::string(column.name), std::string(ledger_unit(column, run.dimensions))});
    }
    return series;
}

Series series_of(const ProbeSeries& probe)
{
    return {"probe " + probe.name, "samples", probe.columns, probe.values, 0};
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

// Where the samples of A are in B.
struct PlaceInTime {
    std::size_t at;  // of the sample of B at the same time, or of the first one after it
    bool same_time;
};

// Of every sample of A that is within the time of B; ascending times.
std::vector<std::optional<PlaceInTime>> places_in(const Numbers& times, const Numbers& others)
{
    std::vector<std::optional<PlaceInTime>> places(times.size());
    if (others.empty()) return places;
    for (std::size_t k = 0; k < times.size(); ++k) {
        if (!(times[k] >= others.front() && times[k] <= others.back())) continue;
        const auto found = std::lower_bound(others.begin(), others.end(), times[k]);
        if (found != others.end())
            places[k] = {static_cast<std::size_t>(found - others.begin()), same_bits(*found, times[k])};
    }
    return places;
}

struct Differing {
    std::size_t samples = 0;
    bool at_same_time = false;  // one of them
    double largest = 0;
    double at = 0;         // s
    double largest_a = 0;  // |A| of all samples that are compared
};

Differing differing(const Numbers& times, const Numbers& in_a, const std::vector<std::optional<PlaceInTime>>& places,
                    const Numbers& others, const Numbers& in_b)
{
    Differing found;
    for (std::size_t k = 0; k < places.size(); ++k) {
        if (!places[k]) continue;
        const auto [at, same_time] = *places[k];
        double other = in_b[at];
        if (!same_time && at > 0) {  // on the straight line between the samples around it
            const double part = (times[k] - others[at - 1]) / (others[at] - others[at - 1]);
            other = in_b[at - 1] + part * (in_b[at] - in_b[at - 1]);
        }
        found.largest_a = std::max(found.largest_a, std::abs(in_a[k]));
        if (same_bits(in_a[k], other)) continue;
        found.at_same_time = found.at_same_time || same_time;
        const double apart = std::abs(in_a[k] - other);
        const bool larger = apart > found.largest || (std::isnan(apart) && !std::isnan(found.largest));
        if (++found.samples > 1 && !larger) continue;
        found.largest = apart;
        found.at = times[k];
    }
    return found;
}

// Columns that say nothing between the samples.
bool goes_with_steps(const std::string& column)
{
    return column == "time" || column == "step" || column == "time_step" || column == "rebuilds";
}

// Appends the lines of one series of both; whether a bit differs at the same time.
bool compare(const Series& a, const Series& b, std::string& report)
{
    const std::vector<std::optional<PlaceInTime>> places = places_in(a.times(), b.times());
    const auto is_between = [](const std::optional<PlaceInTime>& place) { return place && !place->same_time; };
    const auto between = std::count_if(places.begin(), places.end(), is_between);
    bool any = false;
    std::vector<std::string> lines;
    for (const ProbeColumn& column : a.columns) {
        const Numbers* const in_b = b.column(column.name);
        if (in_b == nullptr || (between > 0 && goes_with_steps(column.name))) continue;
        const Differing found = differing(a.times(), *a.column(column.name), places, b.times(), *in_b);
        if (found.samples == 0) continue;
        any = any || found.at_same_time;
        const std::string unit = column.unit == "1" ? "" : " " + column.unit;
        lines.push_back(fmt::format("    {:<25} {} differ, most by {:.4g}{} at t = {:.6g} s; A has up to {:.4g}{}\n",
                                    column.name, found.samples, found.largest, unit, found.at, found.largest_a, unit));
    }
    const bool same_length = a.times().size() == b.times().size();
    report +=
        fmt::format("  {}: {}", a.name,
                    same_length ? fmt::format("{} {}", a.times().size(), a.samples)
                                : fmt::format("{} {} in A, {} in B", a.times().size(), a.samples, b.times().size()));
    if (between > 0) report += fmt::format(", {} at times of A alone, with B between its own", between);
    report += !lines.empty() ? ", different:\n"
              : same_length  ? ", equal to the bit\n"
                             : ", what both have is equal to the bit\n";
    for (const std::string& line : lines) report += line;
    return any;
}

// How the descriptions of a probe of both differ; empty if they do not.
std::string difference_of(const ProbeSeries& a, const ProbeSeries& b)
{
    std::string text;
    const auto look_at = [&](const std::string& key) {
        const auto value_in = [&](const ProbeSeries& probe) {
            const auto there = probe.description.find(key);
            return there == probe.description.end() ? std::string("none") : there->second;
        };
        if (value_in(a) != value_in(b))
            text += fmt::format("{}{} {} in A, {} in B", text.empty() ? "" : "; ", key, value_in(a), value_in(b));
    };
    for (const auto& [key, value] : a.description) look_at(key);
    for (const auto& [key, value] : b.description) {
        if (!a.description.contains(key)) look_at(key);
    }
    return text;
}

}  // namespace

SeriesDifference series_difference(const RunContent& a, const RunContent& b)
{
    SeriesDifference found;
    found.any = compare(ledger_of(a), ledger_of(b), found.report);
    const auto named = [](const std::vector<ProbeSeries>& probes, const std::string& name) {
        return std::find_if(probes.begin(), probes.end(), [&](const ProbeSeries& one) { return one.name == name; });
    };
    for (const ProbeSeries& probe : a.probes) {
        const auto other = named(b.probes, probe.name);
        if (other == b.probes.end()) {
            found.report += fmt::format("  probe {}: in A only\n", probe.name);
            continue;
        }
        const std::string unlike = difference_of(probe, *other);
        if (!unlike.empty()) found.report += fmt::format("  probe {}: {}\n", probe.name, unlike);
        const bool differs = compare(series_of(probe), series_of(*other), found.report);
        found.any = found.any || (differs && unlike.empty());
    }
    for (const ProbeSeries& probe : b.probes) {
        if (named(a.probes, probe.name) == a.probes.end())
            found.report += fmt::format("  probe {}: in B only\n", probe.name);
    }
    return found;
}

}  // namespace halfulp
