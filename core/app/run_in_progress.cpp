#include "core/app/run_in_progress.hpp"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <new>
#include <utility>

#include <fmt/format.h>
#include <omp.h>

#include "core/app/build_info.hpp"
#include "core/app/floating_point.hpp"
#include "core/app/interrupts.hpp"
#include "core/app/machine.hpp"
#include "core/app/machine_failure.hpp"
#include "core/app/progress.hpp"
#include "core/evolution/probe_recorder.hpp"
#include "core/evolution/watch.hpp"
#include "core/output/run_file.hpp"
#include "core/output/surroundings.hpp"
#include "core/parallel_failure.hpp"
#include "core/setup/host_memory.hpp"
#include "core/setup/host_threads.hpp"
#include "core/setup/read_case.hpp"
#include "core/setup/units.hpp"

namespace halfulp {

namespace {

Provenance provenance_of(const Problem& problem, const StateHash& hash, const RunOptions& options,
                         const Backend& backend, const Provenance& machine)
{
    const auto& origin = problem.source.origin.cells;
    Provenance provenance = {
        {"halfulp", build::version},
        {"commit", build::commit},
        {"tree", build::tree},
        {"compiler", build::compiler},
        {"flags", build::flags},
        {"build_type", build::type},
        {"command", options.command_line},
        {"problem_hash", hash.text()},
        {"case_path", std::filesystem::absolute(problem.source.path).string()},
        {"backend", backend.description()},
        {"precision", problem.source.numerics.precision},
        {"origin.cells", fmt::format("{} {} {}", origin[0], origin[1], origin[2])},
        {"cell_side", fmt::format("{}", problem.units.length)},
        {"velocity_unit", fmt::format("{}", problem.units.velocity)},
        {"particle_mass", fmt::format("{}", problem.units.mass)},
        {"spacing", fmt::format("{}", problem.source.resolution.spacing)},
        {"available_energy", fmt::format("{}", problem.available_energy)},
        {"end_state", "running"},
    };
    provenance.insert(machine.begin(), machine.end());
    return provenance;
}

// For OpenMP in a thread of its own: as many threads as the run has, or one if they cannot be created.
void use_threads(int threads)
{
    try {
        if (host_memory().limit > 0) make_threads(threads);
    } catch (const Error&) {
        threads = 1;
    }
    omp_set_num_threads(threads);
}

// Runs an action that writes outputs in a thread of its own with as many OpenMP threads; if no thread can be created,
// when its result is requested.
template <class Action>
auto in_output_thread(const Action& action)
{
    // A copy: a moved action would be lost if no thread can be created.
    const auto later = [action, threads = omp_get_max_threads()] {
        use_threads(threads);
        return action();
    };
    return std::async(std::launch::async | std::launch::deferred, later);
}

}  // namespace

Provenance provenance_of_machine(const std::string& device)
{
    Provenance machine = {{"floating_point", check_floating_point_of_threads()}, {"processor", describe_processor()}};
    in_output_thread([] { return check_floating_point_of_threads(ThreadsOf::outputs); }).get();
    if (!device.empty()) machine.insert({"device", device});
    return machine;
}

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

// Adds the time of its scope to a number of seconds.
class Stopwatch {
public:
    explicit Stopwatch(double& seconds) : seconds_(seconds) {}
    ~Stopwatch() { seconds_ += seconds_since(begun_); }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

private:
    double& seconds_;
    Clock::time_point begun_ = Clock::now();
};

double seconds_of(const std::vector<StageTime>& stages)
{
    double total = 0;
    for (const StageTime& stage : stages) total += stage.seconds;
    return total;
}

RunPlace place_of(const Simulation& simulation) { return {simulation.time(), simulation.steps()}; }

// Keeps rows for the summary and passes them on in batches.
class LedgerLog {
public:
    // modes: null where somebody else looks at them
    LedgerLog(RunOutcome& outcome, Watch& watch, FloatingPointWatch* modes)
        : outcome_(outcome), watch_(watch), modes_(modes)
    {
    }

    void take_row(const Simulation& simulation)
    {
        if (modes_ != nullptr) modes_->look(place_of(simulation));
        add(simulation.ledger_row());
    }
    // Resumes after rows written before.
    void restore(const std::vector<LedgerRow>& rows)
    {
        for (const LedgerRow& row : rows) add(row);
        pending_.clear();
    }
    std::vector<LedgerRow> take_pending() { return std::exchange(pending_, {}); }

private:
    void add(const LedgerRow& row)
    {
        if (any_ && row.step == outcome_.last.step) return;
        if (!any_) outcome_.first = row;
        any_ = true;
        outcome_.last = row;
        outcome_.largest_residual = std::max(outcome_.largest_residual, std::abs(row.residual));
        outcome_.largest_density_deviation = std::max(outcome_.largest_density_deviation, row.max_density_deviation);
        outcome_.largest_speed = std::max(outcome_.largest_speed, row.max_speed);
        outcome_.front.push_back({row.time, row.front});
        outcome_.watched.push_back({row.time, row.max_density_deviation, row.max_speed, row.time_step});
        watch_.look(row);
        pending_.push_back(row);
    }

    RunOutcome& outcome_;
    Watch& watch_;
    FloatingPointWatch* modes_;
    std::vector<LedgerRow> pending_;
    bool any_ = false;
};

// The HDF5 library aborts or crashes if its own allocations fail. Throws std::bad_alloc shortly before that.
void leave_room_for_library() { require_memory(16'000'000); }

// Writes outputs while the simulation continues, one at a time; without a thread of its own, before the next one. Write
// failures and changed floating-point modes are thrown by the next call.
class OutputQueue {
public:
    // start: where the run starts or resumes; at_once: no thread of its own, as a batch would have too many.
    OutputQueue(RunWriter& writer, RunOutcome& outcome, Watch& watch, const RunPlace& start, bool at_once)
        : writer_(writer), outcome_(outcome), watch_(watch), modes_(ThreadsOf::outputs, start), at_once_(at_once)
    {
    }

    // watched: whether to look for fluid behind walls; not in an output that a resumed run will not have.
    void write(Simulation& simulation, LedgerLog& ledger, ProbeRecorder& probes, bool watched = true)
    {
        wait();
        ledger.take_row(simulation);
        const auto work = [&writer = writer_, &watch = watch_, watched, rows = ledger.take_pending(),
                           samples = probes.take_pending()](const SnapshotSource& snapshot) {
            leave_room_for_library();
            writer.write_ledger(rows);
            writer.write_probes(samples);
            writer.write_output(snapshot);
            if (const auto first = watched ? watch.look(snapshot) : std::nullopt)
                writer.annotate({{"through_walls", *first}});
            return snapshot.hash;
        };
        ++outcome_.outputs;
        if (at_once_) {
            outcome_.final_hash = work(simulation.snapshot_source());
            return;
        }
        std::function<SnapshotSource()> take;
        try {
            take = simulation.begin_snapshot();
        } catch (const std::bad_alloc&) {  // no room for a copy: the simulation waits
            outcome_.final_hash = work(simulation.snapshot_source());
            return;
        }
        writing_ = in_output_thread([take, work, &modes = modes_, now = place_of(simulation)] {
            modes.look(now);
            const StateHash hash = work(take());
            modes.look(now);
            return hash;
        });
    }
    // With the ledger rows and probe samples so far.
    void flush(LedgerLog& ledger, ProbeRecorder& probes)
    {
        wait();
        leave_room_for_library();
        writer_.write_ledger(ledger.take_pending());
        writer_.write_probes(probes.take_pending());
    }
    void look()
    {
        if (writing_.valid() && writing_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) wait();
        if (writing_.valid() || !writer_.due()) return;
        leave_room_for_library();
        writer_.sync();
    }
    void wait()
    {
        if (!writing_.valid()) return;
        const Stopwatch counted(waited_);
        outcome_.final_hash = writing_.get();
    }
    [[nodiscard]] double waited() const { return waited_; }  // s, for outputs to be written

private:
    RunWriter& writer_;
    RunOutcome& outcome_;
    Watch& watch_;
    FloatingPointWatch modes_;  // of the writing thread, which has exclusive access while it exists
    std::future<StateHash> writing_;
    double waited_ = 0;
    bool at_once_;
};

// Takes checkpoints, at intervals of wall time and on request.
class Checkpoints {
public:
    // problem: the fingerprint of the problem
    Checkpoints(const StateHash& problem, const RunOptions& options, const std::optional<ResumePoint>& from)
        : problem_(problem), options_(options), number_(from ? from->checkpoint.number : 0),
          wall_before_(from ? from->checkpoint.wall_seconds : 0)
    {
    }

    // s, over all parts of an interrupted run
    [[nodiscard]] double wall_seconds() const { return wall_before_ + seconds_since(options_.begun); }
    // Whether there is one to resume from.
    [[nodiscard]] bool any() const { return number_ > 0; }
    [[nodiscard]] bool due() const
    {
        return options_.checkpoint_every > 0 && seconds_since(last_) >= options_.checkpoint_every;
    }
    // If disk or memory have no room for one, the run continues with the previous generation. Returns false then.
    bool take(const Simulation& simulation, RunWriter& writer)
    {
        last_ = Clock::now();
        try {
            writer.sync();
            write_checkpoint(writer.folder(), {.number = number_ + 1,
                                               .problem = problem_,
                                               .length = writer.length(),
                                               .wall_seconds = wall_seconds(),
                                               .simulation = simulation.state()});
            ++number_;
            return true;
        } catch (const Error& refused) {
            fmt::print(stderr, "halfulp: no checkpoint could be taken: {}\n", refused.what());
        } catch (const std::bad_alloc&) {
            fmt::print(stderr, "halfulp: no checkpoint could be taken: there is not enough memory.\n");
        }
        return false;
    }

private:
    StateHash problem_;
    const RunOptions& options_;
    std::uint64_t number_;
    double wall_before_;
    Clock::time_point last_ = Clock::now();
};

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
            fmt::format("in step {}, {}", from->checkpoint.simulation.clock.steps(), backend.description());
        return std::make_unique<RunWriter>(folder, std::move(kept), c.output);
    }
    std::map<std::string, std::filesystem::path> inputs;
    for (const std::string& file : c.files()) inputs[file] = c.path_of(file);
    auto writer = std::make_unique<RunWriter>(folder, options.overwrite, c.dimensions, c.text, case_as_toml(c),
                                              provenance_of(problem, hash, options, backend, machine), probes.series(),
                                              c.output, inputs);
    remove_checkpoints(writer->folder());
    return writer;
}

// Stages and tenths as texts for run.h5.
Provenance times_of(const RunOutcome& outcome)
{
    std::string stages;
    for (const auto& [stage, seconds] : outcome.stages)
        stages += fmt::format("{}{} {:.3f}", stages.empty() ? "" : ", ", stage, seconds);
    std::string tenths;
    for (const auto& [time, step, seconds] : outcome.tenths)
        tenths += fmt::format("{}{:.6g} {} {:.3f}", tenths.empty() ? "" : "; ", time, step, seconds);
    return {{"wall_seconds", fmt::format("{:.3f}", outcome.wall_seconds)},
            {"stage_seconds", stages},
            {"tenths", tenths},
            {"memory", fmt::format("{}", outcome.bytes)}};
}

std::string end_state(const RunOutcome& outcome)
{
    if (outcome.breakdown) return "stopped: " + outcome.breakdown->what;
    return outcome.interrupted ? "interrupted" : "complete";
}

}  // namespace

struct RunInProgress::Parts {
    const Problem& problem;
    const RunOptions& options;
    bool in_batch;
    RunOutcome outcome{};
    Checkpoints checkpoints;
    Simulation simulation;
    ProbeRecorder probes;
    std::unique_ptr<RunWriter> writer;
    Watch watch;
    FloatingPointWatch modes;
    LedgerLog ledger;
    OutputQueue outputs;
    Progress progress;
    bool written = true;
    bool in_a_step = false;
    std::uint64_t next_output = 1;
    int next_tenth = 0;
    double set_up = 0;         // s
    double between_steps = 0;  // s, for outputs, ledger, probes and checkpoints

    Parts(const Problem& of, const RunOptions& chosen, Start start, std::optional<ResumePoint>& from)
        : problem(of), options(chosen), in_batch(start.in_batch), checkpoints(start.problem, options, from),
          simulation(std::move(start.simulation)), probes(problem),
          writer(writer_of(problem, start.problem, options, simulation.backend(), start.machine, probes, from)),
          watch(problem), modes(ThreadsOf::simulation, place_of(simulation)),
          ledger(outcome, watch, in_batch ? nullptr : &modes),
          outputs(*writer, outcome, watch, place_of(simulation), in_batch),
          progress(problem.source.time.end, problem.particles.size(), options.quiet, simulation.time(),
                   simulation.steps())
    {
        outcome.why_not_cuda = start.why_not_cuda;
        outcome.backend = simulation.backend().description();
    }

    [[nodiscard]] const Case& source() const { return problem.source; }
    // The first output whose time lies ahead. The quotient, which rounds, is brought near first: there may be 2^53 of
    // them.
    void pass_outputs()
    {
        const double interval = source().output.interval;
        const double passed = std::floor(simulation.time() / interval);
        if (passed > static_cast<double>(next_output) + 1) next_output = static_cast<std::uint64_t>(passed) - 1;
        while (static_cast<double>(next_output) * interval <= simulation.time()) ++next_output;
    }
    [[nodiscard]] bool output_is_due() const
    {
        return simulation.time() >= static_cast<double>(next_output) * source().output.interval;
    }
    [[nodiscard]] bool row_is_due() const
    {
        return simulation.steps() % static_cast<std::uint64_t>(source().output.ledger_every) == 0;
    }
    void pass_moment()
    {
        outcome.tenths.push_back({simulation.time(), simulation.steps(), seconds_since(options.begun)});
    }
    // Not of a state that may be affected by a floating-point mode changed since the last check.
    bool take_checkpoint()
    {
        modes.look(place_of(simulation));
        outputs.flush(ledger, probes);
        return checkpoints.take(simulation, *writer);
    }
    [[noreturn]] void fail()
    {
        end_by_machine(problem, writer->folder(), checkpoints.any(), [&](const std::string& why) {
            progress.finish();
            try {
                outputs.flush(ledger, probes);
            } catch (const std::exception&) {  // an output that could not be finished either
            }
            leave_room_for_library();
            writer->annotate({{"end_state", "failed: " + why}});
        });
    }
    // A part of a step, which may break down.
    template <class Part>
    void attempt(const Part& part)
    {
        try {
            part();
        } catch (const SimulationBroke& broke) {
            outcome.breakdown = broke.breakdown;
            outcome.coming_step = simulation.next_step();
            // The state inside the step, which shows what went wrong, is an output of its own.
            if (in_a_step) written = false;
            outcome.code = ExitCode::stopped;
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
    p.pass_outputs();
    p.next_tenth = 1 + static_cast<int>(10 * p.simulation.time() / problem.source.time.end);
    p.set_up = seconds_since(options.begun) - seconds_of(p.simulation.backend().stage_times());
    p.attempt([&] {
        p.pass_moment();
        if (from) return;
        const Stopwatch counted(p.between_steps);
        p.probes.look(p.simulation);
        p.outputs.write(p.simulation, p.ledger, p.probes);
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
            p.probes.look(p.simulation);
            p.outputs.look();
            p.written = false;
            if (p.row_is_due()) p.ledger.take_row(p.simulation);
            // Outputs never shorten a step: each is written at the first step that reaches its time.
            if (p.output_is_due()) {
                p.outputs.write(p.simulation, p.ledger, p.probes);
                p.written = true;
                p.pass_outputs();
            }
            if (p.checkpoints.due()) p.take_checkpoint();
        }
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
        const Stopwatch counted(p.between_steps);
        if (outcome.interrupted) {
            outcome.code = code_of_interrupt();
            outcome.resumable = p.take_checkpoint();
        }
        if (!p.written) p.outputs.write(p.simulation, p.ledger, p.probes, !outcome.interrupted);
        p.outputs.wait();
        if (!p.source().probes.empty()) p.writer->write_filtered_probes();
        p.modes.look(place_of(p.simulation));
    } catch (...) {
        p.fail();
    }
    Provenance results;
    if (outcome.breakdown) {
        const std::filesystem::path surroundings = p.writer->folder() / "breakdown.vtk";
        try {
            write_surroundings(surroundings, p.simulation.snapshot(), outcome.breakdown->id,
                               3 * support_radius(p.source()));
            outcome.surroundings = shown(surroundings);
            results["surroundings"] = checksum_of_file(surroundings).text();
        } catch (const Error&) {  // the report of the breakdown is more important
        }
    }
    outcome.warnings = p.options.warnings;
    for (std::string& warning : p.watch.warnings()) outcome.warnings.push_back(std::move(warning));
    if (!outcome.warnings.empty()) results["warnings"] = fmt::format("{}", fmt::join(outcome.warnings, "; "));
    outcome.wall_seconds = p.checkpoints.wall_seconds();
    outcome.stages = p.simulation.backend().stage_times();
    outcome.stages.insert(outcome.stages.begin(), {"set-up", p.set_up});
    outcome.stages.push_back({"output", p.between_steps - p.outputs.waited()});
    outcome.stages.push_back({"waiting", p.outputs.waited()});
    outcome.stages.push_back({"other", seconds_since(p.options.begun) - seconds_of(outcome.stages)});
    outcome.bytes = p.simulation.backend().bytes();
    results.merge(times_of(outcome));
    results["end_state"] = end_state(outcome);
    p.writer->annotate(results);
    if (outcome.code == ExitCode::success) remove_checkpoints(p.writer->folder());
    outcome.folder = shown(p.writer->folder());
    return std::move(outcome);
}

}  // namespace halfulp
