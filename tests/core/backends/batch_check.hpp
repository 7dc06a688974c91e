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

// A back end and what it has been given to execute since the batch was last carried out.
class NotedRun {
public:
    explicit NotedRun(std::unique_ptr<Backend> whole) : whole(std::move(whole)) {}

    void carry_out()
    {
        if (noted.empty()) return;
        try {
            if (course) whole->prescribe(*std::exchange(course, std::nullopt));
            for (const auto& [operation, step] : noted) whole->execute(operation, step);
            whole->complete();
        } catch (const SimulationBroke& broke) {
            broken = broke.breakdown;
        }
        noted.clear();
    }

    std::unique_ptr<Backend> whole;
    std::optional<CourseOfStep> course;
    std::vector<std::pair<Operation, double>> noted;
    std::optional<Breakdown> broken;
};

class NotingBackend final : public Backend {
public:
    explicit NotingBackend(std::shared_ptr<NotedRun> run) : run_(std::move(run)) {}

    void prescribe(const CourseOfStep& course) override { run_->course = course; }
    void execute(const Operation& operation, double step) override { run_->noted.emplace_back(operation, step); }
    void complete() override
    {
        if (!run_->noted.empty()) throw std::logic_error("completed before the batch has carried it out");
        if (run_->broken) throw SimulationBroke{*run_->broken};
    }
    [[nodiscard]] StepLimits limits() const override { return run_->whole->limits(); }
    [[nodiscard]] LedgerTotals ledger_totals() const override { return run_->whole->ledger_totals(); }
    [[nodiscard]] std::vector<ProbeTotals> sample(const std::vector<ProbePlace>& places) const override
    {
        return run_->whole->sample(places);
    }
    [[nodiscard]] Rates rates() const override { return run_->whole->rates(); }
    [[nodiscard]] SnapshotSource snapshot_source() const override { return run_->whole->snapshot_source(); }
    [[nodiscard]] std::function<SnapshotSource()> begin_snapshot() override { return run_->whole->begin_snapshot(); }
    [[nodiscard]] SavedParticles save() const override { return run_->whole->save(); }
    void restore(const Problem& problem, const SavedParticles& saved) override { run_->whole->restore(problem, saved); }
    [[nodiscard]] std::uint64_t rebuilds() const override { return run_->whole->rebuilds(); }
    [[nodiscard]] std::size_t bytes() const override { return run_->whole->bytes(); }
    [[nodiscard]] std::vector<StageTime> stage_times() const override { return run_->whole->stage_times(); }
    [[nodiscard]] std::string description() const override { return run_->whole->description(); }

private:
    std::shared_ptr<NotedRun> run_;
};

class SideBySide final : public Batch {
public:
    explicit SideBySide(std::vector<std::shared_ptr<NotedRun>> runs) : runs_(std::move(runs)) {}
    void carry_out() override
    {
        for (const auto& run : runs_) run->carry_out();
    }
    void sum_ledgers(const std::vector<std::size_t>& /*runs*/) override {}

private:
    std::vector<std::shared_ptr<NotedRun>> runs_;
};

// wrap: of each back end.
template <class Wrap>
BatchOfRuns side_by_side(const std::vector<const Problem*>& problems, const Wrap& wrap)
{
    std::vector<std::shared_ptr<NotedRun>> noted;
    BatchOfRuns made;
    for (const Problem* problem : problems) {
        noted.push_back(
            std::make_shared<NotedRun>(wrap(make_cpu_backend(*problem, {.threads = 1, .lanes = 0}), noted.size())));
        made.runs.push_back(std::make_unique<NotingBackend>(noted.back()));
    }
    made.batch = std::make_shared<SideBySide>(noted);
    return made;
}

inline BatchOfRuns side_by_side(const std::vector<const Problem*>& problems)
{
    return side_by_side(problems, [](std::unique_ptr<Backend> whole, std::size_t /*k*/) { return whole; });
}

// A run that has ended does what it would do if it went on, but nobody asks for it.
struct TogetherRun {
    Trajectory trajectory;
    std::string breakdown;
};

inline std::string text_of(const SimulationBroke& broke, const Simulation& simulation)
{
    return fmt::format("{} {} {} {} {}", broke.breakdown.id, broke.breakdown.what, broke.breakdown.position[0],
                       simulation.time(), simulation.snapshot().hash.text());
}

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
        const auto part_of_step = [&](const auto& part) {
            for (const std::size_t k : going_on) {
                if (!runs[k].breakdown.empty()) continue;
                try {
                    part(*simulations[k]);
                } catch (const SimulationBroke& broke) {
                    runs[k].breakdown = text_of(broke, *simulations[k]);
                }
            }
        };
        part_of_step([](Simulation& simulation) { simulation.begin_step(); });
        made.batch->carry_out();
        part_of_step([](Simulation& simulation) { simulation.complete_step(); });
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
        run.breakdown = text_of(broke, simulation);
    }
    return run;
}

inline void expect_same_runs(const TogetherRun& alone, const TogetherRun& together, const std::string& what)
{
    ASSERT_EQ(alone.trajectory.moments.size(), together.trajectory.moments.size()) << what;
    // A run that breaks down in its first steps has only the first.
    if (alone.trajectory.moments.size() > 1) expect_same_bits(alone.trajectory, together.trajectory, what);
    EXPECT_EQ(alone.breakdown, together.breakdown) << what;
}

}  // namespace halfulp::test
