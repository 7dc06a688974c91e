// Command line options that select a case and override its values.
#pragma once

#include <string>
#include <vector>

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

}  // namespace halfulp
