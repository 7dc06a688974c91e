#include "core/app/run_in_progress.hpp"

#include <exception>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "core/app/audited_records.hpp"
#include "core/app/checkpoints.hpp"
#include "core/app/floating_point.hpp"
#include "core/app/interrupts.hpp"
#include "core/app/ledger_log.hpp"
#include "core/app/machine_failure.hpp"
#include "core/app/output_moments.hpp"
#include "core/app/output_queue.hpp"
#include "core/app/progress.hpp"
#include "core/app/provenance.hpp"
#include "core/app/stopwatch.hpp"
#include "core/evolution/probe_recorder.hpp"
#include "core/evolution/watch.hpp"
#include "core/output/run_file.hpp"
#include "core/output/surroundings.hpp"
#include "core/parallel_failure.hpp"
#include "core/setup/read_case.hpp"
#include "core/setup/units.hpp"

namespace halfulp {

namespace {

double seconds_of(const std::vector<StageTime>& stages)
{
    double total = 0;
    for (const StageTime& stage : stages) total += stage.seconds;
    return total;
}

// The HDF5 library, which reads the run that was there before, aborts or crashes if its own allocations fail. Throws
// std::bad_alloc shortly before that.
void leave_room_for_library() { require_memory(16'000'000); }

std::unique_ptr<RunWriter> writer_of(const Problem& problem, const StateHash& hash, const RunOptions& options,
                                     const Backend& backend, const Provenance& machine, const ProbeRecorder& probes,
                                     std::optional<ResumePoint>& from)
{
    const Case& c = problem.source;
    leave_room_for_library();
    const RunFolder folder = options.held ? options.held : RunFolder(options.folder);
    if (from) {
        RunContent kept = from->kept;
        kept.provenance[fmt::format("resumed_{}", from->checkpoint.number)] =
            fmt::format("in step {}, {}{}{}", from->checkpoint.simulation.clock.steps(), backend.description(),
                        options.changed.empty() ? "" : ", with ", fmt::join(options.changed, ", "));
        return std::make_unique<RunWriter>(folder, std::move(kept), c.output);
    }
    auto writer = std::make_unique<RunWriter>(folder, options.overwrite, c.dimensions, c.text, case_as_toml(c),
                                              provenance_of(problem, hash, options.command_line, backend, machine),
                                              probes.series(), c.output, c.paths());
    remove_checkpoints(writer->folder());
    return writer;
}

}  // namespace

struct RunInProgress::Parts {
    const Problem& problem;
    const RunOptions& options;
    bool in_batch;
    RunOutcome outcome{};
    Checkpoints checkpoints;
    Simulation simulation;
    std::unique_ptr<Audit> audit;
    std::optional<AuditedRecords> audited_records;
    ProbeRecorder probes;
    std::unique_ptr<RunWriter> writer;
    Watch watch;
    FloatingPointWatch modes;
    LedgerLog ledger;
    OutputQueue outputs;
    Progress progress;
    bool written = true;
    bool in_a_step = false;
    OutputMoments moments{problem.source};
    int next_tenth = 0;
    double set_up = 0;         // s
    double between_steps = 0;  // s, for outputs, ledger, probes and checkpoints
    double auditing = 0;       // s
    RunLength audited_length;  // at the last state that the audit has found equal

    Parts(const Problem& of, const RunOptions& chosen, Start start, std::optional<ResumePoint>& from)
        : problem(of), options(chosen), in_batch(start.in_batch), checkpoints(start.problem, options, from),
          simulation(std::move(start.simulation)), audit(std::move(start.audit)), probes(problem),
          writer(writer_of(problem, start.problem, options, simulation.backend(), start.machine, probes, from)),
          watch(problem), modes(ThreadsOf::simulation, place_of(simulation), &simulation.backend()),
          ledger(outcome, watch, in_batch ? nullptr : &modes),
          outputs(*writer, outcome, watch, place_of(simulation), in_batch),
          progress(problem.source.time.end, problem.particles.size(), options.quiet, simulation.time(),
                   simulation.steps())
    {
        outcome.why_not_cuda = start.why_not_cuda;
        outcome.backend = simulation.backend().description();
        if (audit) audited_records.emplace(*audit, source().output);
    }

    [[nodiscard]] const Case& source() const { return problem.source; }
    [[nodiscard]] bool output_is_due() const { return moments.output_is_due(simulation); }
    [[nodiscard]] bool row_is_due() const { return moments.row_is_due(simulation); }
    void pass_moment()
    {
        outcome.tenths.push_back({simulation.time(), simulation.steps(), seconds_since(options.begun)});
    }
    // The length of the run's files once everything that is on its way has been written.
    [[nodiscard]] RunLength length() const
    {
        RunLength all{.outputs = outcome.outputs, .ledger_rows = outcome.watched.size(), .samples = {}};
        for (const ProbeSeries& series : probes.series()) all.samples.push_back(series.time().size());
        return all;
    }
    // For the audit: what was taken at the present step.
    void remember(const std::vector<std::size_t>& sampled, bool wrote)
    {
        if (!audit) return;
        const bool has_row = outcome.last.step == static_cast<double>(simulation.steps());
        audited_records->take(simulation, has_row ? std::optional(outcome.last) : std::nullopt, sampled, probes,
                              wrote ? std::optional(outcome.outputs - 1) : std::nullopt);
    }
    // To be called once everything due at the present step is recorded: lets the audit compare.
    void look_again()
    {
        if (!audit) return;
        const double waited = outputs.waited();
        {
            const Stopwatch counted(auditing);
            audit->compare(simulation, [this] {
                outputs.wait();
                return audited_records->difference(*writer);
            });
        }
        // Waiting for an output is counted as such.
        auditing -= outputs.waited() - waited;
        between_steps += outputs.waited() - waited;
        audited_length = length();
    }
    // The same, called while the time between steps is being counted anyway.
    void look_again_between_steps()
    {
        const double counted = between_steps;
        const double before = auditing;
        look_again();
        between_steps = counted - (auditing - before);
    }
    // A checkpoint must not contain a state that may be affected by a floating-point mode changed since the last check,
    // nor one that the audit has not seen.
    bool take_checkpoint()
    {
        look_again_between_steps();
        modes.look(place_of(simulation));
        outputs.flush(ledger, probes);
        const bool copied = audit && audit->equal() > 0;
        return checkpoints.take([&] { return copied ? audit->audited() : simulation.state(); }, writer->length(),
                                *writer);
    }
    // Ends the run with the last state found equal as its checkpoint, and without anything in its files that came
    // later.
    [[noreturn]] void end_by_audit(const AuditFailed& failed)
    {
        progress.finish();
        const std::string resume = fmt::format("halfulp resume {}", shown(options.folder));
        std::string kept;
        try {
            outputs.flush(ledger, probes);
            if (audit->equal() > 0) {
                const bool taken = checkpoints.take([this] { return audit->audited(); }, audited_length, *writer);
                leave_room_for_library();
                RunContent content = RunReader(writer->folder()).beginning(audited_length);
                const RunFolder folder = writer->handle();
                const std::uint64_t later = writer->length().outputs - audited_length.outputs;
                writer.reset();
                writer = std::make_unique<RunWriter>(folder, std::move(content), source().output);
                if (taken) {
                    kept = fmt::format("{} --audit {} goes on from step {}, the last that was found equal{}", resume,
                                       options.audit.every, audit->audited_step(),
                                       later == 0 ? ""
                                       : later == 1
                                           ? "; an output that came after it was taken out"
                                           : fmt::format("; {} outputs that came after it were taken out", later));
                }
            }
            writer->annotate({{"end_state", fmt::format("failed: {}", failed.what())}});
        } catch (const std::exception& error) {
            complain(fmt::format("halfulp: the files of the run may be damaged: {}", error.what()));
        }
        if (kept.empty())
            kept = checkpoints.any() ? resume + " goes on from the last checkpoint"
                                     : resume + " starts the run again from its case";
        throw Error(ExitCode::audit,
                    fmt::format("{}. Memory or a processor is faulty or, if that is found again, this program; {}",
                                failed.what(), kept));
    }
    [[noreturn]] void fail()
    {
        end_by_machine(problem, writer->folder(), checkpoints.any(), [&](const std::string& why) {
            progress.finish();
            try {
                outputs.flush(ledger, probes);
            } catch (const std::exception&) {  // an output that could not be finished either
            }
            writer->annotate({{"end_state", "failed: " + why}});
        });
    }
    // A part of a step, which may break down.
    template <class Part>
    void attempt(const Part& part)
    {
        try {
            try {
                part();
            } catch (const SimulationBroke& broke) {
                if (audit && in_a_step) audit->compare_breakdown(simulation, broke.breakdown);
                else look_again();
                outcome.breakdown = broke.breakdown;
                outcome.coming_step = simulation.next_step();
                // The state inside the step, which shows what went wrong, is an output of its own.
                if (in_a_step) written = false;
                outcome.code = ExitCode::stopped;
            }
        } catch (const AuditFailed& failed) {
            end_by_audit(failed);
        } catch (...) {
            fail();
        }
    }
};

RunInProgress::RunInProgress(const Problem& problem, const RunOptions& options, Start start,
                             std::optional<ResumePoint> from)
    : parts_(std::make_unique<Parts>(problem, options, std::move(start), from))
{
    Parts& p = *parts_;
    if (from) {
        const auto through_walls = from->kept.provenance.find("through_walls");
        if (through_walls != from->kept.provenance.end()) p.watch.remember(through_walls->second);
        p.probes.restore(from->kept.probes);
        p.ledger.restore(rows_of(from->kept.ledger));
        p.outcome.outputs = from->kept.outputs.size();
        p.written = p.outcome.outputs > 0 && from->kept.outputs.back().step == p.simulation.steps();
        if (p.outcome.outputs > 0)
            p.outcome.final_hash = parse_hash(from->kept.outputs.back().hash).value_or(StateHash{});
    }
    p.moments.pass_outputs(p.simulation);
    p.next_tenth = 1 + static_cast<int>(10 * p.simulation.time() / problem.source.time.end);
    p.set_up = seconds_since(options.begun) - seconds_of(p.simulation.backend().stage_times());
    p.attempt([&] {
        p.pass_moment();
        if (!from) {
            const Stopwatch counted(p.between_steps);
            const auto sampled = p.probes.look(p.simulation);
            p.outputs.write(p.simulation, p.ledger, p.probes);
            p.remember(sampled, true);
        }
        p.look_again();
    });
}

RunInProgress::~RunInProgress() = default;

double RunInProgress::time() const { return parts_->simulation.time(); }

bool RunInProgress::goes_on() const
{
    const Parts& p = *parts_;
    return !p.outcome.breakdown && p.simulation.time() < p.source().time.end && !interrupted();
}

void RunInProgress::begin_step()
{
    Parts& p = *parts_;
    p.attempt([&] {
        for (const std::string& warning : p.watch.take_news()) p.progress.say("warning: " + warning);
        p.watch.check(p.simulation, p.outcome.last);
        p.in_a_step = true;
        p.simulation.begin_step();
    });
}

void RunInProgress::complete_step()
{
    Parts& p = *parts_;
    if (p.outcome.breakdown) return;
    p.attempt([&] {
        p.simulation.complete_step();
        p.in_a_step = false;
        if (p.audit) p.audit->follow(p.simulation);
    });
}

bool RunInProgress::takes_row() const
{
    return !parts_->outcome.breakdown && (parts_->row_is_due() || parts_->output_is_due());
}

bool RunInProgress::writes() const
{
    return !parts_->outcome.breakdown && (parts_->output_is_due() || parts_->checkpoints.due());
}

void RunInProgress::record()
{
    Parts& p = *parts_;
    if (p.outcome.breakdown) return;
    p.attempt([&] {
        {
            const Stopwatch counted(p.between_steps);
            const auto sampled = p.probes.look(p.simulation);
            p.outputs.look();
            p.written = false;
            if (p.row_is_due()) p.ledger.take_row(p.simulation);
            // Outputs never shorten a step: each is written at the first step that reaches its time.
            if (p.output_is_due()) {
                p.outputs.write(p.simulation, p.ledger, p.probes);
                p.written = true;
                p.moments.pass_outputs(p.simulation);
            }
            p.remember(sampled, p.written);
            if (p.checkpoints.due()) p.take_checkpoint();
        }
        if (p.audit && p.simulation.steps() % p.options.audit.every == 0) p.look_again();
        for (; p.next_tenth <= 10 && 10 * p.simulation.time() >= p.next_tenth * p.source().time.end; ++p.next_tenth)
            p.pass_moment();
        p.progress.update(p.simulation.time(), p.simulation.steps(), p.simulation.next_step());
    });
}

void RunInProgress::fail() { parts_->fail(); }

RunOutcome RunInProgress::end()
{
    Parts& p = *parts_;
    RunOutcome& outcome = p.outcome;
    p.progress.finish();
    outcome.interrupted = !outcome.breakdown && interrupted();
    try {
        if (!outcome.breakdown) p.look_again();
        const Stopwatch counted(p.between_steps);
        if (outcome.interrupted || (p.options.keep_checkpoint && !outcome.breakdown)) {
            // Files that cannot be written end the run, and are not the checkpoint's fault.
            p.outputs.flush(p.ledger, p.probes);
            p.writer->sync();
            const bool taken = p.take_checkpoint();  // before what a run with a later end would not write
            if (outcome.interrupted) {
                outcome.code = code_of_interrupt();
                outcome.resumable = taken;
            }
        }
        if (!p.written) {
            p.outputs.write(p.simulation, p.ledger, p.probes, !outcome.interrupted);
            if (!outcome.breakdown) {
                p.remember({}, true);
                p.look_again_between_steps();
            }
        } else if (outcome.last.step != static_cast<double>(p.simulation.steps())) {
            // The run was resumed at the end of the case, whose output was kept without its row of the ledger.
            p.ledger.take_row(p.simulation);
            p.outputs.flush(p.ledger, p.probes);
            p.remember({}, false);
            p.look_again_between_steps();
        }
        p.outputs.wait();
        if (!p.source().probes.empty()) p.writer->write_filtered_probes();
        p.modes.look(place_of(p.simulation));
    } catch (const AuditFailed& failed) {
        p.end_by_audit(failed);
    } catch (const std::exception& error) {
        // The breakdown and its cause are more important than the fact that there was no room for its state.
        if (!outcome.breakdown) p.fail();
        complain(fmt::format("halfulp: the state at the breakdown is not kept: {}", error.what()));
    }
    Provenance results;
    if (outcome.breakdown) {
        const std::filesystem::path surroundings = p.writer->folder() / "breakdown.vtk";
        try {
            write_surroundings(surroundings, p.simulation.snapshot(), outcome.breakdown->id,
                               3 * support_radius(p.source()));
            outcome.surroundings = shown(surroundings);
            results["surroundings"] = checksum_of_file(surroundings).text();
        } catch (const std::exception&) {  // no room on the disk or in memory: the report itself is more important
        }
    }
    outcome.warnings = p.options.warnings;
    for (std::string& warning : p.watch.warnings()) outcome.warnings.push_back(std::move(warning));
    if (!outcome.warnings.empty()) results["warnings"] = fmt::format("{}", fmt::join(outcome.warnings, "\n"));
    outcome.wall_seconds = p.checkpoints.wall_seconds();
    outcome.stages = p.simulation.backend().stage_times();
    outcome.stages.insert(outcome.stages.begin(), {"set-up", p.set_up});
    outcome.stages.push_back({"output", p.between_steps - p.outputs.waited()});
    outcome.stages.push_back({"waiting", p.outputs.waited()});
    if (p.audit) {
        outcome.stages.push_back({"audit", p.auditing});
        outcome.audited = {p.audit->on(), p.options.audit.every, p.audit->equal(), p.auditing};
        results["audit"] = audit_text(outcome.audited);
    }
    outcome.stages.push_back({"other", seconds_since(p.options.begun) - seconds_of(outcome.stages)});
    outcome.bytes = p.simulation.backend().bytes();
    outcome.bytes_sent = p.simulation.backend().bytes_sent();
    outcome.message_times = p.simulation.backend().message_times();
    outcome.ranks = p.simulation.backend().rank_uses();
    results.merge(times_of(outcome));
    results["end_state"] = end_state(outcome);
    try {
        p.writer->annotate(results);
    } catch (const std::exception& error) {
        if (!outcome.breakdown) throw;
        complain(fmt::format("halfulp: the end of the run is not kept: {}", error.what()));
    }
    if (outcome.code == ExitCode::success && !p.options.keep_checkpoint) remove_checkpoints(p.writer->folder());
    outcome.lost_output = p.writer->lost_output();
    if (!outcome.lost_output.empty() && outcome.code == ExitCode::success) outcome.code = ExitCode::output;
    outcome.folder = shown(p.writer->folder());
    if (p.options.keep_held != nullptr) *p.options.keep_held = p.writer->handle();
    return std::move(outcome);
}

}  // namespace halfulp
