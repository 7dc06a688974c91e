// The CPU back end for one policy and dimension: everything but the pair loops, which its engine does.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <tuple>

#include "core/backends/backend.hpp"
#include "core/backends/cpu/pair_engine.hpp"
#include "kernels/state_equation.hpp"
#include "kernels/vector.hpp"

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

    void execute(const Operation& operation, double step) override;
    [[nodiscard]] StepLimits limits() const override { return limits_; }
    [[nodiscard]] LedgerSums ledger_sums() const override { return halfulp::ledger_sums<Policy, D>(buffers_, frame_); }
    [[nodiscard]] Rates rates() const override { return rates_of<Policy, D>(buffers_, frame_); }
    [[nodiscard]] Snapshot snapshot() const override { return take_snapshot<Policy, D>(buffers_, frame_); }
    [[nodiscard]] std::uint64_t rebuilds() const override { return rebuilds_; }
    [[nodiscard]] std::size_t bytes() const override;
    [[nodiscard]] std::vector<StageTime> stage_times() const override;
    [[nodiscard]] std::string description() const override;

private:
    enum Stage { update, neighbours, density, momentum, stages };

    void load(const Problem& problem);
    void place(const InitialParticle& particle, std::size_t i);
    void offset_from_coordinate(std::size_t i);
    void kick(Real interval);
    void book_kick(std::size_t i, const Vec<D, double>& before, const Vec<D, double>& after, double interval);
    void book_smoothing(Real interval);
    void drift(Real interval);
    void refresh_neighbours(Real interval);
    void rebuild();
    void sort_particles();
    bool settle_in_cell(std::size_t i, Four<std::int32_t>& cell, Four<Real>& offset, Four<Real>& residual) const;
    [[nodiscard]] double displacement_left_by_rounding() const;
    void update_density(Real interval);
    void compute_pressure_terms();

    [[nodiscard]] Real pressure_term_at(const Real& stored_density) const
    {
        return pressure_term_of<Policy>(physics_, stored_density, parameters_.reference_density, parameters_.stiffness);
    }
    [[nodiscard]] bool moves(std::size_t i) const { return buffers_.kind[i] == Kind::fluid || physics_.moving_walls; }
    // The velocity that moves particle i, with XSPH's addition, and what rounding keeps out of it.
    void transport_velocity(std::size_t i, Vec<D, Real>& velocity, Vec<D, Real>& residual) const;

    // Throws SimulationBroke for the particle of smallest id that broken(i) is true for.
    template <class Broken, class Describe>
    void break_down(Broken broken, Describe describe, const char* likely_cause) const;

    Frame frame_;
    Parameters<D, Real> parameters_;
    Real skin_;
    double density_bound_;
    bool limit_tension_;
    Physics physics_;
    bool books_kicks_;  // whether some force's work is booked
    CpuSettings settings_;
    Buffers<Policy> buffers_;
    // One spare of every type of buffer, to sort into, and what changed its cell: kept from one rebuild to the next.
    struct Nothing {};
    using Coordinates = std::conditional_t<Policy::Position::in_double, std::vector<Four<double>>, Nothing>;
    std::tuple<std::vector<Four<Real>>, std::vector<Four<std::int32_t>>, std::vector<Kind>, std::vector<double>,
               Coordinates>
        sorting_;
    std::vector<std::uint8_t> moved_;
    std::unique_ptr<PairEngine<Policy, D>> engine_;
    StepLimits limits_;
    std::uint64_t rebuilds_ = 0;
    std::array<double, stages> seconds_{};
};

}  // namespace halfulp
