// halfulp resume and rerun
#include <algorithm>
#include <array>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/app/case_options.hpp"
#include "core/app/commands.hpp"
#include "core/app/highlight.hpp"
#include "core/app/json.hpp"
#include "core/app/machine_options.hpp"
#include "core/app/number_options.hpp"
#include "core/app/ranks.hpp"
#include "core/app/set_up.hpp"
#include "core/app/summary_json.hpp"
#include "core/output/compare.hpp"
#include "core/setup/read_case.hpp"

namespace halfulp {

namespace {

struct ResumeArguments {
    std::string run;
    std::optional<double> until;  // s
    std::vector<std::string> overrides;
    MachineOptions machine;
};

std::filesystem::path folder_of(const RunReader& reader)
{
    const std::filesystem::path folder = reader.folder();
    const std::filesystem::path name = folder.filename();
    return name.empty() || name == "." || name == ".." ? std::filesystem::canonical(folder) : folder;
}

// Throws an Error for a value that could change what the run has computed or written, or what a rerun repeats.
void require_later(const std::vector<std::string>& overrides)
{
    constexpr std::array allowed{"time.end", "output.figures", "title"};
    for (const std::string& one : overrides) {
        const std::string key = one.substr(0, one.find('='));
        if (std::ranges::find(allowed, key) != allowed.end()) continue;
        throw input_error(
            "--set {}: in a run that has begun only {} can be changed, as they affect nothing that it has computed or "
            "written; to change {}, run the case again.",
            shortened(one), fmt::join(allowed, ", "), shortened(key));
    }
}

ExitCode resume(const ResumeArguments& arguments, const CommandContext& context)
{
    RunOptions options = arguments.machine.run_options();
    options.command_line = context.command_line;
    options.changed = arguments.overrides;
    if (arguments.until) options.changed.push_back(fmt::format("time.end={}", *arguments.until));
    require_later(options.changed);
    const auto changed_case = [&](const RunReader& reader) {
        try {
            return case_of(reader, options.changed);
        } catch (const Error& error) {
            if (!arguments.until) throw;
            throw as_given(error, options.changed.back(), fmt::format("--until {}", *arguments.until));
        }
    };
    const auto problem_of_run = [&] { return prepare(changed_case(RunReader(folder_of_run(arguments.run)))); };
    if (const auto served = serve_as_rank(options.backend, problem_of_run)) return *served;
    JsonOutput json(arguments.machine.json);
    RunToResume run;
    Case c;
    {
        // Locked before anything is read, so that no other program still changes it.
        options.folder = folder_of_run(arguments.run);
        options.held = RunFolder::existing(options.folder);
        const RunReader reader(options.held.path());
        run = read_run_to_resume(reader, !options.changed.empty(),
                                 [](const std::string& warning) { complain("halfulp: " + warning); });
        if (run.complete) {
            fmt::print("{} is complete: there is nothing to resume.\n", one_line(options.folder.string()));
            if (json) json.write(run_as_json(options.folder, reader));
            return ExitCode::success;
        }
        c = changed_case(reader);
        if (run.from) {
            run.from->kept.case_completed = case_as_toml(c);
        } else {
            fmt::print("{} has no checkpoint to resume from: the run starts again from its case.\n",
                       one_line(shown(reader.folder())));
            options.overwrite = true;
            c.text = reader.content().case_given;
        }
    }
    std::optional<ResumePoint>& from = run.from;
    const Problem problem = problem_of(c, options.held, options.folder, set_up);
    require_same_start(problem, run.problem_hash, options.folder.string());
    if (from && !options.changed.empty()) {
        const double reached = from->checkpoint.simulation.clock.time() * problem.units.time();
        if (!(c.time.end > reached)) {
            throw input_error("time.end = {} s: {} has already reached t = {:.6g} s; give a later time.", c.time.end,
                              options.folder.string(), reached);
        }
    }
    JsonObject summary;
    const ExitCode code =
        run_and_report(problem, options, !arguments.machine.no_figures, json ? &summary : nullptr, std::move(from));
    json.write(summary);
    return code;
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
    JsonOutput json(arguments.machine.json);
    Case c;
    std::string hash;
    {
        const RunReader reader(arguments.run, Tables::left);
        const std::filesystem::path folder = folder_of(reader);
        options.folder = arguments.folder.empty() ? std::filesystem::path(folder.string() + "-again")
                                                  : std::filesystem::path(arguments.folder);
        std::error_code error;
        if (std::filesystem::equivalent(folder, options.folder, error)) {
            throw input_error("-o {} is the run itself; choose another folder, with which it is compared.",
                              options.folder.string());
        }
        if (!reader.has_ended()) {
            const RunFolder held = RunFolder::existing(folder);  // refused while the run is still going
            throw input_error("{} is not complete (its end_state is \"{}\"); halfulp resume {} continues it.",
                              folder.string(), reader.entry("end_state"), for_shell(folder));
        }
        hash = reader.entry("problem_hash");
        c = case_of(reader);
    }
    options.held = RunWriter::hold(options.folder, options.overwrite);
    const Problem problem = set_up(c);
    require_same_start(problem, hash, arguments.run, "run again", "use the one that ran it");
    JsonObject summary;
    const ExitCode code = run_and_report(problem, options, !arguments.machine.no_figures, json ? &summary : nullptr);
    if (code != ExitCode::success && code != ExitCode::stopped) {
        json.write(summary);
        return code;
    }
    const Comparison comparison = compare_runs(arguments.run, options.folder);
    if (json) json.write(summary.add("equal", comparison.equal).add("report", lines_of(comparison.report)));
    else fmt::print("\n{}", highlighted(printable(comparison.report), stdout));
    return comparison.equal ? ExitCode::success : ExitCode::differs;
}

}  // namespace

void add_resume_command(CLI::App& app, CommandContext& context)
{
    auto arguments = std::make_shared<ResumeArguments>();
    CLI::App* command =
        app.add_subcommand("resume", "Continue an interrupted run, with the bits of an uninterrupted one");
    command->add_option("run", arguments->run, "The folder of the run")->required()->type_name("RUN");
    command
        ->add_option(
            "--until", arguments->until,
            "A new end of the run, s: later, or earlier but not reached yet; changes no earlier bit. Of a complete "
            "run: if it was run with --keep-checkpoint")
        ->type_name("TIME")
        ->transform(number());
    command
        ->add_option("--set", arguments->overrides,
                     "Change a value of the run's case that changes no earlier bit: time.end, output.figures or title")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    arguments->machine.add_to(*command);
    command->footer("The changed case is stored with the run, so that halfulp rerun repeats all of it.");
    command->callback([arguments, &context] { context.code = resume(*arguments, context); });
}

void add_rerun_command(CLI::App& app, CommandContext& context)
{
    auto arguments = std::make_shared<RerunArguments>();
    CLI::App* command =
        app.add_subcommand("rerun", "Repeat a run from its folder alone and compare the results to the bit");
    command->add_option("run", arguments->run, "The folder of the run")->required()->type_name("RUN");
    command->add_option("-o,--output", arguments->folder, "Folder for the new run (default: RUN-again)")
        ->type_name("FOLDER");
    command->add_flag("--overwrite", arguments->overwrite, "Replace an existing run in that folder");
    arguments->machine.add_to(*command);
    command->footer("Exit code 0: equal to the bit; 2: different.");
    command->callback([arguments, &context] { context.code = rerun(*arguments, context); });
}

}  // namespace halfulp
