// halfulp list: the shipped cases.
#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/app/commands.hpp"
#include "core/setup/problem.hpp"
#include "core/setup/read_case.hpp"

namespace halfulp {

namespace {

void list_cases(bool names_only, bool count)
{
    const std::vector<std::filesystem::path> cases = known_cases();
    std::size_t width = 0;
    for (const std::filesystem::path& path : cases) width = std::max(width, path.stem().string().size());
    for (const std::filesystem::path& path : cases) {
        const std::string name = path.stem().string();
        if (names_only) {
            fmt::print("{}\n", one_line(name));
            continue;
        }
        try {
            const Case c = read_case(path, {});
            fmt::print("{:<{}}  {}D  {:>9} m  ", name, width, c.dimensions,
                       fmt::format("{:.6g}", c.resolution.spacing));
            if (count) {
                const Problem problem = prepare(c);
                fmt::print("{:>8} fluid {:>8} wall  ", problem.fluid, problem.wall);
            }
            fmt::print("{}\n", one_line(c.title));
        } catch (const Error& error) {  // one of the user's own, in ./cases
            fmt::print("{:<{}}  {}\n", one_line(name), width, error.what());
        }
        std::fflush(stdout);
    }
}

}  // namespace

void add_list_command(CLI::App& app, CommandContext& context)
{
    struct Arguments {
        bool names = false;
        bool particles = false;
    };
    auto arguments = std::make_shared<Arguments>();
    CLI::App* command = app.add_subcommand("list", "The cases that can be run by name: dimensions, spacing, title");
    auto* names = command->add_flag("--names", arguments->names, "Names only");
    command->add_flag("--particles", arguments->particles, "Also the number of particles of each, which takes seconds")
        ->excludes(names);
    command->footer(
        "Cases are found in ./cases and among those shipped with the program. halfulp info CASE shows more.");
    command->callback([arguments, &context] {
        list_cases(arguments->names, arguments->particles);
        context.code = ExitCode::success;
    });
}

}  // namespace halfulp
