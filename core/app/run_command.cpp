// halfulp run
#include <CLI/CLI.hpp>

#include "core/app/case_options.hpp"
#include "core/app/commands.hpp"
#include "core/app/machine_options.hpp"
#include "core/app/ranks.hpp"
#include "core/app/set_up.hpp"
#include "core/output/run_file.hpp"

namespace halfulp {

namespace {

struct RunArguments {
    CaseOptions source;
    std::string folder;
    bool overwrite = false;
    MachineOptions machine;
};

ExitCode run_case(const RunArguments& arguments, const CommandContext& context)
{
    RunOptions options = arguments.machine.run_options();
    if (const auto served = serve_as_rank(options.backend, [&] { return prepare(arguments.source.read()); }))
        return *served;
    JsonOutput json(arguments.machine.json);
    const Case c = arguments.source.read();
    const std::future<void> waking = wake_device(options.backend);
    options.folder =
        arguments.folder.empty() ? std::filesystem::path("out") / c.name : std::filesystem::path(arguments.folder);
    options.overwrite = arguments.overwrite;
    options.command_line = context.command_line;
    options.held = RunWriter::hold(options.folder, options.overwrite);
    JsonObject summary;
    const ExitCode code = run_and_report(set_up(c), options, !arguments.machine.no_figures, json ? &summary : nullptr);
    json.write(summary);
    return code;
}

}  // namespace

void add_run_command(CLI::App& app, CommandContext& context)
{
    auto arguments = std::make_shared<RunArguments>();
    CLI::App* command = app.add_subcommand("run", "Run a case and write its outputs, energy ledger and figures");
    command->add_option("case", arguments->source.name_or_path, "A case by name (e.g. dam-break-2d) or a TOML file")
        ->required()
        ->type_name("CASE");
    arguments->source.add_overrides(*command);
    command->add_option("-o,--output", arguments->folder, "Folder for the run (default: out/CASE)")
        ->type_name("FOLDER")
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    command->add_flag("--overwrite", arguments->overwrite, "Replace an existing run in the folder");
    arguments->machine.add_to(*command);
    command->callback([arguments, &context] { context.code = run_case(*arguments, context); });
}

}  // namespace halfulp
