// A back end on several ranks: rank 0, which a program drives, and the service of the others, which carry out its
// commands. Ranks are threads or processes, each with a CPU or a device, that share particles by messages alone
// (core/distribution); bits are those of one rank.
#pragma once

#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "core/backends/backend.hpp"
#include "core/backends/order_of_ranks.hpp"
#include "core/distribution/local_ranks.hpp"
#include "core/particles/buffers.hpp"

namespace halfulp {

enum class RankCommand : std::uint8_t {
    prescribe,
    execute,
    complete,
    ledger,
    sample,
    gather,
    values,
    restore,
    measure,
    threads,
    end
};
// Thrown by a rank whose own particles keep a rule that another rank's particles break in the same operation.
struct OtherRankBroke {};

// Rank: a back end for the particles that one rank holds, CpuParticles or CudaParticles. All its functions are
// collective, except those that only return known values.
template <class Rank>
class Ranks final : public Backend {
public:
    using Policy = typename Rank::PolicyOf;
    static constexpr int D = Rank::dimensions;
    using Settings = typename Rank::Settings;

    // settings: rank 0's. others: the threads of the other ranks, if they belong to this process. Every rank has the
    // same problem.
    Ranks(const Problem& problem, const Settings& settings, std::unique_ptr<LocalRanks> others);
    ~Ranks() override;
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;
    // The work of a rank other than 0, until rank 0 ends. settings: its own; check: called when rank 0 is told to check
    // its threads, if this rank is another process.
    static void serve(const Problem& problem, const Settings& settings, const std::function<void()>& check);

    void prescribe(const CourseOfStep& course) override;
    // Queues the operation. The queue is carried out once it contains an operation on neighbour lists, the step is
    // completed, or anything else is asked for.
    void execute(const Operation& operation, double step) override;
    void complete() override;
    [[nodiscard]] StepLimits limits() const override { return rank_->limits(); }
    [[nodiscard]] LedgerTotals ledger_totals() const override;
    [[nodiscard]] std::vector<ProbeTotals> sample(const std::vector<ProbePlace>& places) const override;
    [[nodiscard]] Rates rates() const override;
    [[nodiscard]] SnapshotSource snapshot_source() const override { return shown()(); }
    [[nodiscard]] std::function<SnapshotSource()> begin_snapshot() override { return shown(); }
    [[nodiscard]] SavedParticles save() const override;
    void restore(const Problem& problem, const SavedParticles& saved) override;
    [[nodiscard]] std::uint64_t rebuilds() const override { return rank_->rebuilds(); }
    [[nodiscard]] std::size_t bytes() const override { return sum_of(&RankUse::bytes); }
    [[nodiscard]] std::uint64_t bytes_sent() const override { return sum_of(&RankUse::bytes_sent); }
    [[nodiscard]] std::vector<RankUse> rank_uses() const override;
    [[nodiscard]] MessageTimes message_times() const override { return rank_->message_times(); }
    [[nodiscard]] std::vector<StageTime> stage_times() const override { return rank_->stage_times(); }
    [[nodiscard]] std::string description() const override;
    void on_threads(const std::function<void()>& act) const override;
    [[nodiscard]] bool uses_openmp() const override { return rank_->uses_openmp(); }

private:
    // Sends a command with its arguments to the other ranks, after what is queued, and does rank 0's part of it.
    // Rethrows the exception of another rank, if one has failed.
    template <class Act>
    void command(RankCommand what, const Bytes& arguments, const Act& act) const;
    template <class Act>
    void broadcast(RankCommand what, const Bytes& arguments, const Act& act) const;
    // Operations that no rank has begun, sent together: ranks wait for each other less often.
    struct Queued {
        Operation operation;
        double step;
    };
    static void perform(Peers& peers, Rank& rank, const std::vector<Queued>& operations, bool completes);
    void flush(bool completes = false) const;
    // The particles of all ranks, rank by rank, with the fields for which wanted(info) is true.
    [[nodiscard]] Buffers<Policy> gathered(const FieldChoice& wanted) const;
    // The values of a field, given by its index among all fields, for a range of each rank's own particles.
    [[nodiscard]] std::vector<Bytes> values(std::size_t field, std::size_t element,
                                            const std::vector<OwnRange>& ranges) const;
    [[nodiscard]] OrderOfRanks order_of_ranks() const;
    [[nodiscard]] std::function<SnapshotSource()> shown() const;
    [[nodiscard]] std::uint64_t sum_of(std::uint64_t RankUse::*number) const;

    Peers& peers_;
    std::unique_ptr<LocalRanks> others_;  // none if they are processes
    std::unique_ptr<Rank> rank_;
    mutable std::vector<Queued> queued_;
    mutable std::exception_ptr failure_;  // after which the ranks cannot go on
};

}  // namespace halfulp
