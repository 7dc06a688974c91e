// The page of the error budget about momentum.
#pragma once

#include <vector>

#include "core/setup/policy_table.hpp"
#include "validation/page.hpp"
#include "validation/study_cache.hpp"

namespace halfulp {

// all: of examine_pairs. The verdict is robust's: zero to the bit.
void say_pairs(Page& page, const std::vector<PolicyInfo>& policies, const Results& all);

// drops: of examine_drop, one a policy. The verdict is about robust's net force.
void say_drop(Page& page, const std::vector<PolicyInfo>& policies, const std::vector<Results>& drops, int steps);

}  // namespace halfulp
