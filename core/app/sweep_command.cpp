// halfulp sweep: many runs of one case with different values, side by side: each a process with one thread, or in
// batches on a device.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string_view>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/app/commands.hpp"
#include "core/app/highlight.hpp"
#include "core/app/interrupts.hpp"
#include "core/app/json.hpp"
#include "core/app/number_options.hpp"
#include "core/app/summary_json.hpp"
#include "core/app/sweep.hpp"
#include "core/app/sweep_batches.hpp"
#include "core/app/sweep_processes.hpp"
#include "core/error.hpp"
#include "core/output/posix_file.hpp"
#include "core/output/verify.hpp"

namespace halfulp {

namespace {

// The last line of its log, if nothing else is known.
std::string cause_of(const Sweep& sweep, const SweepMember& failed)
{
    if (!failed.failure.empty()) return failed.failure;
    constexpr std::size_t longest_log = 1U << 20U;
    const std::vector<std::string> lines = lines_of(beginning_of(sweep.held(sweep.log_of(failed)), longest_log));
    if (lines.empty()) return "its process was ended by a signal.";
    constexpr std::string_view complaint = "halfulp: ";
    return lines.back().substr(lines.back().starts_with(complaint) ? complaint.size() : 0);
}

ExitCode report(const Sweep& sweep)
{
    const auto count = [&](auto which) {
        return std::count_if(sweep.members.begin(), sweep.members.end(),
                             [&](const SweepMember& member) { return which(member.state.text); });
    };
    const auto complete = count([](const std::string& end) { return end == "complete"; });
    const auto stopped = count([](const std::string& end) { return end.starts_with("stopped"); });
    const auto failed = count([](const std::string& end) { return end.starts_with("failed"); });
    const auto unfinished = static_cast<std::ptrdiff_t>(sweep.members.size()) - complete - stopped - failed;
    fmt::print("  runs              {} complete, {} stopped, {} failed,{} of {}\n", complete, stopped, failed,
               unfinished > 0 ? fmt::format(" {} unfinished,", unfinished) : "", sweep.members.size());
    for (const SweepMember& member : sweep.members) {
        if (!member.state.text.starts_with("failed")) continue;
        fmt::print("                    {}: {}\n", member.name,
                   member.failure.empty() ? "see " + sweep.log_of(member).string() : member.failure);
    }
    const auto others = std::ranges::count_if(sweep.members, &SweepMember::of_other_sources);
    if (others > 0) {
        fmt::print(
            "{}",
            highlighted(
                fmt::format(
                    "  warning           {} of these runs {} begun by another version of halfulp, whose bits may be "
                    "others; give a folder in which no run is, to have all of this version\n",
                    others, others == 1 ? "was" : "were"),
                stdout));
    }
    fmt::print("  table             {}\n", (sweep.folder / sweep_table).string());
    if (static_cast<std::size_t>(complete) == sweep.members.size()) return ExitCode::success;
    if (interrupted() || unfinished > 0) fmt::print("  interrupted       the same command continues it\n");
    if (interrupted()) return code_of_interrupt();
    if (failed == 0) return stopped > 0 ? ExitCode::stopped : ExitCode::interrupted;
    const auto first = std::ranges::find_if(
        sweep.members, [](const SweepMember& member) { return member.state.text.starts_with("failed"); });
    std::fflush(stdout);
    complain(highlighted(one_line(fmt::format("halfulp: {} of {} runs failed; the first, {}: {}", failed,
                                              sweep.members.size(), first->name, cause_of(sweep, *first))),
                         stderr));
    return ExitCode::bad_input;
}

ExitCode carry_out(const SweepArguments& arguments)
{
    if (backend_kind_from(arguments.backend) == BackendKind::automatic)
        throw input_error("--backend auto: a sweep needs a definite back end, cpu or cuda.");
    if (arguments.device && backend_kind_from(arguments.backend) != BackendKind::cuda)
        throw input_error("--device: a sweep takes a CUDA device with --backend cuda; add that or leave this out.");
    if (arguments.jobs && *arguments.jobs < 1) {
        throw input_error("--jobs {}: allowed are 1 and more runs at a time; leave it out for as many as cores.",
                          *arguments.jobs);
    }
    JsonOutput json(arguments.json);
    Sweep sweep(arguments);
    if (is_or_was_run(sweep.folder)) {
        throw output_error("{}: this is the folder of a run; give a sweep another one.", sweep.folder.string());
    }
    // No other sweep takes the same runs meanwhile; whatever is wrong with one of them is said before any starts.
    sweep.hold_if_there();
    sweep.look_at_members();
    if (sweep.on_device()) refuse_without_device(sweep);
    sweep.check_set_ups();
    sweep.hold();
    write_table(sweep);
    catch_interrupts();
    if (sweep.on_device()) carry_out_batches(sweep, cuda_machine(arguments.device.value_or(0)));
    carry_out_alone(sweep);
    write_table(sweep);
    discard_output_without_reader();
    release_interrupts();
    if (reader_is_gone()) complain("halfulp: standard output was closed; the same command continues the sweep.");
    const ExitCode code = report(sweep);
    if (json) json.write(sweep_as_json(sweep, code));
    return code;
}

}  // namespace

void add_sweep_command(CLI::App& app, CommandContext& context)
{
    auto arguments = std::make_shared<SweepArguments>();
    CLI::App* command = app.add_subcommand(
        "sweep", "Run a case with every combination of given values, in parallel on the processor's cores");
    command->add_option("case", arguments->source.name_or_path, "A case by name (e.g. dam-break-2d) or a TOML file")
        ->required()
        ->type_name("CASE");
    command
        ->add_option("--vary", arguments->varied,
                     "A key of the case and its values, e.g. --vary resolution.spacing=0.02,0.01; given several times, "
                     "every combination is run; these values take precedence over those of --set")
        ->required()
        ->type_name("KEY=VALUE,...")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    arguments->source.add_overrides(*command);
    command->add_option("-o,--output", arguments->folder, "Folder for the runs (0000, 0001, ...) and sweep.csv")
        ->required()
        ->type_name("FOLDER");
    command
        ->add_option("--jobs", arguments->jobs,
                     "Runs at a time on the CPU, each on one thread (default: as many as cores)")
        ->type_name("NUMBER")
        ->transform(whole_number<int>());
    command
        ->add_option("--backend", arguments->backend,
                     "cpu (each run a process), or cuda (many runs at once as a batch on a device; other runs are "
                     "processes on the CPU, and the reason is printed); changes no bit of the result")
        ->type_name("NAME")
        ->capture_default_str();
    command->add_option("--device", arguments->device, "Which CUDA device, from 0, with --backend cuda")
        ->type_name("N")
        ->transform(whole_number(0));
    command->add_flag("--json", arguments->json,
                      "The runs, how they ended and the last rows of their ledgers as one JSON object on standard "
                      "output; everything else goes to standard error");
    command->footer(
        "Each run has the bits of halfulp run with its values. Runs that have ended are kept, interrupted ones\n"
        "resumed: the same command continues. Exit code 0: all complete; 3: some broke down; 1: some failed;\n"
        "130: some were interrupted.");
    command->callback([arguments, &context] {
        arguments->command_line = context.command_line;
        context.code = carry_out(*arguments);
    });
}

}  // namespace halfulp
