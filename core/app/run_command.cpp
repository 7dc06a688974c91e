// halfulp run
#include <cstdlib>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/app/case_options.hpp"
#include "core/app/commands.hpp"
#include "core/app/draw.hpp"
#include "core/app/interrupts.hpp"
#include "core/app/run.hpp"
#include "core/app/summary.hpp"
#include "core/output/run_file.hpp"

namespace halfulp {

namespace {

struct RunArguments {
    CaseOptions source;
    std::string folder;
    bool overwrite = false;
    bool no_figures = false;
    bool quiet = false;
    int threads = 0;
    std::string lanes = "auto";
    std::string neighbours = "auto";
    std::string backend = "auto";
    int device = 0;
};

int lanes_from(const std::string& text)
{
    if (text == "auto") return 0;
    for (const int lanes : {1, 2, 4, 8, 16}) {
        if (text == std::to_string(lanes)) return lanes;
    }
    throw input_error(fmt::format(
        "--lanes {}: allowed are auto, 1, 2, 4, 8 and 16, as the processor and the precision have them", text));
}

NeighbourStorage neighbours_from(const std::string& text)
{
    if (text == "auto") return NeighbourStorage::automatic;
    if (text == "stored") return NeighbourStorage::stored;
    if (text == "none") return NeighbourStorage::none;
    throw input_error(fmt::format("--neighbours {}: allowed are auto, stored and none", text));
}

void say_how_it_ended(const RunOutcome& outcome)
{
    if (outcome.interrupted) fmt::print("interrupted: the state at the end of the last step is written\n");
    if (!outcome.breakdown) return;
    const Breakdown& b = *outcome.breakdown;
    std::fflush(stdout);
    fmt::print(
        stderr,
        "halfulp: the simulation broke down in step {:.0f} (t = {:.6g} s): {} particle {} at ({:.6g}, {:.6g}, {:.6g}) m: {}. Likely cause: {}. "
        "What there was is written.\n",
        outcome.last.step + 1, outcome.last.time, b.kind == Kind::fluid ? "fluid" : "wall", b.id, b.position[0],
        b.position[1], b.position[2], b.what, b.likely_cause);
}

ExitCode run_case(const RunArguments& arguments, const CommandContext& context)
{
    const Case c = arguments.source.read();
    RunOptions options;
    options.folder =
        arguments.folder.empty() ? std::filesystem::path("out") / c.name : std::filesystem::path(arguments.folder);
    options.overwrite = arguments.overwrite;
    options.quiet = arguments.quiet;
    const NeighbourStorage neighbours = neighbours_from(arguments.neighbours);
    options.backend = {
        .kind = backend_kind_from(arguments.backend),
        .cpu = {.threads = arguments.threads, .lanes = lanes_from(arguments.lanes), .neighbours = neighbours},
        .cuda = {.device = arguments.device, .neighbours = neighbours}};
    options.command_line = context.command_line;

    if (!options.overwrite) RunWriter::refuse_existing(options.folder);
    const Problem problem = prepare(c);
    if (!arguments.quiet) {
        fmt::print("{}: {}\n{}", c.name, c.title, describe_problem(problem));
        std::fflush(stdout);
    }
    catch_interrupts();
    const RunOutcome outcome = run(problem, options);
    fmt::print("\n{}", summarise(problem, outcome));
    fmt::print(
        "  output            {0}/run.h5 ({1} outputs, ledger), {0}/run.xdmf (open it in ParaView), {0}/ledger.csv{2}\n",
        options.folder.string(), outcome.outputs,
        c.probes.empty() ? "" : fmt::format(", {}/probes/", options.folder.string()));
    std::fflush(stdout);
    if (c.output.figures && !arguments.no_figures) draw_figures(options.folder);
    say_how_it_ended(outcome);
    return outcome.code;
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
    command->add_flag("--overwrite", arguments->overwrite, "Replace a run that is in the folder already");
    command->add_flag("--no-figures", arguments->no_figures, "Draw no figures at the end");
    command->add_flag("--quiet", arguments->quiet, "Print the summary only");
    command
        ->add_option(
            "--backend", arguments->backend,
            "auto (a CUDA device where there is one, unless --threads or --lanes are given), cpu or cuda; changes no bit of the result")
        ->type_name("NAME");
    command->add_option("--device", arguments->device, "Which CUDA device, from 0")->type_name("N");
    command
        ->add_option(
            "--threads", arguments->threads,
            "Threads of the CPU (default: OMP_NUM_THREADS or all the machine offers, fewer for few particles); changes no bit of the result")
        ->type_name("N");
    command
        ->add_option("--lanes", arguments->lanes,
                     "SIMD lanes of the CPU: auto, 1 (scalar), 2, 4, 8 or 16; changes no bit of the result")
        ->type_name("N");
    command
        ->add_option(
            "--neighbours", arguments->neighbours,
            "auto, stored (kept between rebuilds: fast) or none (searched for in every pass: little memory); changes no bit of the result")
        ->type_name("HOW");
    command->callback([arguments, &context] { context.code = run_case(*arguments, context); });
}

}  // namespace halfulp
