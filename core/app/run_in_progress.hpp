// A run between its start and its end: its simulation, and all that is kept and written of it between steps.
#pragma once

#include <memory>
#include <optional>

#include "core/app/run.hpp"
#include "core/evolution/audit.hpp"
#include "core/output/run_file.hpp"

namespace halfulp {

class RunInProgress {
public:
    // What a run is started with, besides its options.
    struct Start {
        Simulation simulation;  // at its first step, or at that from which it is resumed
        StateHash problem;      // its fingerprint
        Provenance machine;
        std::string why_not_cuda;
        std::unique_ptr<Audit> audit = nullptr;  // of that simulation, if it is wanted
        bool in_batch = false;                   // outputs are then written by the same thread
    };
    // Creates the files of the run, or continues those of an earlier part of it, and writes the output of the start.
    RunInProgress(const Problem& problem, const RunOptions& options, Start start, std::optional<ResumePoint> from);
    ~RunInProgress();
    RunInProgress(const RunInProgress&) = delete;
    RunInProgress& operator=(const RunInProgress&) = delete;

    // Whether another step follows: not at the end, after a breakdown or an interrupt.
    [[nodiscard]] bool goes_on() const;
    // A step in its parts: the watch and the operations, the new step, and what is written of it. A breakdown in one of
    // them is the end of the run. Each throws an Error if the machine or the disk fails, with the state so far written.
    void begin_step();
    void complete_step();
    void record();
    // Whether record() needs a row of the ledger.
    [[nodiscard]] bool takes_row() const;
    // Whether it writes an output or a checkpoint.
    [[nodiscard]] bool writes() const;
    [[nodiscard]] double time() const;  // s
    // The same end for an exception from elsewhere that is being handled, such as the failure of a device.
    [[noreturn]] void fail();
    // Writes the last output or a checkpoint, and how it ended.
    RunOutcome end();

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace halfulp
