// The set-up of a case for the commands, with a notice if it takes long.
#pragma once

#include "core/setup/problem.hpp"

namespace halfulp {

// Calls prepare(). If computing the initial state will take long, first prints the number of particles and the
// estimated time on standard error.
Problem set_up(const Case& c);

}  // namespace halfulp
