// The page of the error budget: cancellation in a flow's own sums, changes of a step, residuals; momentum.
#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include "core/setup/policy_table.hpp"
#include "validation/budget/jobs.hpp"
#include "validation/page.hpp"
#include "validation/study_cache.hpp"

namespace halfulp {

// What examine_flow gives, by kinds; the rows begin with the number of the moment.
class FlowRows {
public:
    explicit FlowRows(const Results& results);

    [[nodiscard]] const Results& of(FlowRow kind) const;
    [[nodiscard]] Results at(FlowRow kind, double moment) const;

private:
    std::array<Results, flow_row_kinds> kinds_;
};

// Each writes its tables into the folder. The path is that of the main one.
std::filesystem::path say_conditions(Page& page, const std::filesystem::path& folder, const FlowRows& rows);
// cfls: those of examine_flow, descending.
void say_losses(Page& page, const std::filesystem::path& folder, const FlowRows& rows, const std::vector<double>& cfls);
void say_residuals(Page& page, const std::filesystem::path& folder, const FlowRows& rows);

// all: of examine_pairs. The verdict is robust's: zero to the bit.
void say_pairs(Page& page, const std::vector<PolicyInfo>& policies, const Results& all);

// drops: of examine_drop, one a policy. The verdict is about robust's net force.
void say_drop(Page& page, const std::vector<PolicyInfo>& policies, const std::vector<Results>& drops, int steps);

}  // namespace halfulp
