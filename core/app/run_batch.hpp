// Runs of a batch from start to end, each with its own folder, outputs and ledger.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/app/run.hpp"
#include "core/backends/batch.hpp"

namespace halfulp {

struct BatchedRun {
    const Problem* problem;
    RunOptions options;
    std::optional<ResumePoint> from;
};

// How a run of a batch has ended: with an outcome, or with the sentence of an Error.
struct EndOfRun {
    std::optional<RunOutcome> outcome;
    std::string failure;
};

using MakeBatch = std::function<BatchOfRuns(const std::vector<const Problem*>&)>;

// Wall time of a batch, s.
struct SecondsOfBatch {
    double start = 0;  // up to the first step, with the files that runs have from their start
    double steps = 0;
    double files = 0;  // outputs, checkpoints and ends of runs, for which the steps wait
};

// Each run has the files that it has alone, to the bit. One that breaks down or fails does not stop the others; if the
// device fails, all fail. device: its description. progress: called now and then with the number of runs that have
// ended and the fraction of the simulated time that has passed. seconds: where the time went, if somebody asks.
std::vector<EndOfRun> run_batch(std::vector<BatchedRun> runs, const MakeBatch& make, const std::string& device,
                                const std::function<void(std::size_t ended, double fraction)>& progress,
                                SecondsOfBatch* seconds = nullptr);

// The number of runs whose files this process may keep open, after it has raised its limit as far as allowed.
std::size_t most_runs_in_batch(std::size_t probes = 0);

}  // namespace halfulp
