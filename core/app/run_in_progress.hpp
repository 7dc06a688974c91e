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
    // The parts of a step: begin_step() asks the watch and starts the operations, complete_step() ends the step,
    // record() writes what is due. A breakdown in any of them ends the run. Each throws an Error if the machine or the
    // disk fails, after the state so far has been written.
    void begin_step();
    void complete_step();
    void record();
    // Whether record() needs a row of the ledger.
    [[nodiscard]] bool takes_row() const;
    // Whether it writes an output or a checkpoint.
    [[nodiscard]] bool writes() const;
    [[nodiscard]] double time() const;  // s
    // Ends the run in the same way for an exception from elsewhere that is being handled, such as the failure of a
    // device.
    [[noreturn]] void fail();
    // Writes the last output or a checkpoint, and how it ended.
    RunOutcome end();

private:
    struct Parts;
    std::unique_ptr<Parts> parts_;
};

}  // namespace halfulp
