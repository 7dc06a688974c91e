// The sentence of a program whose memory runs out.
#pragma once

#include <string>

#include "core/setup/problem.hpp"

namespace halfulp {

// What there is of memory, and what helps; a sentence.
std::string out_of_memory();

// What the problem takes, as well.
std::string out_of_memory(const Problem& problem);

}  // namespace halfulp
