// Messages about exhausted memory.
#pragma once

#include <string>

#include "core/setup/problem.hpp"

namespace halfulp {

// The available memory and the remedies; one sentence.
std::string out_of_memory();

// Including the problem's requirements.
std::string out_of_memory(const Problem& problem);

}  // namespace halfulp
