// halfulp resume
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/app/commands.hpp"
#include "core/app/machine_options.hpp"
#include "core/setup/read_case.hpp"

namespace halfulp {

namespace {

struct ResumeArguments {
    std::string run;
    MachineOptions machine;
};

// The case as the run has it; files that it names are looked for where they were.
Case case_of(const RunReader& reader, const Provenance& provenance)
{
    const auto path = provenance.find("case_path");
    return read_case_text(reader.case_completed(), path == provenance.end() ? reader.path().string() : path->second);
}

ExitCode resume(const ResumeArguments& arguments, const CommandContext& context)
{
    RunOptions options = arguments.machine.run_options();
    options.command_line = context.command_line;
    std::optional<ResumePoint> from;
    Case c;
    {
        const RunReader reader(arguments.run);
        options.folder = reader.path().parent_path();
        const Provenance provenance = reader.provenance();
        if (const auto end = provenance.find("end_state"); end != provenance.end() && end->second == "complete") {
            fmt::print("{} is complete: there is nothing to resume.\n", options.folder.string());
            return ExitCode::success;
        }
        std::vector<std::string> warnings;
        Checkpoint checkpoint = read_checkpoint(options.folder, warnings);
        for (const std::string& warning : warnings) {
            fmt::print(stderr, "halfulp: {} The checkpoint of step {} is taken instead.\n", warning,
                       checkpoint.simulation.clock.steps());
        }
        KeptRun kept = reader.beginning(checkpoint.length);
        from = ResumePoint{.checkpoint = std::move(checkpoint), .kept = std::move(kept)};
        c = case_of(reader, provenance);
    }
    const Problem problem = prepare(c);
    if (fingerprint_of(problem) != from->checkpoint.problem) {
        throw input_error(fmt::format(
            "{} cannot be resumed: with this version, or with the files that its case names as they are now "
            "({}), it would not start as it did; run the case anew.",
            options.folder.string(), c.path.string()));
    }
    return run_and_report(problem, options, !arguments.machine.no_figures, from);
}

}  // namespace

void add_resume_command(CLI::App& app, CommandContext& context)
{
    auto arguments = std::make_shared<ResumeArguments>();
    CLI::App* command = app.add_subcommand(
        "resume", "Go on with a run that was interrupted, to the bits that it would have had without");
    command->add_option("run", arguments->run, "The folder of the run")->required()->type_name("RUN");
    arguments->machine.add_to(*command);
    command->callback([arguments, &context] { context.code = resume(*arguments, context); });
}

}  // namespace halfulp
