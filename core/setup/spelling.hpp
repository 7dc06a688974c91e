// Suggestions for misspelt names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace halfulp {

// The name in `allowed` that takes the fewest insertions, deletions, replacements and swaps of neighbouring letters to
// reach; empty if none is near enough to be what was meant.
std::string_view nearest_name(std::string_view given, const std::vector<std::string_view>& allowed);

// "a, b and c"
std::string enumerate_names(const std::vector<std::string_view>& names, std::string_view last_joint = "and");

}  // namespace halfulp
