// halfulp compare
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/app/commands.hpp"
#include "core/app/highlight.hpp"
#include "core/app/json.hpp"
#include "core/output/compare.hpp"

namespace halfulp {

void add_compare_command(CLI::App& app, CommandContext& context)
{
    struct Arguments {
        std::string a;
        std::string b;
        bool json = false;
    };
    auto arguments = std::make_shared<Arguments>();
    CLI::App* command = app.add_subcommand(
        "compare",
        "Compare two runs bit by bit: outputs, ledgers and probes; report the first difference and its size in ulps");
    command->add_option("A", arguments->a, "A run: its folder or its .h5 file")->required()->type_name("RUN");
    command->add_option("B", arguments->b, "The other run")->required()->type_name("RUN");
    command->add_flag("--json", arguments->json, "The verdict and the report as one JSON object on standard output");
    command->footer("Cells are compared relative to each run's origin. Exit code 0: equal; 2: different.");
    command->callback([arguments, &context] {
        const Comparison comparison = compare_runs(arguments->a, arguments->b);
        if (arguments->json) {
            fmt::print("{}\n", JsonObject()
                                   .add("a", arguments->a)
                                   .add("b", arguments->b)
                                   .add("equal", comparison.equal)
                                   .add("report", lines_of(comparison.report))
                                   .text());
        } else {
            fmt::print("{}", highlighted(printable(comparison.report), stdout));
        }
        context.code = comparison.equal ? ExitCode::success : ExitCode::differs;
    });
}

}  // namespace halfulp
