// The front of a collapse against published tables.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/setup/case.hpp"

namespace halfulp {

struct FrontScore {
    std::string reference;
    std::size_t points = 0;  // of the table that the run reached
    std::size_t table_points = 0;
    // Of x/L at the table's times less its clock_ahead, relative, absolute values.
    double mean_deviation = 0;
    double largest_deviation = 0;
    double clock_ahead = 0;
    double mean_deviation_as_published = 0;  // with the table's times as they are
};

// history: (time, front) in s and m, in order of time; gravity in m/s^2.
std::vector<FrontScore> score_front(const Front& front, double gravity,
                                    const std::vector<std::array<double, 2>>& history);

}  // namespace halfulp
