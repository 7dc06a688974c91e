// The CPU back end for one policy and dimension, except the pair loops, which belong to its engine.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "core/backends/backend.hpp"
#include "core/backends/cpu/mirror_lists.hpp"
#include "core/backends/cpu/pair_engine.hpp"
#include "core/backends/rank_fields.hpp"
#include "core/backends/ranks.hpp"
#include "core/operations/operations.hpp"
#include "core/particles/held_state.hpp"
#include "core/particles/particle_tracking.hpp"

namespace halfulp {

// Settings chosen for this machine; they change no bit of the result.
struct CpuSettings {
    int threads = 1;
    int lanes = 1;
    bool stored = true;  // neighbours
    Cuts cuts{};
    Peers* peers = nullptr;  // of a rank
};

// All particles, or those that a rank holds (core/backends/ranks.hpp).
template <class Policy, int D>
class CpuParticles final : public Backend {
public:
    using Real = typename Policy::Real;
    using PolicyOf = Policy;
    static constexpr int dimensions = D;
    using Settings = CpuSettings;

    CpuParticles(const Problem& problem, const CpuSettings& settings);

    void prescribe(const CourseOfStep& course) override;
    void execute(const Operation& operation, double step) override;
    void complete() override;
    [[nodiscard]] StepLimits limits() const override { return limits_; }
    // Totals over this rank's own particles only; the same holds for samples.
    [[nodiscard]] LedgerTotals ledger_totals() const override
    {
        return of_own([&](const auto& own) { return halfulp::ledger_totals<Policy, D>(own, constants_.domain); });
    }
    [[nodiscard]] std::vector<ProbeTotals> sample(const std::vector<ProbePlace>& places) const override
    {
        return of_own([&](const auto& own) { return probe_totals<Policy, D>(own, constants_.domain, places); });
    }
    [[nodiscard]] Rates rates() const override { return rates_of<Policy, D>(particles_, constants_.domain); }
    [[nodiscard]] SnapshotSource snapshot_source() const override
    {
        return halfulp::snapshot_source<Policy, D>(particles_, constants_.domain);
    }
    [[nodiscard]] std::function<SnapshotSource()> begin_snapshot() override;
    [[nodiscard]] SavedParticles save() const override
    {
        return {rebuilds_, saved_buffers<Policy>(buffers_.contents(), [](const std::byte* from, std::size_t bytes) {
                    return std::span(from, bytes);
                })};
    }
    void restore(const Problem& problem, const SavedParticles& saved) override;
    [[nodiscard]] std::uint64_t rebuilds() const override { return rebuilds_; }
    [[nodiscard]] std::size_t bytes() const override;
    [[nodiscard]] std::uint64_t bytes_sent() const override { return halo_ ? halo_->bytes_sent() : 0; }
    [[nodiscard]] MessageTimes message_times() const override { return message_times_; }
    [[nodiscard]] std::vector<StageTime> stage_times() const override;
    [[nodiscard]] std::string description() const override;

    // For one of several ranks: the number of particles held here, the number of its own, and the time of its passes.
    [[nodiscard]] std::size_t held() const { return buffers_.count(); }
    [[nodiscard]] std::size_t own() const { return halo_->own_indices().size(); }
    [[nodiscard]] double pass_seconds() const
    {
        return seconds_[static_cast<std::size_t>(Stage::density)] + seconds_[static_cast<std::size_t>(Stage::forces)] -
               message_times_.waited;
    }
    // This rank's own particles, with the wanted fields, in the canonical order.
    [[nodiscard]] Buffers<Policy> own_particles(const FieldChoice& wanted) const
    {
        Buffers<Policy> own(buffers_.physics);
        copy_selected(own.used(), buffers_.contents(), halo_->own_indices(), wanted);
        return own;
    }
    // Copies one field, given by its index among all fields, of `count` own particles.
    void copy_own(std::size_t field, std::size_t first, std::size_t count, std::byte* to) const;
    [[nodiscard]] Halo& halo() const { return *halo_; }
    // Replaces the particles by those of a saved state that this rank is to hold, in the canonical order.
    void hold(const HeldState& state);
    [[nodiscard]] const ParticleConstants<Policy, D>& constants() const { return constants_; }
    [[nodiscard]] const Physics& physics() const { return buffers_.physics; }

private:
    template <class Op>
    void carry_out(const Interval<Real>& interval);
    template <class Op>
    void over_particles(const Interval<Real>& interval);
    template <class Op>
    void over_pairs();
    template <class Op>
    void over_images();
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
    // Refreshes the lists before drifts over `interval`, or after past drifts over `over`.
    void refresh_neighbours(Real interval, bool in_any_case, Real over = Real(0));
    void rebuild();
    [[nodiscard]] bool can_assume_course() const
    {
        return settings_.stored && has_courses<Policy>(constants_.domain.physics);
    }
    // The pairs of the coming lists. Each rank has a course of its own, as no bit depends on it.
    [[nodiscard]] WantedPairs<Real> wanted_pairs();
    [[nodiscard]] CourseView<Real> course_view(Real interval) const;
    void sort_particles();
    void prepare_halo(const Problem& problem);
    // Moves particles to the ranks that own or copy their cells now; false if none has to move anywhere.
    bool share_out(bool any_moved);
    void rebuild_at_reference();
    [[nodiscard]] bool is_own(std::size_t i) const { return !halo_ || halo_->owns(i); }
    [[nodiscard]] const std::vector<std::uint8_t>& owned() const
    {
        static const std::vector<std::uint8_t> all;
        return halo_ ? halo_->owned() : all;
    }
    // use(the own particles)
    template <class Use>
    auto of_own(const Use& use) const
    {
        if (!halo_) return use(particles_);
        const Buffers<Policy> own = own_particles(is_any);
        return use(view_of(own));
    }
    // Sends particles to the ranks that are to hold them, and receives. Returns the number of particles now here;
    // `kept` gets the former indices of those that stayed.
    std::size_t redistribute(std::vector<std::uint32_t>& kept);
    [[nodiscard]] std::uint32_t work_without_lists(std::size_t i) const;
    [[nodiscard]] std::vector<std::uint32_t> work_of_own() const;
    // Sends what an operation has written to the copies of own particles.
    template <class Op>
    void exchange();
    // Only the owner books works.
    [[nodiscard]] Interval<Real> of_particle(std::size_t i, Interval<Real> interval) const
    {
        interval.booked = interval.booked && is_own(i);
        return interval;
    }
    [[nodiscard]] ParticleTracking<Policy, D> tracking() const { return {particles_, constants_}; }
    [[nodiscard]] double largest_coordinate() const;  // for policies with global coordinates
    // Throws SimulationBroke if some particle breaks the rule.
    void check(bool kept, Rule rule, Real interval = Real(0)) const;

    CpuSettings settings_;
    std::unique_ptr<Halo> halo_;  // none of an undivided run
    ExchangedParts exchanged_;
    MessageTimes message_times_;
    Buffers<Policy> buffers_;
    ParticleView<Policy> particles_;  // the buffers
    ParticleConstants<Policy, D> constants_;
    SpareBuffers<Policy> sorting_;  // and flags of changed cells: kept between rebuilds
    std::vector<Pose> poses_;
    std::vector<std::uint8_t> moved_;
    std::unique_ptr<PairEngine<Policy, D>> engine_;
    Course course_;  // for which the lists are made
    std::vector<Four<Real>> course_place_;
    std::vector<Four<Real>> course_move_;
    StepLimits limits_;
    std::uint64_t rebuilds_ = 0;
    MirrorLists<Policy, D> mirrors_;
    std::uint64_t mirrors_of_rebuild_ = 0;               // the rebuild after which mirror lists were built
    std::array<double, halfulp::stages + 1> seconds_{};  // the last of what outputs ask for
};

}  // namespace halfulp
