// The fish pass of `halfulp validate pools`, and what both of its parts need.
#pragma once

#include "validation/experiment.hpp"
#include "validation/pools/record.hpp"

namespace halfulp {

struct PoolsArguments : StudyOptions {
    double spacing = 0;  // of the fish pass, m; 0: that of the scale
};

// A run of copies of the case at these places.
Job job_of(const Case& c, const std::vector<Cells>& places);

// A fish pass of eight pools, at the origin and up to 10^9 cells away.
void write_fish_pass(Page& page, const PoolsArguments& arguments);

}  // namespace halfulp
