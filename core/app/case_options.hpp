// The options that name a case and change its values, shared by the commands that take one.
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
