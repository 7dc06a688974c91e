// Setting up a case for the commands, which says so before a long one.
#pragma once

#include "core/setup/problem.hpp"

namespace halfulp {

// prepare(), with a line on standard error, before the initial state is computed, of the number of particles and the
// time that it will about take, if that is long.
Problem set_up(const Case& c);

}  // namespace halfulp
