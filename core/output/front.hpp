// The front of a collapse against published tables.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/setup/case.hpp"

namespace halfulp {

// Fluid is free at once, an experiment's gate takes its time: how long is fitted for each table, and the front is
// judged by its shape and its speed.
struct FrontScore {
    std::string reference;
    std::size_t points = 0;  // of the table that the run reached
    std::size_t table_points = 0;
    // By how much of t sqrt(2 g/L) the table's clock starts before the fluid does: what makes the sum of the squares of
    // the relative deviations smallest, between 0 and 1. 0 where fewer than three points are reached.
    double lag = 0;
    // Of x/L at the table's times less the lag, relative, absolute values; and with the times as published.
    double mean_deviation = 0;
    double largest_deviation = 0;
    double mean_deviation_as_published = 0;
    // The front's over the table's, of straight lines through the points beyond x/L = 1.5; 0 where fewer than three are
    // reached.
    double speed = 0;
};

// history: (time, front) in s and m, in order of time; gravity in m/s^2.
std::vector<FrontScore> score_front(const Front& front, double gravity,
                                    const std::vector<std::array<double, 2>>& history);

// Whether every mean deviation is within the front's tolerance, and the front is by at most `speed_tolerance` faster
// than the fastest of the references and slower than the slowest: two experiments may disagree by more.
inline constexpr double speed_tolerance = 0.05;
bool accepted(const Front& front, const std::vector<FrontScore>& scores);

}  // namespace halfulp
