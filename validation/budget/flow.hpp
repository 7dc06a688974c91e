// The page of the error budget about a flow's own numbers: cancellation in its sums, changes of a step, residuals.
#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include "validation/budget/jobs.hpp"
#include "validation/page.hpp"

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

}  // namespace halfulp
