// A back end, as the rest of the program sees it: it holds the particles and carries out the operations of a scheme.
// Same bits from every one.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/motion/course.hpp"
#include "core/schemes/operation_list.hpp"
#include "core/particles/breakdown.hpp"
#include "core/particles/report.hpp"
#include "core/particles/saved_particles.hpp"
#include "core/results/snapshot.hpp"
#include "core/setup/problem.hpp"

namespace halfulp {

// Exact maxima from the last density_rate and forces, in the units of the state, and of find_residual.
struct StepLimits {
    double max_acceleration = 0;
    double max_signal_speed = 0;
    double residual = 0;
};

struct StageTime {
    std::string stage;
    double seconds;
};

class Backend {
public:
    Backend() = default;
    virtual ~Backend() = default;
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;

    // What motions prescribe for the coming step; before its operations, where there are any.
    virtual void prescribe(const CourseOfStep& course) = 0;
    // step: in time units, representable in the policy's number type. Throws SimulationBroke, here or in complete.
    virtual void execute(const Operation& operation, double step) = 0;
    // Waits for what was executed; only then are the limits those of the last passes.
    virtual void complete() = 0;
    [[nodiscard]] virtual StepLimits limits() const = 0;
    // Exact, to be merged with other back ends' and rounded by the caller.
    [[nodiscard]] virtual LedgerTotals ledger_totals() const = 0;
    // What the particles bring to each place, exactly summed; see core/particles/probe_terms.hpp. Of the last forces,
    // where the fluid's force on walls is asked for.
    [[nodiscard]] virtual std::vector<ProbeTotals> sample(const std::vector<ProbePlace>& places) const = 0;
    // Of the last density_rate and forces; those of walls count in ds/dt only.
    [[nodiscard]] virtual Rates rates() const = 0;
    // The snapshot of now, for use before the next operation; time and step are the caller's to fill in.
    [[nodiscard]] virtual SnapshotSource snapshot_source() const = 0;
    [[nodiscard]] Snapshot snapshot() const { return whole(snapshot_source()); }
    // The same, to be had from the function: on any thread, while this one goes on. One at a time, and before the back
    // end ends. Takes a copy of what is shown of the particles; throws std::bad_alloc where there is no room for one.
    [[nodiscard]] virtual std::function<SnapshotSource()> begin_snapshot() = 0;
    // Everything that the coming steps depend on, between two steps, for use before the next; and a back end of the
    // same problem, just made, put into that state: it goes on with the same bits. Throws an Error for what belongs to
    // another problem.
    [[nodiscard]] virtual SavedParticles save() const = 0;
    virtual void restore(const SavedParticles& saved) = 0;
    [[nodiscard]] virtual std::uint64_t rebuilds() const = 0;
    [[nodiscard]] virtual std::size_t bytes() const = 0;
    [[nodiscard]] virtual std::vector<StageTime> stage_times() const = 0;
    // e.g. "cpu, 2 threads, 8 lanes"
    [[nodiscard]] virtual std::string description() const = 0;
};

}  // namespace halfulp
