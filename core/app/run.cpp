#include "core/app/run.hpp"

#include <cmath>

#include <fmt/format.h>

#include "core/app/build_info.hpp"
#include "core/app/interrupts.hpp"
#include "core/app/progress.hpp"
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
    LedgerLog(RunWriter& writer, RunOutcome& outcome) : writer_(writer), outcome_(outcome) {}

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
    void flush()
    {
        if (!pending_.empty()) writer_.write_ledger(pending_);
        pending_.clear();
    }

private:
    RunWriter& writer_;
    RunOutcome& outcome_;
    std::vector<LedgerRow> pending_;
    bool any_ = false;
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
    RunWriter writer(options.folder, options.overwrite, c.dimensions, c.text, case_as_toml(c),
                     provenance_of(problem, options, simulation.backend()));
    LedgerLog ledger(writer, outcome);
    Progress progress(c.time.end, problem.particles.size(), options.quiet);

    const auto write_output = [&] {
        const Snapshot snapshot = simulation.snapshot();
        ledger.add(simulation.ledger_row());
        ledger.flush();
        writer.write_output(snapshot);
        outcome.final_hash = snapshot.hash;
        ++outcome.outputs;
    };

    write_output();
    std::uint64_t next_output = 1;
    bool written = true;
    try {
        while (simulation.time() < c.time.end && !interrupted()) {
            simulation.step();
            written = false;
            if (simulation.steps() % static_cast<std::uint64_t>(c.output.ledger_every) == 0)
                ledger.add(simulation.ledger_row());
            // Outputs never shorten a step: each is taken at the first step that reaches its time.
            if (simulation.time() >= static_cast<double>(next_output) * c.output.interval) {
                write_output();
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
    if (!written) write_output();
    outcome.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    outcome.stages = simulation.backend().stage_times();
    outcome.bytes = simulation.backend().bytes();
    writer.annotate({{"end_state", end_state(outcome)}, {"wall_seconds", fmt::format("{:.3f}", outcome.wall_seconds)}});
    return outcome;
}

}  // namespace halfulp
