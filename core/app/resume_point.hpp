// The point from which an interrupted run is resumed: its checkpoint and what its files hold.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/evolution/checkpoint.hpp"
#include "core/output/run_file.hpp"

namespace halfulp {

struct ResumePoint {
    Checkpoint checkpoint;
    RunContent found;  // all that the run's file holds
    RunContent kept;   // the part of it up to the checkpoint

    // Throws an Error unless the restored simulation stands where those files say that the run stood,
    // and its last step began before the end.
    void check(const Simulation& simulation, const Problem& problem) const;
};

// The case of a run, with the run's own copies of the files that it names. overrides: as of read_case.
Case case_of(const RunReader& reader, const std::vector<std::string>& overrides = {});

// Nothing if there is no checkpoint; warnings: a sentence for each damaged one.
std::optional<ResumePoint> read_resume_point(const RunReader& reader, std::vector<std::string>& warnings);

}  // namespace halfulp
