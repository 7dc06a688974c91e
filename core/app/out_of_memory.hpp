// Messages about exhausted memory.
#pragma once

#include <string>

#include "core/setup/problem.hpp"

namespace halfulp {

// The available memory and the remedies; one sentence.
std::string out_of_memory();

// Including the problem's requirements.
std::string out_of_memory(const Problem& problem);

// The message of the exception that is being handled, or that about exhausted memory.
std::string sentence_of_failure();

}  // namespace halfulp
