// Running a case from start to end: steps, outputs, ledger, watch, progress.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/backends/make_backend.hpp"
#include "core/error.hpp"
#include "core/evolution/checkpoint.hpp"
#include "core/evolution/simulation.hpp"
#include "core/output/run_file.hpp"
#include "core/setup/problem.hpp"

namespace halfulp {

struct RunOptions {
    std::filesystem::path folder;
    bool overwrite = false;
    bool quiet = false;  // no progress
    BackendOptions backend;
    double checkpoint_every = 600;  // s of wall time; 0: only when it is interrupted
    std::string command_line;
    std::vector<std::string> warnings;  // of the case, which become the run's
    // Puts something around the back end, e.g. one that fails as a device does, for tests.
    std::function<std::unique_ptr<Backend>(std::unique_ptr<Backend>)> wrap_backend;
};

// What a run that was interrupted goes on from.
struct ResumePoint {
    Checkpoint checkpoint;
    RunContent kept;
    FolderLock lock = {};  // of the run's folder, since before these were read
};

struct RunOutcome {
    ExitCode code = ExitCode::success;
    std::optional<Breakdown> breakdown;
    bool interrupted = false;
    bool resumable = false;  // a checkpoint was taken when it was interrupted
    LedgerRow first;
    LedgerRow last;
    double largest_residual = 0;               // |residual|, J
    double largest_density_deviation = 0;      // over the whole run
    double largest_speed = 0;                  // m/s
    std::vector<std::array<double, 2>> front;  // (time, front), s and m, a pair each ledger row
    // Of each ledger row: what a run that breaks down is watched by.
    struct Watched {
        double time;               // s
        double density_deviation;  // largest
        double speed;              // largest, m/s
        double time_step;          // s; 0: none was taken before
    };
    std::vector<Watched> watched;
    double coming_step = 0;              // s: what the time step was to be when the run broke down
    std::vector<std::string> warnings;   // of what the run was watched by, a sentence each
    std::filesystem::path surroundings;  // of the particle that broke a rule: the file that shows them, if there is one
    std::uint64_t outputs = 0;
    StateHash final_hash;
    double wall_seconds = 0;
    std::size_t bytes = 0;
    std::string backend;
    std::string why_not_cuda;  // where it was left to the program
    std::vector<StageTime> stages;
};

// Throws an Error for what the user can mend, and where the machine fails on the way (a device that went away, no more
// memory, a mode of floating point that something has changed): what there was is then written, and the sentence says
// how to go on. A simulation that breaks down is an outcome. After catch_interrupts() Ctrl-C and SIGTERM end it after
// its present step, with everything written and a checkpoint to resume from. What comes out, in the end, does not
// depend on where it was interrupted.
RunOutcome run(const Problem& problem, const RunOptions& options, std::optional<ResumePoint> from = {});

}  // namespace halfulp
