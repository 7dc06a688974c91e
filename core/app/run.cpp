#include "core/app/run.hpp"

#include <cmath>
#include <future>
#include <utility>

#include <fmt/format.h>

#include "core/app/build_info.hpp"
#include "core/app/interrupts.hpp"
#include "core/app/progress.hpp"
#include "core/evolution/probe_recorder.hpp"
#include "core/output/run_file.hpp"
#include "core/setup/read_case.hpp"

namespace halfulp {

namespace {

Provenance provenance_of(const Problem& problem, const RunOptions& options, const Backend& backend)
{
    const auto& origin = problem.source.origin.cells;
    return {
        {"halfulp", build::version},
        {"commit", build::commit},
        {"tree", build::tree},
        {"compiler", build::compiler},
        {"flags", build::flags},
        {"build_type", build::type},
        {"command", options.command_line},
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
}

// Keeps what the summary needs and hands rows on in batches.
class LedgerLog {
public:
    explicit LedgerLog(RunOutcome& outcome) : outcome_(outcome) {}

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
        pending_.push_back(row);
    }
    std::vector<LedgerRow> take_pending() { return std::exchange(pending_, {}); }

private:
    RunOutcome& outcome_;
    std::vector<LedgerRow> pending_;
    bool any_ = false;
};

// Writes outputs while the simulation goes on, one at a time. What the disk refuses is thrown by the next call.
class OutputQueue {
public:
    OutputQueue(RunWriter& writer, RunOutcome& outcome) : writer_(writer), outcome_(outcome) {}

    void write(Simulation& simulation, LedgerLog& ledger, ProbeRecorder& probes)
    {
        wait();
        ledger.add(simulation.ledger_row());
        writing_ = std::async(std::launch::async, [&writer = writer_, take = simulation.begin_snapshot(),
                                                   rows = ledger.take_pending(), samples = probes.take_pending()] {
            if (!rows.empty()) writer.write_ledger(rows);
            if (!samples.empty()) writer.write_probes(samples);
            const Snapshot snapshot = take();
            writer.write_output(snapshot);
            return snapshot.hash;
        });
        ++outcome_.outputs;
    }
    void look()
    {
        if (writing_.valid() && writing_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) wait();
    }
    void wait()
    {
        if (writing_.valid()) outcome_.final_hash = writing_.get();
    }

private:
    RunWriter& writer_;
    RunOutcome& outcome_;
    std::future<StateHash> writing_;
};

std::string end_state(const RunOutcome& outcome)
{
    if (outcome.breakdown) return "stopped: " + outcome.breakdown->what;
    return outcome.interrupted ? "interrupted" : "complete";
}

}  // namespace

RunOutcome run(const Problem& problem, const RunOptions& options)
{
    const Case& c = problem.source;
    RunOutcome outcome;
    const auto started = std::chrono::steady_clock::now();
    ChosenBackend chosen = make_backend(problem, options.backend);
    outcome.why_not_cuda = chosen.why_not_cuda;
    Simulation simulation(problem, std::move(chosen.backend));
    outcome.backend = simulation.backend().description();
    ProbeRecorder probes(problem);
    RunWriter writer(options.folder, options.overwrite, c.dimensions, c.text, case_as_toml(c),
                     provenance_of(problem, options, simulation.backend()), probes.series());
    LedgerLog ledger(outcome);
    OutputQueue outputs(writer, outcome);
    Progress progress(c.time.end, problem.particles.size(), options.quiet);

    probes.look(simulation);
    outputs.write(simulation, ledger, probes);
    std::uint64_t next_output = 1;
    bool written = true;
    try {
        while (simulation.time() < c.time.end && !interrupted()) {
            simulation.step();
            probes.look(simulation);
            outputs.look();
            written = false;
            if (simulation.steps() % static_cast<std::uint64_t>(c.output.ledger_every) == 0)
                ledger.add(simulation.ledger_row());
            // Outputs never shorten a step: each is taken at the first step that reaches its time.
            if (simulation.time() >= static_cast<double>(next_output) * c.output.interval) {
                outputs.write(simulation, ledger, probes);
                written = true;
                while (static_cast<double>(next_output) * c.output.interval <= simulation.time()) ++next_output;
            }
            progress.update(simulation.time(), simulation.steps(), simulation.next_step());
        }
    } catch (const SimulationBroke& broke) {
        outcome.breakdown = broke.breakdown;
        written = false;  // the state in the middle of the step, which shows what went wrong, is an output of its own
        outcome.code = ExitCode::stopped;
    }
    progress.finish();
    outcome.interrupted = !outcome.breakdown && interrupted();
    if (outcome.interrupted) outcome.code = ExitCode::interrupted;
    if (!written) outputs.write(simulation, ledger, probes);
    outputs.wait();
    if (!c.probes.empty()) writer.write_filtered_probes(probes.series());
    outcome.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    outcome.stages = simulation.backend().stage_times();
    outcome.bytes = simulation.backend().bytes();
    writer.annotate({{"end_state", end_state(outcome)}, {"wall_seconds", fmt::format("{:.3f}", outcome.wall_seconds)}});
    return outcome;
}

}  // namespace halfulp
