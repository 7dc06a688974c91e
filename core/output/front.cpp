#include "core/output/front.hpp"

#include <algorithm>
#include <cmath>

namespace halfulp {

namespace {

using History = std::vector<std::array<double, 2>>;  // (t sqrt(2 g/L), x/L)

struct Deviation {
    double mean = 0;
    double largest = 0;
    double squares = 0;
};

// Position of the front at a time, linearly between rows; false beyond the last.
bool front_at(const History& history, double time, double& front)
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

// The points of the table that the run reached, the same set for every lag.
History reached(const FrontReference& reference, const History& history)
{
    History points;
    double here = 0;
    for (const auto& point : reference.points)
        if (front_at(history, point[0], here)) points.push_back(point);
    return points;
}

Deviation deviation_from(const History& points, double lag, const History& history)
{
    Deviation result;
    for (const auto& [time, x] : points) {
        double here = 0;
        front_at(history, std::max(0.0, time - lag), here);
        const double deviation = std::abs(here - x) / x;
        result.mean += deviation;
        result.squares += deviation * deviation;
        result.largest = std::max(result.largest, deviation);
    }
    if (!points.empty()) result.mean /= static_cast<double>(points.size());
    return result;
}

constexpr std::size_t enough = 3;  // points, for a fit

double fitted_lag(const History& points, const History& history)
{
    if (points.size() < enough) return 0;
    double lag = 0;
    double least = deviation_from(points, 0, history).squares;
    for (int k = 1; k < 1000; ++k) {
        const double squares = deviation_from(points, 1e-3 * k, history).squares;
        if (squares < least) least = squares, lag = 1e-3 * k;
    }
    return lag;
}

// The least-squares slope of a straight line through points.
double slope(const History& points)
{
    const auto n = static_cast<double>(points.size());
    double t = 0;
    double x = 0;
    for (const auto& point : points) t += point[0] / n, x += point[1] / n;
    double tt = 0;
    double tx = 0;
    for (const auto& point : points) tt += (point[0] - t) * (point[0] - t), tx += (point[0] - t) * (point[1] - x);
    return tx / tt;
}

double relative_speed(const History& points, double lag, const History& history)
{
    History table;
    History run;
    for (const auto& [time, x] : points) {
        double here = 0;
        if (x < 1.5) continue;
        front_at(history, std::max(0.0, time - lag), here);
        table.push_back({time, x});
        run.push_back({time, here});
    }
    if (table.size() < enough) return 0;
    const double published = slope(table);
    return published != 0 ? slope(run) / published : 0;  // a table of a front at rest has no speed
}

}  // namespace

std::vector<FrontScore> score_front(const Front& front, double gravity,
                                    const std::vector<std::array<double, 2>>& history)
{
    const double to_scaled_time = std::sqrt(2 * gravity / front.length);
    History scaled;
    for (const auto& [time, x] : history) scaled.push_back({time * to_scaled_time, (x - front.start) / front.length});
    std::vector<FrontScore> scores;
    for (const auto& reference : front.references) {
        const History points = reached(reference, scaled);
        const double lag = fitted_lag(points, scaled);
        const Deviation shifted = deviation_from(points, lag, scaled);
        scores.push_back({.reference = reference.name,
                          .points = points.size(),
                          .table_points = reference.points.size(),
                          .lag = lag,
                          .mean_deviation = shifted.mean,
                          .largest_deviation = shifted.largest,
                          .mean_deviation_as_published = deviation_from(points, 0, scaled).mean,
                          .speed = relative_speed(points, lag, scaled)});
    }
    return scores;
}

bool accepted(const Front& front, const std::vector<FrontScore>& scores)
{
    bool slow_enough = false;
    bool fast_enough = false;
    for (const FrontScore& score : scores) {
        if (score.points == 0 || score.speed == 0 || !(score.mean_deviation <= front.tolerance)) return false;
        slow_enough = slow_enough || score.speed <= 1 + speed_tolerance;
        fast_enough = fast_enough || score.speed >= 1 - speed_tolerance;
    }
    return slow_enough && fast_enough;
}

}  // namespace halfulp
