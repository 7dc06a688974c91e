// Scores of a computed curve beside a measured one: arrivals, impacts and their impulses, the share of time within the
// band of the repeats, frequencies. Single values of an impact's pressure repeat badly even
// in the laboratory, so nothing here compares two curves point by point there.
#pragma once

#include <optional>
#include <tuple>
#include <vector>

namespace halfulp {

// A quantity over time. Times ascend; both have the same length.
struct Series {
    std::vector<double> time;  // s
    std::vector<double> value;

    static auto members(auto& self) { return std::tie(self.time, self.value); }

    void add(double t, double x);
    [[nodiscard]] bool empty() const { return time.empty(); }
};

// Linearly between samples; nothing before the first and after the last.
std::optional<double> value_at(const Series& series, double time);

// The first time from `from` on at which the series rises through the threshold or is at it already, linearly between
// samples; nothing if it never does.
std::optional<double> arrival_time(const Series& series, double threshold, double from = 0);

// The mean over time from one time to another, of the straight lines between the samples; nothing unless the series
// covers all of it.
std::optional<double> mean_over(const Series& series, double from, double to);

// Its mean over a window of that width around every sample, at the ends over what there is of it: the filter that the
// comparisons with pressure gauges name. A width of 0 changes nothing.
Series moving_average(const Series& series, double width);

// The largest sample from one time to another; nothing if there is none.
std::optional<double> largest_sample(const Series& series, double from, double to);

struct Impact {
    double time = 0;     // s, of the peak
    double rise = 0;     // s, where the series rises through the threshold on the way there
    double peak = 0;     // above the base
    double base = 0;     // median of the series over the time `before` the rise
    double impulse = 0;  // integral of what is above the base, from `lead` before the rise to `length` after it
};

struct ImpactSearch {
    double threshold = 0;  // above 0 of the series
    double apart = 0;      // s; an impact is over, and the next may begin, this long after its rise
    double before = 0.1;   // s
    double lead = 0;       // s
    double length = 0.1;   // s
};

// The impacts of a series in order of time: each begins where it rises through the threshold.
std::vector<Impact> impacts(const Series& series, const ImpactSearch& search);

// The integral of the series less a base from one time to another, of the straight lines between the samples; what the
// series does not cover counts as the base.
double impulse(const Series& series, double from, double to, double base);

struct Band {
    std::vector<double> time;  // s
    std::vector<double> low;
    std::vector<double> high;
};
// The share of the band's times from one time to another at which the series is within it, ends included; nothing if
// the series covers none of them.
std::optional<double> share_inside(const Series& series, const Band& band, double from, double to);

// The mean over the reference's samples from one time to another of |series - reference|, over the mean of |reference|
// there: a small value of the reference does not count for more than a large one. Nothing if the series covers none.
std::optional<double> mean_deviation(const Series& series, const Series& reference, double from, double to);

// Of an oscillation about its own mean, in 1/s: from the first to the last upward crossing of the mean, each linearly
// between samples. The mean is taken over these whole periods only, found by repetition. A crossing counts only after
// the series has been below the mean by `least`, a fraction of its largest deviation: noise is not an oscillation.
// Nothing for fewer than two crossings.
std::optional<double> frequency(const Series& series, double least = 0.25);

}  // namespace halfulp
