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
    double mean_deviation = 0;  // of x/L at the table's times, relative, absolute values
    double largest_deviation = 0;
    // Experiments start their clock at the gate, not at the fluid. With the table's times taken this much earlier, in
    // t sqrt(2 g / L), the mean deviation is least:
    double best_delay = 0;
    double mean_deviation_delayed = 0;
};

// history: (time, front) in s and m, in order of time; gravity in m/s^2.
std::vector<FrontScore> score_front(const Front& front, double gravity,
                                    const std::vector<std::array<double, 2>>& history);

}  // namespace halfulp
