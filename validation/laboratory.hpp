// Policies that the experiments of the precision laboratory compare, their references and their rounded starts.
#pragma once

#include <string>
#include <vector>

#include "core/setup/policy_table.hpp"
#include "core/setup/problem.hpp"
#include "validation/study.hpp"

namespace halfulp {

// The policies of this build that can simulate, quad excepted: bundles first. quick: only the bundles and a few.
std::vector<PolicyInfo> laboratory_policies(Scale scale);

// Those of these names, in their order, each once; of the whole laboratory, whatever the scale. Throws an Error that
// names what is allowed, for a name of none of them.
std::vector<PolicyInfo> laboratory_policies(const std::vector<std::string>& names);

// The policy in double that solves the same discrete problem, to the rounding of its constants: in the same units.
std::string double_reference(const PolicyInfo& policy);
// The same in quadruple precision.
std::string quad_reference(const PolicyInfo& policy);

// Does the policy have parts in double: number, positions or sums?
bool has_double_parts(const PolicyInfo& policy);

// What a policy rounds of a start, all of whose numbers are floats: what a residual or a wider number holds is not.
struct StartRounding {
    bool positions = false;  // as global coordinates
    bool densities = false;  // as its storage has them
};
StartRounding start_rounding(const PolicyInfo& policy);

// What a policy can hold of a start: positions rounded as its coordinates are, densities as its storage is. A reference
// run begins there, so that what it differs by comes from the run and not from the start. Cells and offsets of the
// result are those nearest to the rounded positions: within 2^-25 of a cell side.
Problem start_as_held(Problem problem, const PolicyInfo& policy);

}  // namespace halfulp
