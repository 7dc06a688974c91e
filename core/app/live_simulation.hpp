// A simulation that another program steps, in C++ or Python: it keeps the ledger and probes that a run of its case
// would have, and can be written as an interrupted run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/app/floating_point.hpp"
#include "core/app/output_moments.hpp"
#include "core/app/resume_point.hpp"
#include "core/backends/make_backend.hpp"
#include "core/error.hpp"
#include "core/evolution/probe_recorder.hpp"
#include "core/evolution/simulation.hpp"
#include "core/evolution/watch.hpp"
#include "core/particles/breakdown.hpp"

namespace halfulp {

// A simulation that broke down.
class BrokenDown : public Error {
public:
    BrokenDown(Breakdown breakdown, double time, std::uint64_t step);
    [[nodiscard]] const Breakdown& breakdown() const { return breakdown_; }
    [[nodiscard]] double time() const { return time_; }  // s, at the start of the step that failed
    [[nodiscard]] std::uint64_t step() const { return step_; }

private:
    Breakdown breakdown_;
    double time_;
    std::uint64_t step_;
};

class LiveSimulation {
public:
    // Each throws an Error for what the user can correct.
    LiveSimulation(const Case& c, const BackendOptions& options);
    // From the last checkpoint of an interrupted run that is whole.
    static std::unique_ptr<LiveSimulation> resume(const std::filesystem::path& run, const BackendOptions& options);

    // Steps until the time is reached, at least once, unless `stop`, which is called after every step, returns true;
    // `stop` may let another thread use the simulation meanwhile. Throws BrokenDown, now and at every later call.
    void advance(double until, const std::function<bool()>& stop);
    // Writes the present state as an interrupted run, with the ledger and the probes so far.
    void write(const std::filesystem::path& folder, bool overwrite, const std::string& command_line) const;

    [[nodiscard]] const Problem& problem() const { return *problem_; }
    // Throws an Error where an exception, such as one for memory, has left a step half done.
    [[nodiscard]] const Simulation& simulation() const
    {
        require_whole();
        return *simulation_;
    }
    // The same for what is computed from its state; also throws one where other code of this process has changed the
    // floating-point modes.
    [[nodiscard]] const Simulation& checked() const;
    [[nodiscard]] const std::vector<LedgerRow>& rows() const { return rows_; }
    [[nodiscard]] const std::vector<ProbeSeries>& probes() const { return probes_.series(); }
    [[nodiscard]] std::vector<std::string> warnings() const;
    // Of later checkpoints, which resume() has left out; they are among the warnings.
    [[nodiscard]] const std::vector<std::string>& damages() const { return damages_; }

private:
    LiveSimulation(std::unique_ptr<Problem> problem, const BackendOptions& options, std::optional<ResumePoint> from);
    void take_row();
    void require_whole() const;
    [[nodiscard]] RunPlace place() const { return {simulation_->time(), simulation_->steps()}; }

    std::unique_ptr<Problem> problem_;  // where the watch finds it
    std::string device_;
    std::unique_ptr<Simulation> simulation_;
    ProbeRecorder probes_;
    Watch watch_;
    OutputMoments moments_;
    std::vector<LedgerRow> rows_;
    bool row_of_end_alone_ = false;  // the last row is there because the case ends with it
    bool past_end_ = false;          // the last step began at the end of the case or later
    StateHash problem_hash_;         // fingerprint of the problem as it began
    std::vector<std::string> warnings_;
    std::vector<std::string> damages_;
    mutable std::optional<FloatingPointWatch> modes_;
    std::string through_walls_;  // what the watch has found first; empty: nothing
    std::optional<Breakdown> broke_;
    bool torn_ = false;    // inside a step, or one was not completed, with its row and samples
    double stepping_ = 0;  // s of wall time, of all its parts
};

}  // namespace halfulp
