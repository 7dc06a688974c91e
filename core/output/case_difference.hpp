// The values in which two completed cases differ, for a report of two runs.
#pragma once

#include <string>

namespace halfulp {

// A line "the cases differ: KEY = VALUE in A, VALUE in B; ...", with at most five keys; empty if none does. Texts are
// those that runs keep (case_as_toml): a key a line, its comment behind "  # ".
std::string case_difference(const std::string& a, const std::string& b);

}  // namespace halfulp
