// Description of what a run on several ranks would hold and send, as `halfulp info CASE --ranks N` tells.
#pragma once

#include <string>

#include "core/setup/problem.hpp"

namespace halfulp {

// Lines of a table. Throws an Error for a number of ranks that there cannot be.
std::string describe_ranks(const Problem& problem, int ranks);

}  // namespace halfulp
