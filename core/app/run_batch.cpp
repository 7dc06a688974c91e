#include "core/app/run_batch.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <sys/resource.h>

#include "core/app/floating_point.hpp"
#include "core/app/out_of_memory.hpp"
#include "core/app/provenance.hpp"
#include "core/app/run_in_progress.hpp"
#include "core/app/side_by_side.hpp"
#include "core/app/stopwatch.hpp"

namespace halfulp {

namespace {

class RunningBatch {
public:
    RunningBatch(std::vector<BatchedRun> runs, const MakeBatch& make, const std::string& device,
                 SecondsOfBatch& seconds)
        : runs_(std::move(runs)), ends_(runs_.size()), at_work_(runs_.size()), seconds_(seconds)
    {
        const Stopwatch counted(seconds_.start);
        check_floating_point_of_threads();
        std::vector<const Problem*> problems;
        for (const BatchedRun& run : runs_) problems.push_back(run.problem);
        try {
            BatchOfRuns made = make(problems);
            batch_ = made.batch;
            start(std::move(made.runs), provenance_of_machine(device));
        } catch (...) {  // of the device, or of memory: all of them fail, and whoever started them goes on
            const std::string failure = sentence_of_failure();
            for (std::size_t k = 0; k < runs_.size(); ++k) {
                if (ends_[k].failure.empty()) ends_[k].failure = failure;
                at_work_[k].reset();
            }
        }
    }

    std::vector<EndOfRun> carry_out(const std::function<void(std::size_t, double)>& progress)
    {
        FloatingPointWatch modes(ThreadsOf::simulation, {});
        const auto begun = WallClock::now();
        for (std::uint64_t step = 0; true; ++step) {
            std::vector<std::size_t> ended = at_work();
            std::erase_if(ended, [this](std::size_t k) { return at_work_[k]->goes_on(); });
            write_files(ended, [this](std::size_t k) { end(k); });
            const std::vector<std::size_t> going_on = at_work();
            if (going_on.empty()) {
                seconds_.steps = seconds_since(begun) - seconds_.files;
                return std::move(ends_);
            }
            for (const std::size_t k : going_on) attempt(k, [](RunInProgress& run) { run.begin_step(); });
            if (!together([&] { batch_->carry_out(); })) continue;
            for (const std::size_t k : going_on) attempt(k, [](RunInProgress& run) { run.complete_step(); });
            std::vector<std::size_t> rows = at_work();
            std::erase_if(rows, [this](std::size_t k) { return !at_work_[k]->takes_row(); });
            if (!rows.empty() && !together([&] {
                    modes.look({at_work_[rows.front()]->time(), step});
                    batch_->sum_ledgers(rows);
                }))
                continue;
            // Few of them write in a step, and no step waits for other threads.
            std::vector<std::size_t> writing;
            for (const std::size_t k : going_on) {
                if (at_work_[k] && at_work_[k]->writes()) writing.push_back(k);
                else attempt(k, [](RunInProgress& run) { run.record(); });
            }
            write_files(writing, [this](std::size_t k) { attempt(k, [](RunInProgress& run) { run.record(); }); });
            if (progress) progress(runs_.size() - going_on.size(), fraction());
        }
    }

private:
    void start(std::vector<std::unique_ptr<Backend>> backends, const Provenance& machine)
    {
        std::vector<std::unique_ptr<Simulation>> simulations(runs_.size());
        std::vector<std::size_t> begun;
        for (std::size_t k = 0; k < runs_.size(); ++k) {
            BatchedRun& run = runs_[k];
            const Problem& problem = *run.problem;
            guard(k, [&] {
                if (run.from) {
                    SimulationState& state = run.from->checkpoint.simulation;
                    simulations[k] = std::make_unique<Simulation>(problem, std::move(backends[k]), state);
                    run.from->check(*simulations[k], problem);
                    state.particles.buffers.clear();
                } else {
                    simulations[k] =
                        std::make_unique<Simulation>(problem, std::move(backends[k]), Simulation::InBatch{});
                    begun.push_back(k);
                }
            });
        }
        batch_->carry_out();
        batch_->sum_ledgers(begun);
        for (const std::size_t k : begun) guard(k, [&] { simulations[k]->complete_start(); });
        side_by_side(runs_.size(), [&](std::size_t k) {
            BatchedRun& run = runs_[k];
            guard(k, [&] {
                const StateHash hash = run.from ? run.from->checkpoint.problem : fingerprint_of(*run.problem);
                at_work_[k] =
                    std::make_unique<RunInProgress>(*run.problem, run.options,
                                                    RunInProgress::Start{.simulation = std::move(*simulations[k]),
                                                                         .problem = hash,
                                                                         .machine = machine,
                                                                         .why_not_cuda = {},
                                                                         .in_batch = true},
                                                    std::move(run.from));
            });
        });
    }

    // An action that writes the files of some runs and throws nothing: on all threads, as much of its time is spent
    // waiting for the disk.
    template <class Action>
    void write_files(const std::vector<std::size_t>& some, const Action& action)
    {
        if (some.empty()) return;
        const Stopwatch counted(seconds_.files);
        side_by_side(some.size(), [&](std::size_t n) { action(some[n]); });
    }
    [[nodiscard]] std::vector<std::size_t> at_work() const
    {
        std::vector<std::size_t> all;
        for (std::size_t k = 0; k < runs_.size(); ++k) {
            if (at_work_[k]) all.push_back(k);
        }
        return all;
    }
    // An action on one run, whose failure is not that of the others.
    template <class Action>
    void guard(std::size_t k, const Action& action)
    {
        if (!ends_[k].failure.empty()) return;
        try {
            action();
        } catch (...) {
            ends_[k].failure = sentence_of_failure();
            at_work_[k].reset();
        }
    }
    template <class Action>
    void attempt(std::size_t k, const Action& action)
    {
        if (at_work_[k]) guard(k, [&] { action(*at_work_[k]); });
    }
    // An action on all; false if it has failed, and they with it.
    template <class Action>
    bool together(const Action& action)
    {
        try {
            action();
            return true;
        } catch (...) {
            for (const std::size_t k : at_work()) attempt(k, [](RunInProgress& run) { run.fail(); });
            return false;
        }
    }
    void end(std::size_t k)
    {
        guard(k, [&] {
            ends_[k].outcome = at_work_[k]->end();
            at_work_[k].reset();
        });
    }
    // Of the simulated time of all runs.
    [[nodiscard]] double fraction() const
    {
        double sum = 0;
        for (std::size_t k = 0; k < runs_.size(); ++k)
            sum += at_work_[k] ? std::min(1.0, at_work_[k]->time() / runs_[k].problem->source.time.end) : 1.0;
        return sum / static_cast<double>(runs_.size());
    }

    std::vector<BatchedRun> runs_;
    std::vector<EndOfRun> ends_;
    std::vector<std::unique_ptr<RunInProgress>> at_work_;
    std::shared_ptr<Batch> batch_;
    SecondsOfBatch& seconds_;
};

}  // namespace

std::vector<EndOfRun> run_batch(std::vector<BatchedRun> runs, const MakeBatch& make, const std::string& device,
                                const std::function<void(std::size_t ended, double fraction)>& progress,
                                SecondsOfBatch* seconds)
{
    SecondsOfBatch unread;
    return RunningBatch(std::move(runs), make, device, seconds == nullptr ? unread : *seconds).carry_out(progress);
}

std::size_t most_runs_in_batch(std::size_t probes)
{
    rlimit limit{};
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 64;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
    constexpr rlim_t for_others = 64;
    const rlim_t of_a_run = 4 + probes;  // its folder, its lock, its tables; more while it is written
    constexpr rlim_t most = 1U << 14U;
    if (limit.rlim_cur == RLIM_INFINITY) return most;
    return std::clamp<rlim_t>(limit.rlim_cur < for_others ? 0 : (limit.rlim_cur - for_others) / of_a_run, 1, most);
}

}  // namespace halfulp
