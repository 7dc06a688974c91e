// The CPU back end for one policy and dimension, except the pair loops, which belong to its engine.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <tuple>
#include <type_traits>

#include "core/backends/backend.hpp"
#include "core/backends/cpu/mirror_lists.hpp"
#include "core/backends/cpu/pair_engine.hpp"
#include "core/operations/operations.hpp"
#include "core/particles/particle_tracking.hpp"

namespace halfulp {

// Settings chosen for this machine; they change no bit of the result.
struct CpuSettings {
    int threads = 1;
    int lanes = 1;
    bool stored = true;  // neighbours
};

template <class Policy, int D>
class CpuParticles final : public Backend {
public:
    using Real = typename Policy::Real;

    CpuParticles(const Problem& problem, const CpuSettings& settings);

    void prescribe(const CourseOfStep& course) override;
    void execute(const Operation& operation, double step) override;
    void complete() override {}
    [[nodiscard]] StepLimits limits() const override { return limits_; }
    [[nodiscard]] LedgerTotals ledger_totals() const override
    {
        return halfulp::ledger_totals<Policy, D>(particles_, constants_.domain);
    }
    [[nodiscard]] std::vector<ProbeTotals> sample(const std::vector<ProbePlace>& places) const override
    {
        return probe_totals<Policy, D>(particles_, constants_.domain, places);
    }
    [[nodiscard]] Rates rates() const override { return rates_of<Policy, D>(particles_, constants_.domain); }
    [[nodiscard]] SnapshotSource snapshot_source() const override
    {
        return halfulp::snapshot_source<Policy, D>(particles_, constants_.domain);
    }
    [[nodiscard]] std::function<SnapshotSource()> begin_snapshot() override;
    [[nodiscard]] SavedParticles save() const override
    {
        return {rebuilds_, saved_buffers(buffers_, [](const void* from, std::size_t bytes) {
                    return std::span(static_cast<const std::byte*>(from), bytes);
                })};
    }
    void restore(const SavedParticles& saved) override;
    [[nodiscard]] std::uint64_t rebuilds() const override { return rebuilds_; }
    [[nodiscard]] std::size_t bytes() const override;
    [[nodiscard]] std::vector<StageTime> stage_times() const override;
    [[nodiscard]] std::string description() const override;

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
    void serve(std::type_identity<RenewNeighbours>, Real interval) { refresh_neighbours(interval, true); }
    void serve(std::type_identity<RebuildNeighbours>, Real /*interval*/) { rebuild(); }
    void refresh_neighbours(Real interval, bool in_any_case);
    void rebuild();
    void sort_particles();
    [[nodiscard]] ParticleTracking<Policy, D> tracking() const { return {particles_, constants_}; }
    [[nodiscard]] double largest_coordinate() const;  // for policies with global coordinates
    // Throws SimulationBroke if some particle breaks the rule.
    void check(bool kept, Rule rule, Real interval = Real(0)) const;

    CpuSettings settings_;
    Buffers<Policy> buffers_;
    ParticleView<Policy> particles_;  // the buffers
    ParticleConstants<Policy, D> constants_;
    SpareBuffers<Policy> sorting_;  // and flags of changed cells: kept between rebuilds
    std::vector<Pose> poses_;
    std::vector<std::uint8_t> moved_;
    std::unique_ptr<PairEngine<Policy, D>> engine_;
    StepLimits limits_;
    std::uint64_t rebuilds_ = 0;
    MirrorLists<Policy, D> mirrors_;
    std::uint64_t mirrors_of_rebuild_ = 0;               // the rebuild after which mirror lists were built
    std::array<double, halfulp::stages + 1> seconds_{};  // the last of what outputs ask for
};

}  // namespace halfulp
