#include "core/app/machine_options.hpp"

#include <algorithm>
#include <cmath>
#include <new>

#include <omp.h>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "core/app/draw.hpp"
#include "core/app/highlight.hpp"
#include "core/app/interrupts.hpp"
#include "core/app/number_options.hpp"
#include "core/app/out_of_memory.hpp"
#include "core/app/provenance.hpp"
#include "core/app/summary.hpp"
#include "core/app/summary_json.hpp"
#include "core/output/run_folder.hpp"
#include "core/setup/case_warnings.hpp"

namespace halfulp {

namespace {

int lanes_from(const std::string& text)
{
    if (text == "auto") return 0;
    for (const int lanes : {1, 2, 4, 8, 16}) {
        if (text == std::to_string(lanes)) return lanes;
    }
    throw input_error("--lanes {}: allowed are auto, 1, 2, 4, 8 and 16, as program, processor and precision have them",
                      text);
}

NeighbourStorage neighbours_from(const std::string& text)
{
    if (text == "auto") return NeighbourStorage::automatic;
    if (text == "stored") return NeighbourStorage::stored;
    if (text == "compact") return NeighbourStorage::compact;
    if (text == "masks") return NeighbourStorage::masks;
    if (text == "none") return NeighbourStorage::none;
    throw input_error("--neighbours {}: allowed are auto, stored, compact, masks and none", text);
}

// The time since when a watched number has exceeded half of its final value.
std::string doubled_since(const std::vector<RunOutcome::Watched>& watched, double RunOutcome::Watched::*number)
{
    const double half = 0.5 * watched.back().*number;
    const auto before = std::find_if(watched.rbegin(), watched.rend(),
                                     [&](const RunOutcome::Watched& row) { return row.*number <= half; });
    return before == watched.rend() ? "the start" : fmt::format("t = {:.6g} s", before->time);
}

// The time since when the time step has been below twice its final value; empty if it always was.
std::string halved_since(const RunOutcome& outcome)
{
    const auto before =
        std::find_if(outcome.watched.rbegin(), outcome.watched.rend(),
                     [&](const RunOutcome::Watched& row) { return row.time_step >= 2 * outcome.coming_step; });
    if (!(outcome.coming_step > 0) || before == outcome.watched.rend()) return {};
    return fmt::format(", the time step has halved since t = {:.6g} s", before->time);
}

std::string growth_of(const RunOutcome& outcome)
{
    const auto& watched = outcome.watched;
    if (watched.size() < 2) return {};  // no growth yet
    return fmt::format("The largest density deviation has doubled since {}, the largest speed since {}{}. ",
                       doubled_since(watched, &RunOutcome::Watched::density_deviation),
                       doubled_since(watched, &RunOutcome::Watched::speed), halved_since(outcome));
}

void say_how_it_ended(const RunOutcome& outcome)
{
    if (outcome.interrupted) {
        const std::string what =
            "interrupted: the state at the end of the last step is written" +
            (outcome.resumable ? fmt::format("; halfulp resume {} continues it", for_shell(outcome.folder))
                               : std::string());
        if (reader_is_gone()) complain("halfulp: standard output was closed; " + one_line(what));
        else fmt::print("{}\n", one_line(what));
    }
    if (!outcome.lost_output.empty()) {
        complain(fmt::format(
            "halfulp: {} was removed or changed by another program while the run went on; halfulp info --verify {} "
            "checks the rest.",
            one_line(outcome.lost_output), for_shell(outcome.folder)));
    }
    if (!outcome.breakdown) return;
    const Breakdown& b = *outcome.breakdown;
    std::fflush(stdout);
    const std::string sentence = fmt::format(
        "halfulp: the simulation broke down in step {:.0f} (t = {:.6g} s): {} particle {} at ({:.6g}, {:.6g}, {:.6g}) m: {}. Likely cause: {}. "
        "{}The results so far are written{}.",
        outcome.last.step + 1, outcome.last.time, b.kind == Kind::fluid ? "fluid" : "wall", b.id, b.position[0],
        b.position[1], b.position[2], b.what, b.likely_cause, growth_of(outcome),
        outcome.surroundings.empty()
            ? ""
            : fmt::format(", with the surroundings of the particle in {} for ParaView", outcome.surroundings.string()));
    complain(highlighted(one_line(sentence), stderr));
}

// Throws an Error if the disk has no room for the outputs that are to come.
void refuse_larger_than_disk(const Problem& problem, const RunOptions& options, const ResumePoint* from)
{
    namespace fs = std::filesystem;
    const OutputSizes outputs = output_sizes(problem);
    std::error_code error;
    fs::path place = fs::absolute(options.folder, error);
    while (place.has_relative_path() && !fs::is_directory(place, error)) place = place.parent_path();
    const fs::space_info space = fs::space(place, error);
    if (error || outputs.at_most) return;
    auto free = static_cast<double>(space.available);
    // The run that is replaced frees its space.
    for (const fs::directory_entry& entry : fs::directory_iterator(options.folder / "outputs", error)) {
        if (options.overwrite && entry.is_regular_file(error)) free += static_cast<double>(entry.file_size(error));
    }
    const double number = outputs.number - (from != nullptr ? static_cast<double>(from->kept.outputs.size()) : 0);
    if (number * outputs.bytes <= free) return;
    throw output_error(
        "{:.0f} outputs of {} are {}, but the disk of {} has {} free: {}.", number, bytes_text(outputs.bytes),
        bytes_text(number * outputs.bytes), options.folder.string(), bytes_text(free),
        from != nullptr ? "make room there, or give an earlier end with --until"
                        : "choose a longer output.interval, fewer output.columns or output.particles, output.precision "
                          "= \"single\", output.compression = \"deflate\", or another folder");
}

// Reports what did not fit in memory.
RunOutcome run_in_memory(const Problem& problem, const RunOptions& options, std::optional<ResumePoint> from)
{
    try {
        return run(problem, options, std::move(from));
    } catch (const std::bad_alloc&) {
        throw Error(ExitCode::unsupported, out_of_memory(problem));
    }
}

}  // namespace

void MachineOptions::add_to(CLI::App& command)
{
    command.add_flag("--no-figures", no_figures, "Draw no figures at the end");
    command.add_flag("-q,--quiet", quiet, "Print the summary only");
    command.add_flag("--json", json,
                     "The summary as one JSON object on standard output; everything else goes to standard error");
    command
        .add_option(
            "--backend", backend,
            "auto (a CUDA device where there is one, unless --threads or --lanes are given), cpu or cuda; changes no bit of the result")
        ->type_name("NAME");
    CLI::Option* const one =
        command.add_option("--device", device, "Which CUDA device, from 0; without falling back on the CPU")
            ->type_name("N")
            ->transform(whole_number(0));
    command
        .add_option(
            "--devices", devices,
            "Divide the domain among several CUDA devices of this machine, e.g. 0,1; changes no bit of the result")
        ->type_name("LIST")
        ->delimiter(',')
        ->transform(whole_number<int>())
        ->allow_extra_args(false)
        ->excludes(one);
    command
        .add_option(
            "--threads", threads,
            "Threads of the CPU (default: OMP_NUM_THREADS or all cores, fewer for few particles); changes no bit of the result")
        ->type_name("N")
        ->transform(whole_number<int>());
    command
        .add_option(
            "--ranks", ranks,
            "Divide the domain among N ranks of the CPU that exchange particles by messages, as several machines would (docs/ranks.md); changes no bit of the result")
        ->type_name("N")
        ->transform(whole_number<int>());
    command
        .add_option(
            "--lanes", lanes,
            "SIMD lanes of the CPU: auto, 1 (scalar) or the precision's usual number (8, or 4 in double); in halfulp-lab also half and twice that; changes no bit of the result")
        ->type_name("N");
    command
        .add_option(
            "--neighbours", neighbours,
            "auto, stored (lists kept between rebuilds: fast), on a CUDA device compact (lists in less than half of the memory, nearly as fast) or masks (a bit for each candidate: passes take twice the time), or none (searched for in every pass: little memory); changes no bit of the result")
        ->type_name("HOW");
    command
        .add_option("--checkpoint-every", checkpoint_every,
                    "Wall time between checkpoints, from which halfulp resume continues; 0: only when interrupted")
        ->type_name("SECONDS")
        ->transform(number())
        ->capture_default_str();
    command.add_flag("--keep-checkpoint", keep_checkpoint,
                     "Keep a checkpoint of the end, from which halfulp resume RUN --until TIME continues");
    CLI::Option* const audited =
        command
            .add_option(
                "--audit", audit,
                "Repeat every N steps on other hardware (or other SIMD lanes) and compare the states, and what was "
                "written, to the bit; a difference, e.g. from a flipped bit, ends the run at the last equal state")
            ->type_name("N")
            ->transform(whole_number<long long>());
    command
        .add_option(
            "--audit-on", audit_on,
            "Where: cpu, cpu:LANES, cuda or cuda:DEVICE (default: for a run on a device another device if there is "
            "one, else the CPU; for a run shared by several processes rank 0's CPU)")
        ->type_name("WHERE")
        ->needs(audited);
}

RunOptions MachineOptions::run_options() const
{
    RunOptions options;
    options.quiet = quiet;
    const NeighbourStorage storage = neighbours_from(neighbours);
    options.backend = {.kind = backend_kind_from(backend),
                       .cpu = {.threads = threads, .lanes = lanes_from(lanes), .neighbours = storage, .ranks = ranks},
                       .cuda = {.device = device.value_or(0), .neighbours = storage, .devices = devices},
                       .names_device = device.has_value()};
    if (!(checkpoint_every >= 0) || std::isinf(checkpoint_every)) {
        throw input_error("--checkpoint-every {}: allowed are 0 and more seconds of wall time", checkpoint_every);
    }
    options.checkpoint_every = checkpoint_every;
    options.keep_checkpoint = keep_checkpoint;
    if (audit && *audit < 1) throw input_error("--audit {}: allowed are 1 and more steps", *audit);
    options.audit.every = static_cast<std::uint64_t>(audit.value_or(0));
    if (audit_on) place_audit(*audit_on, options.audit);
    return options;
}

ExitCode run_and_report(const Problem& problem, RunOptions options, bool figures, JsonObject* json,
                        std::optional<ResumePoint> from)
{
    options.warnings = case_warnings(problem);
    if (from && !is_of_these_sources(from->found.provenance)) {
        options.warnings.emplace_back(
            "this run was begun by another version of halfulp, whose bits may be others: from here on it may be what "
            "neither version computes alone");
    }
    if (!options.quiet) {
        std::vector<std::string> warnings = options.warnings;
        if (const int processors = omp_get_num_procs(); options.backend.cpu.threads > processors) {
            warnings.push_back(
                fmt::format("--threads {} is more than this machine's {} processors: threads that wait for "
                            "one make a run slower",
                            options.backend.cpu.threads, processors));
        }
        fmt::print("{}: {}\n{}", one_line(problem.source.name), one_line(problem.source.title),
                   highlighted(printable(describe_problem(problem, warnings)), stdout));
        if (from) fmt::print("  resumed           in step {}\n", from->checkpoint.simulation.clock.steps());
        std::fflush(stdout);
    }
    refuse_larger_than_disk(problem, options, from ? &*from : nullptr);
    catch_interrupts();
    RunFolder held;  // until its figures are drawn, too: they would be another run's
    options.keep_held = &held;
    const RunOutcome outcome = run_in_memory(problem, options, std::move(from));
    discard_output_without_reader();
    if (json != nullptr) {
        *json = summary_as_json(problem, outcome);
    } else {
        fmt::print("\n{}", highlighted(printable(summarise(problem, outcome)), stdout));
        const std::vector<std::string>& columns = problem.source.output.columns;
        const bool with_positions = columns.empty() || std::ranges::find(columns, "position") != columns.end();
        fmt::print("  output            {0}/run.h5 ({1} outputs, ledger), {0}/run.xdmf ({2}), {0}/ledger.csv{3}\n",
                   one_line(outcome.folder.string()), outcome.outputs,
                   with_positions ? "open it in ParaView" : "empty, as no column of outputs is position",
                   problem.source.probes.empty() ? "" : fmt::format(", {}/probes/", one_line(outcome.folder.string())));
    }
    std::fflush(stdout);
    if (problem.source.output.figures && figures) draw_figures(outcome.folder);
    say_how_it_ended(outcome);
    return outcome.code;
}

}  // namespace halfulp
