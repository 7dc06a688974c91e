// Command line options that select a case and override its values.
#pragma once

#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/setup/case.hpp"

namespace CLI {
class App;
}

namespace halfulp {

struct CaseOptions {
    std::string name_or_path;
    std::vector<std::string> overrides;

    // Adds --set.
    void add_overrides(CLI::App& command);
    [[nodiscard]] Case read() const;
};

// A sentence for a case that was given after --set, which takes several values and so took the case for one; otherwise
// empty.
std::string case_among(const std::vector<std::string>& overrides);

// The error, reworded for an override that the user gave by another option: instead of --set and the override its
// sentence has `given`.
Error as_given(const Error& error, const std::string& override, const std::string& given);

}  // namespace halfulp
