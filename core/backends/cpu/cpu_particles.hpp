// The CPU back end for one policy and dimension: everything but the pair loops, which its engine does.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <tuple>

#include "core/backends/backend.hpp"
#include "core/backends/cpu/mirror_lists.hpp"
#include "core/backends/cpu/pair_engine.hpp"

namespace halfulp {

// What was chosen for this machine; changes no bit of the result.
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
    [[nodiscard]] LedgerSums ledger_sums() const override
    {
        return halfulp::ledger_sums<Policy, D>(operations_.particles, operations_.frame);
    }
    [[nodiscard]] std::vector<ProbeSums> sample(const std::vector<ProbePlace>& places) const override
    {
        return probe_sums<Policy, D>(operations_.particles, operations_.frame, places);
    }
    [[nodiscard]] Rates rates() const override { return rates_of<Policy, D>(operations_.particles, operations_.frame); }
    [[nodiscard]] SnapshotSource snapshot_source() const override
    {
        return halfulp::snapshot_source<Policy, D>(operations_.particles, operations_.frame);
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
    enum Stage { update, neighbours, density, momentum, stages };

    void kick(Real interval);
    void book_transport(Real interval);
    void drift(Real interval);
    void move_walls(const Pose* poses);
    void refresh_neighbours(Real interval, bool in_any_case);
    void rebuild();
    void sort_particles();
    [[nodiscard]] double largest_coordinate() const;  // of a policy that has global ones
    void update_density(Real interval);
    void filter_density(Real interval);
    void extrapolate_walls(Real interval);
    void mirror_walls();

    // Throws SimulationBroke if some particle breaks the rule.
    void check(bool kept, Rule rule, Real interval = Real(0)) const;

    CpuSettings settings_;
    Buffers<Policy> buffers_;
    ParticleOperations<Policy, D> operations_;  // on the buffers
    // One spare of every type of buffer, to sort into, and what changed its cell: kept from one rebuild to the next.
    struct Nothing {};
    using Doubles = std::conditional_t<std::is_same_v<Real, double>, Nothing, std::vector<Four<double>>>;
    std::tuple<std::vector<Four<Real>>, std::vector<Four<std::int32_t>>, std::vector<Kind>, std::vector<double>,
               Doubles>
        sorting_;
    std::vector<Pose> poses_;
    std::vector<std::uint8_t> moved_;
    std::unique_ptr<PairEngine<Policy, D>> engine_;
    StepLimits limits_;
    std::uint64_t rebuilds_ = 0;
    MirrorLists<Policy, D> mirrors_;
    std::uint64_t mirrors_of_rebuild_ = 0;  // that they were made after
    std::array<double, stages> seconds_{};
};

}  // namespace halfulp
