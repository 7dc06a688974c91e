#include "core/output/front.hpp"

#include <algorithm>
#include <cmath>

namespace halfulp {

std::vector<FrontScore> score_front(const Front& front, double gravity,
                                    const std::vector<std::array<double, 2>>& history)
{
    const double to_scaled_time = std::sqrt(2 * gravity / front.length);
    std::vector<FrontScore> scores;
    for (const auto& reference : front.references) {
        FrontScore score{.reference = reference.name, .table_points = reference.points.size()};
        for (const auto& [time, x] : reference.points) {
            const double wanted = time / to_scaled_time;
            const auto after = std::lower_bound(history.begin(), history.end(), wanted,
                                                [](const auto& row, double t) { return row[0] < t; });
            if (after == history.end()) continue;
            double here = (*after)[1];
            if (after != history.begin()) {
                const auto& before = *(after - 1);
                const double share = (wanted - before[0]) / ((*after)[0] - before[0]);
                here = before[1] + share * ((*after)[1] - before[1]);
            }
            const double deviation = std::abs((here - front.start) / front.length - x) / x;
            score.mean_deviation += deviation;
            score.largest_deviation = std::max(score.largest_deviation, deviation);
            ++score.points;
        }
        if (score.points > 0) score.mean_deviation /= static_cast<double>(score.points);
        scores.push_back(score);
    }
    return scores;
}

}  // namespace halfulp
