#include "core/output/front.hpp"

#include <algorithm>
#include <cmath>

namespace halfulp {

namespace {

struct Deviation {
    std::size_t points = 0;
    double mean = 0;
    double largest = 0;
};

// Position of the front at a time, linearly between rows; false beyond the last.
bool front_at(const std::vector<std::array<double, 2>>& history, double time, double& front)
{
    const auto after =
        std::lower_bound(history.begin(), history.end(), time, [](const auto& row, double t) { return row[0] < t; });
    if (after == history.end()) return false;
    front = (*after)[1];
    if (after != history.begin()) {
        const auto& before = *(after - 1);
        const double share = (time - before[0]) / ((*after)[0] - before[0]);
        front = before[1] + share * ((*after)[1] - before[1]);
    }
    return true;
}

// Of a run against a table whose scaled times are taken `delay` earlier.
Deviation deviation_from(const Front& front, const FrontReference& reference, double to_scaled_time, double delay,
                         const std::vector<std::array<double, 2>>& history)
{
    Deviation result;
    for (const auto& [time, x] : reference.points) {
        double here = 0;
        if (!front_at(history, std::max(0.0, time - delay) / to_scaled_time, here)) continue;
        const double deviation = std::abs((here - front.start) / front.length - x) / x;
        result.mean += deviation;
        result.largest = std::max(result.largest, deviation);
        ++result.points;
    }
    if (result.points > 0) result.mean /= static_cast<double>(result.points);
    return result;
}

}  // namespace

std::vector<FrontScore> score_front(const Front& front, double gravity,
                                    const std::vector<std::array<double, 2>>& history)
{
    const double to_scaled_time = std::sqrt(2 * gravity / front.length);
    std::vector<FrontScore> scores;
    for (const auto& reference : front.references) {
        const Deviation plain = deviation_from(front, reference, to_scaled_time, 0, history);
        const Deviation shifted = deviation_from(front, reference, to_scaled_time, reference.clock_ahead, history);
        scores.push_back({.reference = reference.name,
                          .points = shifted.points,
                          .table_points = reference.points.size(),
                          .mean_deviation = shifted.mean,
                          .largest_deviation = shifted.largest,
                          .clock_ahead = reference.clock_ahead,
                          .mean_deviation_as_published = plain.mean});
    }
    return scores;
}

}  // namespace halfulp
