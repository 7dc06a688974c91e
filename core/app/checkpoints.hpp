// The checkpoints of a running simulation.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/app/run.hpp"
#include "core/app/stopwatch.hpp"
#include "core/output/run_file.hpp"

namespace halfulp {

// Takes checkpoints, at intervals of wall time and on request.
class Checkpoints {
public:
    // problem: the fingerprint of the problem
    Checkpoints(const StateHash& problem, const RunOptions& options, const std::optional<ResumePoint>& from)
        : problem_(problem), options_(options), number_(from ? from->checkpoint.number : 0),
          wall_before_(from ? from->checkpoint.wall_seconds : 0)
    {
    }

    // s, over all parts of an interrupted run
    [[nodiscard]] double wall_seconds() const { return wall_before_ + seconds_since(options_.begun); }
    // Whether there is one to resume from.
    [[nodiscard]] bool any() const { return number_ > 0; }
    [[nodiscard]] bool due() const
    {
        return options_.checkpoint_every > 0 && seconds_since(last_) >= options_.checkpoint_every;
    }
    // length: of the run's files at that state. If disk or memory have no room for one, the run continues with the
    // previous generation. Returns false then.
    bool take(const std::function<SimulationState()>& state, const RunLength& length, RunWriter& writer);

private:
    StateHash problem_;
    const RunOptions& options_;
    std::uint64_t number_;
    double wall_before_;
    WallClock::time_point last_ = WallClock::now();
};

}  // namespace halfulp
