// Words of a user: suggestions for misspelt names, and blanks around them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace halfulp {

// The name in `allowed` at the smallest edit distance (insertions, deletions, replacements, swaps of neighbouring
// letters); empty if none is close enough to be meant.
std::string_view nearest_name(std::string_view given, const std::vector<std::string_view>& allowed);

// "a, b and c"
std::string enumerate_names(const std::vector<std::string_view>& names, std::string_view last_joint = "and");

// Without spaces, tabs and carriage returns at either end.
std::string_view trimmed(std::string_view text);

}  // namespace halfulp
