// A batch on a device for one policy and dimension: the particles of all runs in the same buffers, each run in its own
// places (runs.cuh). All runs go through the same operations; each rebuilds its neighbour lists when it would alone.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "core/backends/batch.hpp"
#include "core/backends/cuda/batch_kernels.cuh"
#include "core/backends/cuda/pair_kernels.cuh"
#include "core/backends/cuda/probes.cuh"
#include "core/backends/cuda/reach_of.cuh"
#include "core/backends/cuda/settings.hpp"
#include "core/neighbours/reach.hpp"

namespace halfulp::cuda {

template <class Policy, int D>
class CudaBatch final : public Batch {
public:
    using Real = typename Policy::Real;

    // The problems may share a batch (core/backends/batches.hpp).
    CudaBatch(const std::vector<const Problem*>& problems, const CudaSettings& settings);
    ~CudaBatch() override;

    void carry_out() override;
    void sum_ledgers(const std::vector<std::size_t>& runs) override;

    // Of run k, for its back end. Between two carry_out() several threads may call them, each for other runs.
    void prescribe(std::size_t k, const CourseOfStep& course);
    void note(std::size_t k, const Operation& operation, double step);
    void complete(std::size_t k);
    [[nodiscard]] StepLimits limits(std::size_t k) const { return runs_[k].limits; }
    [[nodiscard]] std::uint64_t rebuilds(std::size_t k) const { return runs_[k].rebuilds; }
    [[nodiscard]] LedgerTotals ledger_totals(std::size_t k);
    [[nodiscard]] std::vector<ProbeTotals> sample(std::size_t k, const std::vector<ProbePlace>& places);
    [[nodiscard]] Rates rates(std::size_t k);
    [[nodiscard]] SnapshotSource snapshot_source(std::size_t k);
    [[nodiscard]] SavedParticles save(std::size_t k);
    void restore(std::size_t k, const Problem& problem, const SavedParticles& saved);
    // A run's share of the memory, bytes.
    [[nodiscard]] std::size_t bytes() const { return bytes_held() / runs_.size(); }
    [[nodiscard]] std::vector<StageTime> stage_times() const;
    [[nodiscard]] const std::string& description() const { return settings_.description; }

private:
    // An operation that a run has been given to execute.
    struct Noted {
        Operation operation;
        double step;
    };
    struct Run {
        PlaceOfRun place{};
        Reach reach{};
        CellBounds bounds{};  // when its lists were built
        ParticleConstants<Policy, D> constants;
        PairConstantsOfRun<Real> pair_constants{};
        std::vector<Pose> poses;
        std::vector<Noted> noted;
        Real last_interval = 0;  // of the last operation, to report a broken rule
        std::optional<Breakdown> broken;
        StepLimits limits;
        std::uint64_t rebuilds = 0;
        RunWords words{};
    };
    using Group = std::vector<std::uint32_t>;  // of runs, ascending

    [[nodiscard]] std::vector<Group> groups_at_work() const;
    void carry_out(const Group& group);
    template <class Op>
    void carry_out(const Group& group, const Operation& operation);
    void serve(std::type_identity<RefreshNeighbours>, const Group& group, double fraction);
    void serve(std::type_identity<RefreshMovedNeighbours>, const Group& group, double /*fraction*/)
    {
        for (const std::uint32_t k : group) runs_[k].last_interval = 0;  // to come
        serve(std::type_identity<RefreshNeighbours>{}, group, 0);
    }
    void serve(std::type_identity<RenewNeighbours>, const Group& group, double fraction);
    void serve(std::type_identity<RebuildNeighbours>, const Group& group, double fraction);
    // Measures displacements; returns the runs whose lists must be rebuilt.
    [[nodiscard]] Group measure(const Group& group, double fraction);
    void rebuild(Group group);
    void sort(const Group& group, const RebuiltBlocks& blocks);
    LentIndices indices_for(const RebuiltBlocks& blocks);
    // The lists of runs whose particles are in order.
    void find_neighbours(const Group& group, const RebuiltBlocks& blocks);
    void make_lists(const Group& group, const RebuiltBlocks& blocks);
    void enlarge_lists(const Group& group);
    // Valid until it is called again.
    [[nodiscard]] RebuiltBlocks blocks_of(const Group& group);
    [[nodiscard]] CellBounds widest(const Group& group) const;
    void read_reports();
    // Records a breakdown in each run in which a kernel has found a broken rule; returns the runs that go on.
    Group keep_rules(const Group& group, bool settled);
    void upload_constants();
    void upload(std::size_t k, const Buffers<Policy>& here);
    [[nodiscard]] Buffers<Policy> download(std::size_t k);
    [[nodiscard]] ParticleView<Policy> view_of_run(std::size_t k) const;
    [[nodiscard]] ParticleRuns<Policy, D> particle_runs() const;
    [[nodiscard]] PairRuns<Real> pair_runs();
    [[nodiscard]] PairData<Real> common() const;
    template <class T>
    void send(DeviceVector<T>& to, const std::vector<T>& from, const char* doing);
    void clear_reports(std::size_t offset, std::size_t bytes);

    CudaSettings settings_;
    std::recursive_mutex reading_;
    Stream stream_;
    std::vector<Run> runs_;
    unsigned blocks_ = 0;
    std::size_t places_ = 0;
    std::int32_t largest_id_ = 0;
    PairConstants<Real> shared_{};
    Buffers<Policy, DeviceVector> buffers_;
    ParticleView<Policy> particles_;
    DeviceVector<std::uint32_t> of_block_;
    DeviceVector<PlaceOfRun> run_places_;
    DeviceVector<StepOfRun> steps_;
    PinnedVector<StepOfRun> steps_here_;
    DeviceVector<ParticleConstants<Policy, D>> constants_;
    DeviceVector<PairConstantsOfRun<Real>> pair_constants_;
    DeviceVector<LedgerConstants<D>> ledger_constants_;
    DeviceVector<Pose> poses_;
    DeviceVector<InertialForce> inertial_;
    std::vector<InertialForce> inertial_here_;
    std::atomic<bool> constants_known_ = false;  // on the device
    std::atomic<bool> prescribed_ = false;       // motions, for the coming operations
    unsigned long long operations_ = 0;          // so far
    DeviceVector<StepReport> reports_;
    PinnedVector<StepReport> reports_here_;
    // Of a rebuild.
    DeviceVector<std::uint8_t> rebuild_tables_;
    PinnedVector<std::uint8_t> rebuild_tables_here_;
    DeviceVector<StateArray> state_;
    std::size_t state_bytes_ = 0;  // of a particle
    DeviceVector<std::uint8_t> sorted_;
    DeviceVector<std::uint32_t> indices_;
    Order order_;
    Directory directory_;
    Ranges ranges_;
    DeviceVector<RunTargets> targets_;
    DeviceVector<WarpWords> list_words_;
    DeviceVector<RunWords> words_of_;
    DeviceVector<ListPlace> list_places_;
    DeviceVector<std::uint32_t> list_lengths_;
    // Of the ledgers of some runs in the present state.
    DeviceVector<LedgerBuffer> ledgers_;
    DeviceVector<std::uint32_t> ledgers_wanted_;
    PinnedVector<LedgerBuffer> ledgers_here_;
    std::vector<std::optional<std::size_t>> ledger_of_;  // of each run: where its buffer is
    ProbeSampler probes_;

    std::vector<cudaEvent_t> events_;  // before the first operation of a step and after each
    std::array<double, halfulp::stages> seconds_{};
};

// The back end of one run of a batch.
template <class Policy, int D>
class RunOfCudaBatch final : public Backend {
public:
    RunOfCudaBatch(std::shared_ptr<CudaBatch<Policy, D>> batch, std::size_t k) : batch_(std::move(batch)), k_(k) {}

    void prescribe(const CourseOfStep& course) override { batch_->prescribe(k_, course); }
    void execute(const Operation& operation, double step) override { batch_->note(k_, operation, step); }
    void complete() override { batch_->complete(k_); }
    [[nodiscard]] StepLimits limits() const override { return batch_->limits(k_); }
    [[nodiscard]] LedgerTotals ledger_totals() const override { return batch_->ledger_totals(k_); }
    [[nodiscard]] std::vector<ProbeTotals> sample(const std::vector<ProbePlace>& places) const override
    {
        return batch_->sample(k_, places);
    }
    [[nodiscard]] Rates rates() const override { return batch_->rates(k_); }
    [[nodiscard]] SnapshotSource snapshot_source() const override { return batch_->snapshot_source(k_); }
    [[nodiscard]] std::function<SnapshotSource()> begin_snapshot() override
    {
        return [taken = snapshot_source()] { return taken; };
    }
    [[nodiscard]] SavedParticles save() const override { return batch_->save(k_); }
    void restore(const Problem& problem, const SavedParticles& saved) override { batch_->restore(k_, problem, saved); }
    [[nodiscard]] std::uint64_t rebuilds() const override { return batch_->rebuilds(k_); }
    [[nodiscard]] std::size_t bytes() const override { return batch_->bytes(); }
    [[nodiscard]] std::vector<StageTime> stage_times() const override { return batch_->stage_times(); }
    [[nodiscard]] std::string description() const override { return batch_->description(); }

private:
    std::shared_ptr<CudaBatch<Policy, D>> batch_;
    std::size_t k_;
};

}  // namespace halfulp::cuda
