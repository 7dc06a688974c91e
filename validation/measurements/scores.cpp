#include "validation/measurements/scores.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/output/probe_series.hpp"
#include "validation/measurements/measurements.hpp"
#include "validation/statistics.hpp"

namespace halfulp {

namespace {

// The first sample at or after a time.
std::size_t first_from(const Series& series, double time)
{
    return static_cast<std::size_t>(std::lower_bound(series.time.begin(), series.time.end(), time) -
                                    series.time.begin());
}

double between(double t, double t0, double x0, double t1, double x1) { return x0 + (x1 - x0) * (t - t0) / (t1 - t0); }

// The integral of the straight lines between the samples from one time to another, both covered.
double integral(const Series& series, double from, double to)
{
    double sum = 0;
    double t = from;
    double x = *value_at(series, from);
    for (std::size_t i = first_from(series, from); i < series.time.size() && series.time[i] < to; ++i) {
        sum += 0.5 * (series.time[i] - t) * (series.value[i] + x);
        t = series.time[i];
        x = series.value[i];
    }
    return sum + 0.5 * (to - t) * (*value_at(series, to) + x);
}

// What both a window and the series cover.
std::pair<double, double> covered(const Series& series, double from, double to)
{
    return {std::max(from, series.time.front()), std::min(to, series.time.back())};
}

// Of upward crossings of a level, each after a sample below it by `least`.
std::vector<double> upward_crossings(const Series& series, double level, double least)
{
    std::vector<double> crossings;
    bool ready = false;
    for (std::size_t i = 0; i < series.time.size(); ++i) {
        ready = ready || series.value[i] < level - least;
        if (!ready || series.value[i] < level) continue;
        crossings.push_back(between(level, series.value[i - 1], series.time[i - 1], series.value[i], series.time[i]));
        ready = false;
    }
    return crossings;
}

}  // namespace

void Series::add(double t, double x)
{
    time.push_back(t);
    value.push_back(x);
}

std::optional<double> value_at(const Series& series, double time)
{
    const std::size_t after = first_from(series, time);
    if (after == series.time.size()) return {};
    if (series.time[after] == time) return series.value[after];
    if (after == 0) return {};
    return between(time, series.time[after - 1], series.value[after - 1], series.time[after], series.value[after]);
}

std::optional<double> arrival_time(const Series& series, double threshold, double from)
{
    for (std::size_t i = first_from(series, from); i < series.time.size(); ++i) {
        if (series.value[i] < threshold) continue;
        if (i == 0 || series.value[i - 1] >= threshold) return std::max(from, series.time[i]);
        return std::max(from,
                        between(threshold, series.value[i - 1], series.time[i - 1], series.value[i], series.time[i]));
    }
    return {};
}

std::optional<double> mean_over(const Series& series, double from, double to)
{
    if (series.empty() || from < series.time.front() || to > series.time.back() || !(to > from)) return {};
    return integral(series, from, to) / (to - from);
}

Series moving_average(const Series& series, double width)
{
    Series smooth;
    smooth.time = series.time;
    for (std::size_t i = 0; i < series.time.size(); ++i) {
        const auto [from, to] = covered(series, series.time[i] - 0.5 * width, series.time[i] + 0.5 * width);
        smooth.value.push_back(to > from ? integral(series, from, to) / (to - from) : series.value[i]);
    }
    return smooth;
}

std::optional<double> largest_sample(const Series& series, double from, double to)
{
    std::optional<double> largest;
    for (std::size_t i = first_from(series, from); i < series.time.size() && series.time[i] <= to; ++i)
        largest = std::max(largest.value_or(series.value[i]), series.value[i]);
    return largest;
}

std::vector<Impact> impacts(const Series& series, const ImpactSearch& search)
{
    std::vector<Impact> found;
    double from = series.empty() ? 0 : series.time.front();
    while (const auto rise = arrival_time(series, search.threshold, from)) {
        Impact impact;
        impact.rise = *rise;
        Sample before;
        for (std::size_t i = first_from(series, *rise - search.before);
             i < series.time.size() && series.time[i] < *rise; ++i)
            before.push_back(series.value[i]);
        impact.base = before.empty() ? 0 : quantile(before, 0.5);
        impact.peak = search.threshold - impact.base;
        impact.time = *rise;
        from = *rise + search.apart;
        std::size_t i = first_from(series, *rise);
        for (; i < series.time.size() && series.time[i] < from; ++i) {
            if (series.value[i] - impact.base <= impact.peak) continue;
            impact.peak = series.value[i] - impact.base;
            impact.time = series.time[i];
        }
        impact.impulse = impulse(series, *rise - search.lead, *rise + search.length, impact.base);
        found.push_back(impact);
        // One that never ends is not followed by another: the next has to rise again.
        while (i < series.time.size() && series.value[i] >= search.threshold) ++i;
        if (i == series.time.size()) break;
        from = series.time[i];
    }
    return found;
}

double impulse(const Series& series, double from, double to, double base)
{
    if (series.empty()) return 0;
    const auto [first, last] = covered(series, from, to);
    return last > first ? integral(series, first, last) - base * (last - first) : 0;
}

std::optional<double> share_inside(const Series& series, const Band& band, double from, double to)
{
    std::size_t inside = 0;
    std::size_t all = 0;
    for (std::size_t i = 0; i < band.time.size(); ++i) {
        if (band.time[i] < from || band.time[i] > to) continue;
        const auto here = value_at(series, band.time[i]);
        if (!here) continue;
        ++all;
        inside += *here >= band.low[i] && *here <= band.high[i] ? 1 : 0;
    }
    if (all == 0) return {};
    return static_cast<double>(inside) / static_cast<double>(all);
}

std::optional<double> mean_deviation(const Series& series, const Series& reference, double from, double to)
{
    double deviation = 0;
    double size = 0;
    for (std::size_t i = 0; i < reference.time.size(); ++i) {
        if (reference.time[i] < from || reference.time[i] > to) continue;
        const auto here = value_at(series, reference.time[i]);
        if (!here) continue;
        deviation += std::abs(*here - reference.value[i]);
        size += std::abs(reference.value[i]);
    }
    if (!(size > 0)) return {};
    return deviation / size;
}

std::optional<double> frequency(const Series& series, double least)
{
    if (series.time.size() < 3) return {};
    double from = series.time.front();
    double to = series.time.back();
    std::vector<double> crossings;
    // A few repetitions settle the whole periods that the mean is taken over.
    for (int repetition = 0; repetition < 8; ++repetition) {
        const double level = *mean_over(series, from, to);
        double largest = 0;
        for (const double x : series.value) largest = std::max(largest, std::abs(x - level));
        crossings = upward_crossings(series, level, least * largest);
        if (crossings.size() < 2) return {};
        from = crossings.front();
        to = crossings.back();
    }
    return static_cast<double>(crossings.size() - 1) / (to - from);
}

MeasuredData::MeasuredData(std::optional<std::filesystem::path> folder) : folder_(std::move(folder))
{
    std::error_code unknown;
    if (folder_ && !std::filesystem::is_directory(*folder_, unknown)) {
        throw input_error(
            fmt::format("--data {}: is not a folder; give the one that holds the measured curves, or leave --data out",
                        folder_->string()));
    }
}

std::optional<std::filesystem::path> MeasuredData::path(const std::string& file, const std::string& use)
{
    std::error_code unknown;
    if (folder_ && std::filesystem::exists(*folder_ / file, unknown)) return std::filesystem::absolute(*folder_ / file);
    const std::string sentence = folder_ ? fmt::format("{} is not in {}: {}.", file, folder_->string(), use)
                                         : fmt::format("No --data folder with {} was given: {}.", file, use);
    if (std::ranges::find(missing_, sentence) == missing_.end()) missing_.push_back(sentence);
    return {};
}

std::optional<NumberTable> MeasuredData::table(const std::string& file, const std::string& use)
{
    const auto found = path(file, use);
    if (!found) return {};
    return read_number_table(*found);
}

Series MeasuredRun::probe(const std::string& name, const std::string& column) const
{
    for (std::size_t k = 0; k < source.probes.size(); ++k) {
        if (source.probes[k].name != name) continue;
        ProbeSeries series = empty_series(source.probes[k], source);
        series.values = columns.at(k);
        return {series.time(), series[column]};
    }
    throw std::out_of_range(fmt::format("case {} has no probe \"{}\"", source.name, name));
}

Score compared(const std::string& name, std::optional<double> computed, double measured, const std::string& unit,
               double limit, Deviation deviation)
{
    const bool relative = deviation == Deviation::relative;
    Score score;
    score.name = name;
    score.measured = fmt::format("{:.4g} {}", measured, unit);
    score.unit = unit;
    score.measured_number = measured;
    score.computed_number = computed;
    if (limit > 0)
        score.asked =
            relative ? fmt::format("within {:.3g} %", 100 * limit) : fmt::format("within {:.3g} {}", limit, unit);
    if (!computed) {
        score.computed = "none";
        score.met = !(limit > 0);
        return score;
    }
    const double away = relative ? (*computed - measured) / measured : *computed - measured;
    score.computed = relative ? fmt::format("{:.4g} {} ({:+.2f} %)", *computed, unit, 100 * away)
                              : fmt::format("{:.4g} {} ({:+.3g})", *computed, unit, away);
    score.met = !(limit > 0) || std::abs(away) <= limit;
    return score;
}

void Comparison::add_deviation(const std::string& name, const std::string& measured, std::optional<double> deviation,
                               double limit)
{
    scores.push_back({name, measured, limit > 0 ? fmt::format("within {:.0f} %", 100 * limit) : "",
                      deviation ? fmt::format("{:.1f} %", 100 * *deviation) : "none",
                      !(limit > 0) || (deviation && *deviation <= limit), "1", std::nullopt, deviation});
}

}  // namespace halfulp
