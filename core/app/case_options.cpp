#include "core/app/case_options.hpp"

#include <CLI/CLI.hpp>

#include "core/setup/read_case.hpp"

namespace halfulp {

void CaseOptions::add_overrides(CLI::App& command)
{
    command
        .add_option(
            "--set", overrides,
            "Override a value of the case: KEY=VALUE with a dotted key, e.g. --set resolution.spacing=0.03; may be given many times")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

Case CaseOptions::read() const { return read_case(find_case(name_or_path), overrides); }

}  // namespace halfulp
