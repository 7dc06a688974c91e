// Comparison of the front of a collapse with published tables.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/setup/case.hpp"

namespace halfulp {

// Simulated fluid is released at once, whereas an experiment's gate takes time: this lag is fitted for each table, and
// the front is judged by its shape and its speed.
struct FrontScore {
    std::string reference;
    std::size_t points = 0;  // of the table that the run reached
    std::size_t table_points = 0;
    // Lag of the fluid behind the table's clock, in t sqrt(2 g/L), between 0 and 1: it minimises the sum of the squares
    // of the relative deviations. 0 if fewer than three points are reached.
    double lag = 0;
    // Mean relative deviation of x/L at the table's times less the lag; and at the times as published.
    double mean_deviation = 0;
    double largest_deviation = 0;
    double mean_deviation_as_published = 0;
    // Ratio of the front's speed to the table's, from straight lines through the points beyond x/L = 1.5; 0 if fewer
    // than three are reached.
    double speed = 0;
};

// history: (time, front) in s and m, in order of time; gravity in m/s^2.
std::vector<FrontScore> score_front(const Front& front, double gravity,
                                    const std::vector<std::array<double, 2>>& history);

// Whether every mean deviation is within the front's tolerance, and the front is at most `speed_tolerance` faster than
// the fastest reference and slower than the slowest: two experiments may disagree by more.
inline constexpr double speed_tolerance = 0.05;
bool accepted(const Front& front, const std::vector<FrontScore>& scores);

}  // namespace halfulp
