// The CUDA back end for one policy and dimension: the particles are kept on the device, one thread each.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "core/backends/backend.hpp"
#include "core/backends/cuda/device_halo.cuh"
#include "core/backends/cuda/ledger.cuh"
#include "core/backends/cuda/mirror_lists.cuh"
#include "core/backends/cuda/neighbours.cuh"
#include "core/backends/cuda/pair_kernels.cuh"
#include "core/backends/cuda/posted_report.cuh"
#include "core/backends/cuda/probes.cuh"
#include "core/backends/cuda/settings.hpp"
#include "core/backends/cuda/sorting_memory.cuh"
#include "core/backends/cuda/stage_clock.cuh"
#include "core/backends/cuda/step_report.cuh"
#include "core/backends/rank_fields.hpp"
#include "core/backends/ranks.hpp"
#include "core/neighbours/course.hpp"
#include "core/neighbours/dry_walls.hpp"
#include "core/operations/operations.hpp"
#include "core/particles/held_state.hpp"
#include "core/particles/particle_tracking.hpp"

namespace halfulp::cuda {

// Selects the device that this thread uses from now on, before anything is allocated or started on it. The device in
// use before is not selected again afterwards: that would open a context on a device that may never have had one.
struct OnDevice {
    explicit OnDevice(int device)
    {
        int before = -1;
        if (cudaGetDevice(&before) != cudaSuccess || before != device) check(cudaSetDevice(device), "choosing it");
    }
};

// All particles, or those that a rank holds (core/backends/ranks.hpp).
template <class Policy, int D>
class CudaParticles final : public Backend {
public:
    using Real = typename Policy::Real;
    using PolicyOf = Policy;
    static constexpr int dimensions = D;
    using Settings = CudaSettings;

    CudaParticles(const Problem& problem, const CudaSettings& settings);
    ~CudaParticles() override;

    void prescribe(const CourseOfStep& course) override;
    void execute(const Operation& operation, double step) override;
    void complete() override;
    [[nodiscard]] StepLimits limits() const override { return limits_; }
    [[nodiscard]] LedgerTotals ledger_totals() const override;
    [[nodiscard]] std::vector<ProbeTotals> sample(const std::vector<ProbePlace>& places) const override;
    [[nodiscard]] Rates rates() const override;
    [[nodiscard]] SnapshotSource snapshot_source() const override;
    [[nodiscard]] std::function<SnapshotSource()> begin_snapshot() override;
    [[nodiscard]] SavedParticles save() const override;
    void restore(const Problem& problem, const SavedParticles& saved) override;
    [[nodiscard]] std::uint64_t rebuilds() const override { return rebuilds_; }
    // Bytes of the whole process, so of several ranks in one process only rank 0 reports them.
    [[nodiscard]] std::size_t bytes() const override
    {
        const Peers* const peers = settings_.peers;
        return peers != nullptr && peers->share_memory() && peers->rank() != 0 ? 0 : bytes_held();
    }
    [[nodiscard]] std::uint64_t bytes_sent() const override { return halo_ ? device_halo_->bytes_sent() : 0; }
    [[nodiscard]] MessageTimes message_times() const override
    {
        return halo_ ? device_halo_->message_times() : MessageTimes{};
    }
    [[nodiscard]] std::vector<StageTime> stage_times() const override;
    [[nodiscard]] std::string description() const override;
    [[nodiscard]] bool uses_openmp() const override { return false; }

    // For a rank of several, as in CpuParticles.
    [[nodiscard]] std::size_t held() const { return count_; }
    [[nodiscard]] std::size_t own() const { return device_halo_->own(); }
    [[nodiscard]] double pass_seconds() const
    {
        return clock_.seconds(Stage::density) + clock_.seconds(Stage::forces) - device_halo_->message_times().waited;
    }
    [[nodiscard]] Buffers<Policy> own_particles(const FieldChoice& wanted) const;
    void copy_own(std::size_t field, std::size_t first, std::size_t count, std::byte* to) const;
    [[nodiscard]] Halo& halo() const { return *halo_; }
    void hold(const HeldState& state);
    [[nodiscard]] const ParticleConstants<Policy, D>& constants() const { return constants_; }
    [[nodiscard]] const Physics& physics() const { return buffers_.physics; }

private:
    template <class Op>
    void carry_out(const Interval<Real>& interval);
    // One overload for each operation on neighbour lists.
    void serve(std::type_identity<RefreshNeighbours>, Real interval) { refresh_neighbours(interval, false); }
    void serve(std::type_identity<RefreshMovedNeighbours>, Real interval)
    {
        refresh_neighbours(Real(0), false, interval);
    }
    void serve(std::type_identity<RenewNeighbours>, Real interval) { refresh_neighbours(interval, true); }
    void serve(std::type_identity<RebuildNeighbours>, Real /*interval*/)
    {
        course_.stay(can_assume_course());
        rebuild();
    }
    void upload(const HeldState& state, const FieldChoice& wanted);
    // The problem's particles index_of(0) to index_of(count - 1).
    template <class IndexOf>
    void upload_start(const Problem& problem, std::size_t count, const IndexOf& index_of);
    void copy_to_host(const AnyBuffers& to, const FieldChoice& wanted) const;  // until the stream has come so far
    // The present particles in the host's memory.
    [[nodiscard]] Buffers<Policy> download(const FieldChoice& wanted) const;
    void prepare_halo(const Problem& problem);
    // Moves particles to the ranks that now own or copy their cells. False if there is nothing to do: no particle of
    // any rank has changed cells, and the domain is not decomposed anew. present: where the particles lie that are here
    // afterwards.
    bool share_out(bool any_moved, PresentParticles& present);
    [[nodiscard]] std::vector<std::uint32_t> work_of_own() const;
    [[nodiscard]] std::uint64_t work_in_all();  // its sum
    [[nodiscard]] double seconds_since_last_look();
    [[nodiscard]] OwnedView owned() const
    {
        return halo_ ? OwnedView{device_halo_->owned(), device_halo_->edge()} : OwnedView{};
    }
    // The parts that an operation writes and of which other ranks have copies.
    template <class Op>
    [[nodiscard]] const std::vector<FieldPart>& parts_of() const
    {
        return exchanged_[static_cast<std::size_t>(kind_of<Op>)];
    }
    template <class Op>
    void exchange();
    // Visits the targets that other ranks wait for first, and sends their results while the other targets are visited.
    template <class Op>
    void pass_beside_exchange(typename PairKernels<typename Policy::Pairs, D>::Pass launch, const LargestOf& largest);
    // The output fields in the host's memory, and a source that keeps them alive.
    // Refreshes the lists before drifts over `interval`, or after past drifts over `over`. Where the device can tell by
    // itself whether the lists are still valid, the operations that follow are started at once; if the lists are not
    // valid, the device skips them, and they are carried out again after the answer.
    void refresh_neighbours(Real interval, bool in_any_case, Real over = Real(0));
    void answer_refresh();
    // Makes the lists, after sorting the particles, if the report just read says that either is due; returns whether it
    // was.
    bool renew_lists(Real interval, bool in_any_case, Real over);
    [[nodiscard]] bool waits_for_refresh(OperationKind kind) const;
    template <class Op>
    [[nodiscard]] bool swaps_buffers() const
    {
        if constexpr (requires { Op::swaps_buffers(Physics{}); }) return Op::swaps_buffers(shared_.physics);
        else return false;
    }
    // The address of maximum m of a pass over dry walls, by the sequence of states (core/neighbours/dry_walls.hpp).
    [[nodiscard]] unsigned long long* of_dry_walls(OperationKind kind, int m, std::size_t sequence)
    {
        return largest_of_dry_.data() + (sequence * operation_count + static_cast<std::size_t>(kind)) * most_maxima + m;
    }
    [[nodiscard]] const unsigned long long* of_other_sequence(const unsigned long long* one) const
    {
        constexpr std::size_t of_a_sequence = operation_count * most_maxima;
        if (one == nullptr) return nullptr;
        return one < largest_of_dry_.data() + of_a_sequence ? one + of_a_sequence : one - of_a_sequence;
    }
    void rebuild();
    [[nodiscard]] bool stores_neighbours() const { return settings_.neighbours != NeighbourStorage::none; }
    [[nodiscard]] KeptNeighbours kept_neighbours() const;
    [[nodiscard]] bool has_lists() const
    {
        const KeptNeighbours kept = kept_neighbours();
        return kept == KeptNeighbours::lists || kept == KeptNeighbours::compact;
    }
    // The search has folded coordinates.
    [[nodiscard]] bool can_assume_course() const
    {
        return stores_neighbours() && follows_courses_ && has_courses<Policy>(constants_.domain.physics);
    }
    [[nodiscard]] CourseView<Real> course_view(Real interval) const;
    // Calls act() with memory lent by fields that are invalid during a rebuild.
    template <class Act>
    void with_lent_memory(const Act& act)
    {
        sorting_.borrow(buffers_);
        act();
        sorting_.give_back(buffers_, count_);
        particles_ = view_of(buffers_);
    }
    // Sorts the particles unless no particle of any rank is in another cell; returns whether it has.
    bool sort_particles();
    void find_neighbours();
    void make_lists();
    // Stores no lists from now on, but `instead`.
    void keep_instead(NeighbourStorage instead, const char* why);
    void tag_particles() { ranges_.tag(buffers_.cell.data(), buffers_.kind.data(), count_, stream_); }
    void read_report()
    {
        report_.read(device_report_.data(), {}, stream_, [this] { read_clock(); });
    }
    // Throws SimulationBroke if a kernel has found a broken rule. Otherwise each of the maxima becomes that of all
    // ranks.
    template <std::size_t N>
    void check_rules(Real interval, std::array<double, N>& maxima);
    void check_rules(Real interval)
    {
        std::array<double, 0> none{};
        check_rules(interval, none);
    }
    [[nodiscard]] PairData<Real> data();
    [[nodiscard]] NeighboursView neighbours_view() const;
    [[nodiscard]] static bool has_room(std::size_t bytes);  // beside what others need
    [[nodiscard]] unsigned blocks() const { return blocks_for(count_, settings_.block); }

    OnDevice on_device_;
    CudaSettings settings_;
    PairConstants<Real> shared_;
    Reach reach_;
    EntryFormat format_;
    Real stored_reach2_;
    Real searched_reach2_;
    std::size_t count_;
    Stream stream_;
    std::unique_ptr<Halo> halo_;  // none of an undivided run
    std::unique_ptr<DeviceHalo> device_halo_;
    ExchangedParts exchanged_;
    mutable DeviceVector<std::byte> gathering_;  // own particles of a rank, on their way to the host
    Buffers<Policy, DeviceVector> buffers_;
    ParticleView<Policy> particles_;  // the buffers
    ParticleConstants<Policy, D> constants_;
    SortingMemory sorting_;
    DeviceVector<Pose> poses_;
    std::vector<Pose> poses_here_;
    Order order_;
    Directory directory_;
    Ranges ranges_;
    CellBounds bounds_{};
    std::int32_t largest_id_ = 0;
    DeviceVector<WarpWords> list_words_;
    DeviceVector<ListPlace> list_places_;
    DeviceVector<std::uint32_t> list_lengths_;
    std::string why_no_lists_;  // where they were wanted
    Course course_;             // for which the lists are made
    MirrorLists<Policy, D> mirrors_;
    std::uint64_t mirrors_of_rebuild_ = 0;  // the rebuild after which these lists were made
    DeviceVector<Four<Real>> course_place_;
    DeviceVector<Four<Real>> course_move_;
    bool follows_courses_ = true;
    DryWalls dry_walls_;
    DeviceVector<unsigned long long> largest_of_dry_{2 * operation_count * most_maxima};  // as the bits of doubles
    StartOfMaxima left_{};   // the dry walls' value of each maximum that a pass has left since the last complete()
    StartOfMaxima began_{};  // and with which it has begun, ready for the next pass
    std::array<double, kinds_of_maxima> maxima_{};
    Buffers<Policy, PinnedVector> shown_;  // output fields of a snapshot, while the particles move on
    EventPool events_;
    cudaEvent_t shown_copied_ = events_.take();
    mutable DeviceVector<LedgerBuffer> ledger_{1};
    mutable ProbeSampler probes_;
    DeviceVector<StepReport> device_report_{1};
    PostedReport report_;
    StepLimits limits_;
    std::uint64_t rebuilds_ = 0;
    unsigned long long operations_ = 0;
    struct Executed {
        Operation operation;
        double step;
    };
    struct Refresh {
        Real interval;
        Real over;
        DryWalls dry_walls;           // as they were
        std::vector<Executed> since;  // which the device leaves out if the lists do not serve
    };
    std::optional<Refresh> refresh_;  // not answered yet
    Real last_interval_ = 0;          // of the last operation, to report a broken rule
    bool rule_unseen_ = false;        // an operation has one and its report has not been read

    void read_clock() const;  // of the step that is over, once
    mutable StageClock clock_;
    double seconds_at_last_look_ = 0;
};

}  // namespace halfulp::cuda
