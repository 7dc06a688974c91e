// Simulations that take their steps together, as runs of a batch, and a batch of CPU back ends, which carries out what
// each of them has noted.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/backends/batch.hpp"
#include "tests/core/backends/trajectory.hpp"

namespace halfulp::test {

class NotingBackend final : public Backend {
public:
    explicit NotingBackend(std::unique_ptr<Backend> whole) : whole_(std::move(whole)) {}

    void prescribe(const CourseOfStep& course) override { course_ = course; }
    void execute(const Operation& operation, double step) override { noted_.push_back({operation, step}); }
    void complete() override
    {
        if (!noted_.empty()) throw std::logic_error("completed before the batch has carried it out");
        if (broken_) throw SimulationBroke{*broken_};
    }
    void carry_out()
    {
        if (noted_.empty()) return;
        try {
            if (course_) whole_->prescribe(*std::exchange(course_, std::nullopt));
            for (const auto& [operation, step] : noted_) whole_->execute(operation, step);
            whole_->complete();
        } catch (const SimulationBroke& broke) {
            broken_ = broke.breakdown;
        }
        noted_.clear();
    }
    [[nodiscard]] StepLimits limits() const override { return whole_->limits(); }
    [[nodiscard]] LedgerTotals ledger_totals() const override { return whole_->ledger_totals(); }
    [[nodiscard]] std::vector<ProbeTotals> sample(const std::vector<ProbePlace>& places) const override
    {
        return whole_->sample(places);
    }
    [[nodiscard]] Rates rates() const override { return whole_->rates(); }
    [[nodiscard]] SnapshotSource snapshot_source() const override { return whole_->snapshot_source(); }
    [[nodiscard]] std::function<SnapshotSource()> begin_snapshot() override { return whole_->begin_snapshot(); }
    [[nodiscard]] SavedParticles save() const override { return whole_->save(); }
    void restore(const SavedParticles& saved) override { whole_->restore(saved); }
    [[nodiscard]] std::uint64_t rebuilds() const override { return whole_->rebuilds(); }
    [[nodiscard]] std::size_t bytes() const override { return whole_->bytes(); }
    [[nodiscard]] std::vector<StageTime> stage_times() const override { return whole_->stage_times(); }
    [[nodiscard]] std::string description() const override { return whole_->description(); }

private:
    std::unique_ptr<Backend> whole_;
    std::optional<CourseOfStep> course_;
    std::vector<std::pair<Operation, double>> noted_;
    std::optional<Breakdown> broken_;
};

class SideBySide final : public Batch {
public:
    void add(NotingBackend& run) { runs_.push_back(&run); }
    void carry_out() override
    {
        for (NotingBackend* run : runs_) run->carry_out();
    }
    void sum_ledgers(const std::vector<std::size_t>& /*runs*/) override {}

private:
    // Those that still exist: a run of a batch may end before the others.
    std::vector<NotingBackend*> runs_;
};

inline BatchOfRuns side_by_side(const std::vector<const Problem*>& problems)
{
    const auto batch = std::make_shared<SideBySide>();
    BatchOfRuns made{batch, {}};
    for (const Problem* problem : problems) {
        auto run = std::make_unique<NotingBackend>(make_cpu_backend(*problem, {.threads = 1, .lanes = 0}));
        batch->add(*run);
        made.runs.push_back(std::move(run));
    }
    return made;
}

// A run that has ended does what it would do if it went on, but nobody asks for it.
struct TogetherRun {
    Trajectory trajectory;
    std::string breakdown;
};

// The states of simulations of the problems, in a batch, after every `every` steps; each takes its own number of steps.
// from: states of some to begin with.
inline std::vector<TogetherRun> taken_together(const std::vector<Problem>& problems, BatchOfRuns made,
                                               const std::vector<std::uint64_t>& steps, std::uint64_t every,
                                               const std::vector<const SimulationState*>& from = {})
{
    std::vector<std::unique_ptr<Simulation>> simulations;
    std::vector<TogetherRun> runs(problems.size());
    const auto resumes = [&](std::size_t k) { return k < from.size() && from[k] != nullptr; };
    for (std::size_t k = 0; k < problems.size(); ++k) {
        runs[k].trajectory.origin = problems[k].source.origin.cells;
        simulations.push_back(
            resumes(k) ? std::make_unique<Simulation>(problems[k], std::move(made.runs[k]), *from[k])
                       : std::make_unique<Simulation>(problems[k], std::move(made.runs[k]), Simulation::InBatch{}));
    }
    made.batch->carry_out();
    for (std::size_t k = 0; k < problems.size(); ++k) {
        if (!resumes(k)) simulations[k]->complete_start();
    }
    while (true) {
        std::vector<std::size_t> recorded;
        std::vector<std::size_t> going_on;
        for (std::size_t k = 0; k < problems.size(); ++k) {
            if (!runs[k].breakdown.empty() || simulations[k]->steps() > steps[k]) continue;
            if (simulations[k]->steps() % every == 0) recorded.push_back(k);
            if (simulations[k]->steps() < steps[k]) going_on.push_back(k);
        }
        made.batch->sum_ledgers(recorded);
        for (const std::size_t k : recorded) {
            auto& moments = runs[k].trajectory.moments;
            if (moments.empty() || moments.back().row.step != static_cast<double>(simulations[k]->steps()))
                moments.push_back({simulations[k]->ledger_row(), simulations[k]->snapshot()});
        }
        if (going_on.empty()) return runs;
        for (const std::size_t k : going_on) simulations[k]->begin_step();
        made.batch->carry_out();
        for (const std::size_t k : going_on) {
            try {
                simulations[k]->complete_step();
            } catch (const SimulationBroke& broke) {
                runs[k].breakdown = fmt::format("{} {} {} {}", broke.breakdown.id, broke.breakdown.what,
                                                simulations[k]->time(), simulations[k]->snapshot().hash.text());
            }
        }
    }
}

// Alone on the CPU.
inline TogetherRun taken_alone(const Problem& problem, std::unique_ptr<Backend> backend, std::uint64_t steps,
                               std::uint64_t every)
{
    TogetherRun run;
    run.trajectory.origin = problem.source.origin.cells;
    Simulation simulation(problem, std::move(backend));
    try {
        record(simulation, steps, every, run.trajectory);
    } catch (const SimulationBroke& broke) {
        run.breakdown = fmt::format("{} {} {} {}", broke.breakdown.id, broke.breakdown.what, simulation.time(),
                                    simulation.snapshot().hash.text());
    }
    return run;
}

inline void expect_same_runs(const TogetherRun& alone, const TogetherRun& together, const std::string& what)
{
    expect_same_bits(alone.trajectory, together.trajectory, what);
    EXPECT_EQ(alone.trajectory.moments.size(), together.trajectory.moments.size()) << what;
    EXPECT_EQ(alone.breakdown, together.breakdown) << what;
}

}  // namespace halfulp::test
