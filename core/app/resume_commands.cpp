// halfulp resume and rerun
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/app/commands.hpp"
#include "core/app/machine_options.hpp"
#include "core/output/compare.hpp"
#include "core/setup/read_case.hpp"

namespace halfulp {

namespace {

struct ResumeArguments {
    std::string run;
    MachineOptions machine;
};

// The case of the run, with the run's own copies of the files that it names.
Case case_of(const RunReader& reader)
{
    const std::string path = reader.entry("case_path");
    Case c = read_case_text(reader.content().case_completed, path.empty() ? reader.path().string() : path);
    c.kept_files = reader.inputs();
    return c;
}

std::filesystem::path folder_of(const RunReader& reader)
{
    const std::filesystem::path folder = reader.folder();
    const std::filesystem::path name = folder.filename();
    return name.empty() || name == "." || name == ".." ? std::filesystem::canonical(folder) : folder;
}

ExitCode resume(const ResumeArguments& arguments, const CommandContext& context)
{
    RunOptions options = arguments.machine.run_options();
    options.command_line = context.command_line;
    std::optional<ResumePoint> from;
    Case c;
    std::string hash;
    {
        // Locked before anything is read, so that no other program still changes it.
        options.folder = folder_of_run(arguments.run);
        options.held = RunFolder::existing(options.folder);
        const std::filesystem::path folder = options.held.path();
        const RunReader reader(folder);
        if (reader.entry("end_state") == "complete") {
            fmt::print("{} is complete: there is nothing to resume.\n", options.folder.string());
            return ExitCode::success;
        }
        RunWriter::name_copies(folder, reader.content());
        std::vector<std::string> warnings;
        from = read_resume_point(reader, warnings);
        for (const std::string& warning : warnings) {
            fmt::print(stderr, "halfulp: {} {}.\n", warning,
                       from ? fmt::format("The checkpoint of step {} is taken instead",
                                          from->checkpoint.simulation.clock.steps())
                            : "No other checkpoint is left");
        }
        c = case_of(reader);
        hash = reader.entry("problem_hash");
        if (from) {
            hash = from->checkpoint.problem.text();
        } else if (reader.has_ended()) {
            throw input_error(fmt::format("{} broke down and has no checkpoint: run from its start it ends as it did.",
                                          shown(folder)));
        } else {
            fmt::print("{} has no checkpoint to resume from: the run starts again from its case.\n", shown(folder));
            options.overwrite = true;
            c.text = reader.content().case_given;
        }
    }
    const Problem problem = prepare(c);
    if (!hash.empty() && fingerprint_of(problem).text() != hash) {
        throw input_error(fmt::format(
            "{} cannot be resumed: with this version of halfulp it would not start as it did; resume it with the one "
            "that began it, or run the case anew.",
            options.folder.string()));
    }
    return run_and_report(problem, options, !arguments.machine.no_figures, std::move(from));
}

struct RerunArguments {
    std::string run;
    std::string folder;
    bool overwrite = false;
    MachineOptions machine;
};

ExitCode rerun(const RerunArguments& arguments, const CommandContext& context)
{
    RunOptions options = arguments.machine.run_options();
    options.command_line = context.command_line;
    options.overwrite = arguments.overwrite;
    Case c;
    std::string hash;
    {
        const RunReader reader(arguments.run, Tables::left);
        const std::filesystem::path folder = folder_of(reader);
        options.folder = arguments.folder.empty() ? std::filesystem::path(folder.string() + "-again")
                                                  : std::filesystem::path(arguments.folder);
        std::error_code error;
        if (std::filesystem::equivalent(folder, options.folder, error)) {
            throw input_error(fmt::format("-o {} is the run itself; choose another folder, with which it is compared.",
                                          options.folder.string()));
        }
        if (!reader.has_ended()) {
            throw input_error(
                fmt::format("{} is not complete (its end_state is \"{}\"); halfulp resume {} goes on with it.",
                            folder.string(), reader.entry("end_state"), folder.string()));
        }
        hash = reader.entry("problem_hash");
        c = case_of(reader);
    }
    RunWriter::refuse_existing(options.folder, options.overwrite);
    const Problem problem = prepare(c);
    if (!hash.empty() && fingerprint_of(problem).text() != hash) {
        throw input_error(
            fmt::format("{} cannot be run again: with this version of halfulp it would not start as it did; use the "
                        "one that ran it.",
                        arguments.run));
    }
    const ExitCode code = run_and_report(problem, options, !arguments.machine.no_figures);
    if (code != ExitCode::success && code != ExitCode::stopped) return code;
    const Comparison comparison = compare_runs(arguments.run, options.folder);
    fmt::print("\n{}", printable(comparison.report));
    return comparison.equal ? ExitCode::success : ExitCode::differs;
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

void add_rerun_command(CLI::App& app, CommandContext& context)
{
    auto arguments = std::make_shared<RerunArguments>();
    CLI::App* command = app.add_subcommand(
        "rerun", "Do a run again, from what it says of itself, and say whether the bits are the same");
    command->add_option("run", arguments->run, "The folder of the run")->required()->type_name("RUN");
    command->add_option("-o,--output", arguments->folder, "Folder for the new run (default: RUN-again)")
        ->type_name("FOLDER");
    command->add_flag("--overwrite", arguments->overwrite, "Replace a run that is in that folder already");
    arguments->machine.add_to(*command);
    command->footer("Exit code 0: equal to the bit; 2: different.");
    command->callback([arguments, &context] { context.code = rerun(*arguments, context); });
}

}  // namespace halfulp
