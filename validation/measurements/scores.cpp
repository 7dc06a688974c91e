#include "validation/measurements/scores.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

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

}  // namespace halfulp
