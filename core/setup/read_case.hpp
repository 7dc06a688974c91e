// Case files: reading, overriding, completing, writing back.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/setup/case.hpp"

namespace halfulp {

// Finds a case by path, or by name in ./cases, the installed cases and the source tree's.
// Throws an Error that lists the folders searched and the available names.
std::filesystem::path find_case(const std::string& name_or_path);

// The cases that are found by name, in alphabetical order.
std::vector<std::filesystem::path> known_cases();

// Reads a case. Each override is "dotted.key=value", the value as in TOML (a bare word is a string).
// Throws an Error of one sentence: the file and line, the key, the value found, what is allowed.
Case read_case(const std::filesystem::path& path, const std::vector<std::string>& overrides);

// A case from its text: files that it names are relative to `path`, from which it was once read.
Case read_case_text(const std::string& text, const std::filesystem::path& path,
                    const std::vector<std::string>& overrides = {});

// The completed case as TOML text: every value in force, in the order of the documentation. read_case reads it back as
// the same case.
std::string case_as_toml(const Case& c);

}  // namespace halfulp
