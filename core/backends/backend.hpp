// The interface of a back end: it holds the particles and carries out the operations of a scheme, with the same bits on
// every one.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/motion/course.hpp"
#include "core/particles/breakdown.hpp"
#include "core/particles/report.hpp"
#include "core/particles/saved_particles.hpp"
#include "core/results/snapshot.hpp"
#include "core/schemes/operation_list.hpp"
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

// The time of messages between ranks within the steps, without the particles that change ranks at rebuilds.
struct MessageTimes {
    double under_way = 0;  // s, of one rank, from packing to placing
    double waited = 0;     // s of these, in which it had nothing else to do
};

// The use of one of several ranks.
struct RankUse {
    std::uint64_t own = 0;     // particles, whose sums it computes
    std::uint64_t copies = 0;  // of other ranks' particles
    std::uint64_t bytes = 0;
    std::uint64_t bytes_sent = 0;
    double pass_seconds = 0;  // of its passes over pairs, without waiting for messages
};

class Backend {
public:
    Backend() = default;
    virtual ~Backend() = default;
    Backend(const Backend&) = delete;
    Backend& operator=(const Backend&) = delete;

    // The motions prescribed for the coming step; to be called before its operations, if there are any motions.
    virtual void prescribe(const CourseOfStep& course) = 0;
    // step: in time units, representable in the policy's number type. Throws SimulationBroke, here or in complete.
    virtual void execute(const Operation& operation, double step) = 0;
    // Waits for all executed operations. Only after that may other members be called, and are the limits those of the
    // last passes.
    virtual void complete() = 0;
    [[nodiscard]] virtual StepLimits limits() const = 0;
    // Exact sums, to be merged with those of other back ends and then rounded.
    [[nodiscard]] virtual LedgerTotals ledger_totals() const = 0;
    // The exactly summed contributions of the particles to each probe point; see core/particles/probe_terms.hpp. Forces
    // on walls are those of the last force computation.
    [[nodiscard]] virtual std::vector<ProbeTotals> sample(const std::vector<ProbePlace>& places) const = 0;
    // From the last density_rate and forces; walls have ds/dt only.
    [[nodiscard]] virtual Rates rates() const = 0;
    // The present snapshot, for use before the next operation; the caller fills in time and step.
    [[nodiscard]] virtual SnapshotSource snapshot_source() const = 0;
    [[nodiscard]] Snapshot snapshot() const { return whole(snapshot_source()); }
    // The same, but returned by a function, which may be called on any thread while this one continues; one at a time,
    // each done with before the next is begun or the back end is destroyed. Copies the particles' output fields; throws
    // std::bad_alloc if there is no room for a copy.
    [[nodiscard]] virtual std::function<SnapshotSource()> begin_snapshot() = 0;
    // Everything that the coming steps depend on, between two steps, for use before the next; and its restoration into
    // a new back end of the same problem, which continues with the same bits. Throws an Error for a state of another
    // problem.
    [[nodiscard]] virtual SavedParticles save() const = 0;
    virtual void restore(const Problem& problem, const SavedParticles& saved) = 0;
    [[nodiscard]] virtual std::uint64_t rebuilds() const = 0;
    [[nodiscard]] virtual std::size_t bytes() const = 0;
    // The bytes that all ranks have sent each other within the steps, without the particles that change ranks at
    // rebuilds.
    [[nodiscard]] virtual std::uint64_t bytes_sent() const { return 0; }
    [[nodiscard]] virtual MessageTimes message_times() const { return {}; }
    [[nodiscard]] virtual std::vector<StageTime> stage_times() const = 0;
    // The use of each rank at this moment; empty if the run is not divided.
    [[nodiscard]] virtual std::vector<RankUse> rank_uses() const { return {}; }
    // e.g. "cpu, 2 threads, 8 lanes"
    [[nodiscard]] virtual std::string description() const = 0;
    // Calls act() in every thread that computes and whose OpenMP threads are its own.
    virtual void on_threads(const std::function<void()>& act) const { act(); }
    // Whether those OpenMP threads compute, too; otherwise a device does.
    [[nodiscard]] virtual bool uses_openmp() const { return true; }
};

}  // namespace halfulp
