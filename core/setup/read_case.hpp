// Case files: reading, overriding, completing, writing back.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/setup/case.hpp"

namespace halfulp {

// Finds a case by path, or by name in ./cases, the installed cases and the source tree's.
// Throws an Error that lists where it looked and the names there are.
std::filesystem::path find_case(const std::string& name_or_path);

// Reads a case. Each override is "dotted.key=value", the value as TOML would have it (a bare word is a string).
// Throws an Error of one sentence: the file and line, the key, what was found, what is allowed.
Case read_case(const std::filesystem::path& path, const std::vector<std::string>& overrides);

// A case from its text: the files that it names lie relative to `path`, where it once was read.
Case read_case_text(const std::string& text, const std::filesystem::path& path,
                    const std::vector<std::string>& overrides = {});

// The completed case as TOML text: every value in force, in the order of the documentation. read_case accepts it again
// and gives the same case.
std::string case_as_toml(const Case& c);

}  // namespace halfulp
