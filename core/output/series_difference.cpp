#include "core/output/series_difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
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
        if (ledger_columns[c].member == &LedgerRow::time) series.time = c;
        series.columns.push_back({std::string(ledger_columns[c].name), std::string(ledger_columns[c].unit)});
    }
    return series;
}

Series series_of(const ProbeSeries& probe)
{
    return {"probe " + probe.name, "samples", probe.columns, probe.values, 0};
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }

// Of ascending times, by the straight line between the samples around t; of t within their span.
double at_time(const Numbers& times, const Numbers& values, double t)
{
    const auto after = static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), t) - times.begin());
    if (times[after] == t) return values[after];
    const double part = (t - times[after - 1]) / (times[after] - times[after - 1]);
    return values[after - 1] + part * (values[after] - values[after - 1]);
}

struct Differing {
    std::size_t samples = 0;
    double largest = 0;
    double at = 0;         // s
    double largest_a = 0;  // |A| of all samples that are compared
};

// same_times: of the first `count` samples of both; else of A's within B's time.
Differing differing(const Series& a, const Numbers& in_a, const Series& b, const Numbers& in_b, std::size_t count,
                    bool same_times)
{
    Differing found;
    const Numbers& times = a.times();
    for (std::size_t k = 0; k < (same_times ? count : in_a.size()); ++k) {
        if (!same_times && (b.times().empty() || times[k] < b.times().front() || times[k] > b.times().back())) continue;
        const double other = same_times ? in_b[k] : at_time(b.times(), in_b, times[k]);
        found.largest_a = std::max(found.largest_a, std::abs(in_a[k]));
        if (same_bits(in_a[k], other)) continue;
        ++found.samples;
        const double apart = std::abs(in_a[k] - other);
        if (apart <= found.largest || std::isnan(found.largest)) continue;  // a NaN is the largest
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
    auto out = std::back_inserter(report);
    const std::size_t count = std::min(a.times().size(), b.times().size());
    const bool same_times = std::equal(a.times().begin(), a.times().begin() + static_cast<std::ptrdiff_t>(count),
                                       b.times().begin(), same_bits);
    std::vector<std::string> lines;
    for (const ProbeColumn& column : a.columns) {
        const Numbers& in_a = *a.column(column.name);
        const Numbers* const in_b = b.column(column.name);
        if (in_b == nullptr || (!same_times && goes_with_steps(column.name))) continue;
        const Differing found = differing(a, in_a, b, *in_b, count, same_times);
        if (found.samples == 0) continue;
        const std::string unit = column.unit == "1" ? "" : " " + column.unit;
        lines.push_back(fmt::format("    {:<26}{} differ, most by {:.4g}{} at t = {:.6g} s; A has up to {:.4g}{}\n",
                                    column.name, found.samples, found.largest, unit, found.at, found.largest_a, unit));
    }
    const std::string extent = a.times().size() == b.times().size()
                                   ? fmt::format("{} {}", a.times().size(), a.samples)
                                   : fmt::format("{} {} in A, {} in B", a.times().size(), a.samples, b.times().size());
    fmt::format_to(out, "  {}: {}, {}\n", a.name, extent,
                   !same_times     ? "at other times; A's with B between its own:"
                   : lines.empty() ? (a.times().size() == b.times().size() ? "equal to the bit"
                                                                           : "what both have is equal to the bit")
                                   : "different:");
    for (const std::string& line : lines) report += line;
    return same_times && !lines.empty();
}

// How the descriptions of a probe of both differ; empty if they do not.
std::string difference_of(const ProbeSeries& a, const ProbeSeries& b)
{
    std::string text;
    for (const auto& [key, value] : a.description) {
        const auto there = b.description.find(key);
        const std::string other = there == b.description.end() ? "none" : there->second;
        if (value != other) text += fmt::format("{}{} {} in A, {} in B", text.empty() ? "" : "; ", key, value, other);
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
