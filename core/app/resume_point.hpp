// The point from which an interrupted run is resumed: its checkpoint and what its files hold.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/evolution/checkpoint.hpp"
#include "core/output/run_file.hpp"
#include "core/output/run_folder.hpp"

namespace halfulp {

struct ResumePoint {
    Checkpoint checkpoint;
    RunContent found;  // all that the run's file holds
    RunContent kept;   // the part of it up to the checkpoint

    // Throws an Error unless the restored simulation is where the run's files say that the run was, and its last step
    // began before the end.
    void check(const Simulation& simulation, const Problem& problem) const;
};

// The case of a run, with the run's own copies of the files that it names. overrides: as of read_case.
Case case_of(const RunReader& reader, const std::vector<std::string>& overrides = {});

// The problem of the case of a run whose folder is held. Throws an Error that calls the run's files by `named`, as the
// user does, not by the handle. set_up: prepare(), or a function that also informs the user.
Problem problem_of(const Case& c, const RunFolder& held, const std::filesystem::path& named,
                   const std::function<Problem(const Case&)>& set_up);

// Nothing if there is no checkpoint; warnings: a sentence for each damaged one.
std::optional<ResumePoint> read_resume_point(const RunReader& reader, std::vector<std::string>& warnings);

// How a run can be resumed, according to its folder.
struct RunToResume {
    bool complete = false;            // and nothing is to change: there is nothing to do
    std::optional<ResumePoint> from;  // without one the run starts again
    std::string problem_hash;         // that the run began with; empty if that is not known
};

// Throws an Error if this version of halfulp makes another problem of the case than the run began with, by its hash,
// where that is known. run: as the user calls it.
void require_same_start(const Problem& problem, const std::string& hash, const std::string& run,
                        std::string_view again = "resumed",
                        std::string_view remedy = "resume it with the one that began it, or run the case anew");

// Reads how to resume a run whose folder is held, so that no other program changes it any more. changes: whether its
// case is to change. warn: called with a sentence for each damaged checkpoint. Throws an Error for a run that cannot go
// on.
RunToResume read_run_to_resume(const RunReader& reader, bool changes,
                               const std::function<void(const std::string&)>& warn);

}  // namespace halfulp
