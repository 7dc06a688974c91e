// Neighbour search and sums over neighbours on the CPU: strips of groups, distributed to threads, each processed by the
// pair loops for the chosen number of lanes. All numbers of lanes and threads give the same bits.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "core/backends/cpu/pair_loops.hpp"
#include "core/neighbours/cell_directory.hpp"
#include "core/neighbours/course.hpp"
#include "core/neighbours/dry_walls.hpp"
#include "core/neighbours/groups.hpp"
#include "core/neighbours/reach.hpp"
#include "core/neighbours/shift_table.hpp"
#include "core/particles/buffers.hpp"
#include "kernels/parameters.hpp"

namespace halfulp {

struct PairSettings {
    Parameters<3, float> parameters{};
    Physics physics;
    SmoothingKernel kernel = SmoothingKernel::wendland_c2;
    bool signal_speed = true;              // wanted for a variable step
    int search_cells = 2;                  // support + skin, in cells
    float support = 0;                     // cell sides; lengths in parameters are in units of the state
    std::array<std::int32_t, 3> origin{};  // cell of the case's origin: periods begin there
    std::array<std::int32_t, 3> period{};  // cells; 0: not periodic
    CellPosition centre;                   // of the central force
    int lanes = 1;
    bool stored = true;  // keep neighbour lists between rebuilds, or search in every pass
};

template <class Policy, int D>
class PairEngine {
public:
    using Real = typename Policy::Real;

    // Throws an Error for an unavailable number of lanes.
    explicit PairEngine(const PairSettings& settings);

    // Rebuilds the neighbour lists of all particles, which are in the canonical order; on a rank of several, of its own
    // (core/distribution/halo.hpp).
    void rebuild(Buffers<Policy>& buffers, const std::vector<std::uint8_t>& owned, const WantedPairs<Real>& wanted);
    // Makes stored lists anew for particles that have moved in space since the last rebuild, but not in memory.
    void make_lists(Buffers<Policy>& buffers, const WantedPairs<Real>& wanted);
    // Carries out an operation over pairs for all particles that have lists; returns the maxima that its descriptor
    // names. Throws an Error if it is not compiled for the policy.
    Largest<Real> pass(OperationKind kind, Buffers<Policy>& buffers);
    // Settings of the coming step: see InertialForce, and the poses of the motions while forces are computed.
    void prescribe(const InertialForce& inertial, const Pose* poses)
    {
        inertial_ = inertial;
        poses_ = poses;
    }
    // The particles of each cell at the last neighbour list rebuild.
    [[nodiscard]] const CellDirectory& directory() const { return directory_; }
    [[nodiscard]] int search_cells() const { return settings_.search_cells; }
    // The search radius, squared, of lists of support + skin.
    [[nodiscard]] Real stored_reach_squared() const
    {
        return halfulp::stored_reach_squared<Real>(settings_.parameters, settings_.search_cells);
    }
    // To be called after every operation that is no pass.
    void after(OperationKind kind) { dry_walls_.after(kind); }
    // The cost of each particle's passes, in entries of its list; only particles that have lists are changed.
    void add_work(std::vector<std::uint32_t>& work) const;
    // Bytes held by the neighbour lists.
    [[nodiscard]] std::size_t bytes() const;

private:
    void find_candidates(const PairData<Real>& data, const Four<Real>* moves, const Strip& strip,
                         std::vector<Group>& groups, std::vector<Candidate>& candidates) const;
    template <class Visit>
    Largest<double> over_strips(Visit visit);
    PairData<Real> data_of(Buffers<Policy>& buffers) const;
    [[nodiscard]] std::int64_t wrapped(std::int64_t cell, int axis) const;

    PairSettings settings_;
    InertialForce inertial_;
    const Pose* poses_ = nullptr;
    ShiftTable<Real, D> shifts_;
    const PairLoops<typename Policy::Pairs, D>* loops_;
    CellDirectory directory_;
    std::vector<Strip> strips_;
    DryWalls dry_walls_;
    // The maxima over dry walls, by sequence of states and operation, from the last pass that visited them.
    std::array<std::array<Largest<double>, operation_count>, 2> largest_of_dry_{};
};

// The usual, generally fastest number of lanes: 8 floats, 4 doubles. AVX-512's twice as many are no faster where
// measured (a 512-bit division and square root take twice as long, and more lanes stand idle); --lanes can select them.
template <class Policy>
constexpr int usual_lanes = std::is_arithmetic_v<typename Policy::Real> ? 32 / sizeof(typename Policy::Real) : 1;

template <class Policy, int D>
std::unique_ptr<PairEngine<Policy, D>> make_pair_engine(const PairSettings& settings)
{
    return std::make_unique<PairEngine<Policy, D>>(settings);
}

}  // namespace halfulp
