// The policies of `halfulp validate reversal`, one against the other: tables, verdicts and what explains them.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "core/setup/policy_table.hpp"
#include "validation/page.hpp"
#include "validation/reversal/there_and_back.hpp"

namespace halfulp {

// What was measured with the most steps before the turn.
struct Turned {
    // Cells, of the other place besides the origin, where naive's coordinates still resolve a step.
    static constexpr std::int32_t far_away = 4000;

    std::vector<PolicyInfo> policies;
    std::vector<double> cfls;
    double spacing = 0;                                          // m
    std::map<double, int> steps;                                 // of a CFL number
    std::map<std::pair<std::int32_t, double>, Returns> returns;  // of cells from the origin and a CFL number
};

// The policies by what they come back to, and by where they are at the turn.
void tell_ranks(Page& page, const Turned& turned);
// robust against the best of the others, and why some come back closer.
void judge_robust(Page& page, const Turned& turned);

}  // namespace halfulp
