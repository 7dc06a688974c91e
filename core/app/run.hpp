// A run of a case from start to end: steps, outputs, ledger, watch, progress.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/app/resume_point.hpp"
#include "core/backends/make_backend.hpp"
#include "core/error.hpp"
#include "core/evolution/simulation.hpp"
#include "core/output/run_file.hpp"
#include "core/setup/problem.hpp"

namespace halfulp {

struct RunOptions {
    std::filesystem::path folder;
    RunFolder held = {};             // that folder, if it was there: since before what is in it was looked at
    RunFolder* keep_held = nullptr;  // takes that folder at the end of the run, which keeps it locked
    bool overwrite = false;
    bool quiet = false;  // no progress
    BackendOptions backend;
    AuditOptions audit;
    double checkpoint_every = 600;     // s of wall time; 0: only on interruption
    bool keep_checkpoint = false;      // of the end, for a later end
    std::vector<std::string> changed;  // of a resumed run: KEY=VALUE that its case has from now on
    std::string command_line;
    std::vector<std::string> warnings;  // of the case, included in the run's
    // When the work for the run began: its wall time and its set-up, the case's included, are counted from here.
    std::chrono::steady_clock::time_point begun = std::chrono::steady_clock::now();
    // Wraps the back end, e.g. in one that fails as a device does, for tests.
    std::function<std::unique_ptr<Backend>(std::unique_ptr<Backend>)> wrap_backend;
};

struct RunOutcome {
    ExitCode code = ExitCode::success;
    std::optional<Breakdown> breakdown;
    bool interrupted = false;
    bool resumable = false;  // a checkpoint was taken on interruption
    LedgerRow first;
    LedgerRow last;
    double largest_residual = 0;               // |residual|, J
    double largest_density_deviation = 0;      // over the whole run
    double largest_speed = 0;                  // m/s
    std::vector<std::array<double, 2>> front;  // (time, front), s and m, for each ledger row
    // Quantities of each ledger row from which a breakdown is explained.
    struct Watched {
        double time;               // s
        double density_deviation;  // largest
        double speed;              // largest, m/s
        double time_step;          // s; 0: no step taken before
    };
    std::vector<Watched> watched;
    double coming_step = 0;              // s: the time step planned when the run broke down
    std::vector<std::string> warnings;   // of the watch, a sentence each
    std::filesystem::path surroundings;  // file showing the particle that broke a rule, if any
    std::filesystem::path folder;        // where it is at the end, which may be elsewhere
    std::string lost_output;             // the file of the first that another program has removed or changed
    std::uint64_t outputs = 0;
    StateHash final_hash;
    double wall_seconds = 0;  // of all parts of a resumed run, set-up and outputs included
    std::size_t bytes = 0;
    std::uint64_t bytes_sent = 0;  // between ranks, in the steps of this part of a resumed run
    MessageTimes message_times;
    std::vector<RankUse> ranks;
    // Of this part of a resumed run; on: the back end that repeats the steps, empty without an audit.
    struct Audited {
        std::string on;
        std::uint64_t every = 0;   // steps
        std::uint64_t states = 0;  // found equal, that of the start included
        double seconds = 0;        // that the run has waited for repetition and comparison
    };
    Audited audited;
    std::string backend;
    std::string why_not_cuda;  // if the choice was left to the program
    // The stages of this part of a resumed run, which add up to its wall time: those of the back end, preceded by
    // "set-up" (until the first step, without the back end's stages) and followed by "output" (outputs, ledger, probes
    // and checkpoints, as far as they hold up the steps), "waiting" (for the previous output to be written), "audit"
    // (if there is one) and "other" (time steps, the watch, progress).
    std::vector<StageTime> stages;
    // A moment of the run: the start of its steps, and the end of each tenth of the simulated time.
    struct Passed {
        double time;  // s
        std::uint64_t step;
        double seconds;  // of wall time since RunOptions::begun
    };
    std::vector<Passed> tenths;
};

// Throws an Error for what the user can correct, and if the machine fails during the run (a lost device, exhausted
// memory, a changed floating-point mode): the state so far is then written, and the message says how to resume. A
// breakdown of the simulation is an outcome. After catch_interrupts() Ctrl-C and other signals end it after its present
// step, with everything written and a checkpoint to resume from. The final results do not depend on interruptions.
RunOutcome run(const Problem& problem, const RunOptions& options, std::optional<ResumePoint> from = {});

}  // namespace halfulp
