// The pair loops of the CPU back end, written once for every number of lanes W, policy, dimension and smoothing kernel.
//
// The lanes of a vector are W consecutive target particles; a candidate neighbour is broadcast to all of them. See
// pair_loops.hpp for restrictions on code compiled here.
#pragma once

#include "core/backends/cpu/pair_loops.hpp"
#include "core/operations/operations.hpp"
#include "precision/simd.hpp"

namespace halfulp {

template <class Policy, int D, int W>
struct PairLoopBody {
    using Real = typename Policy::Real;
    using T = SimdOrScalar<Real, W>;
    using Data = PairData<Real>;
    using List = GroupList<Real>;
    using Place = Targets<Policy, D, T>;

    static std::size_t find_candidates(const Data& data, const Four<Real>* moves, const Four<Real>* shifts,
                                       const Group& group, IndexRange range, std::uint16_t first_shift, Candidate* out)
    {
        if (moves == nullptr) {
            const T reach2(data.reach_squared);
            return find_near(data, shifts, group, range, first_shift, out,
                             [&](std::uint32_t /*b*/, const Vec<D, T>& r) { return dot(r, r) < reach2; });
        }
        // Of two particles that move by m relative to each other, r apart halfway, the square of the shortest distance
        // is at least r^2 - |r m|.
        const FourLanes<T> course = load_lanes<T>(moves, group.first, group.count);
        const Vec<D, T> own = components<D>(course);
        const T own_reach = square_root(T(data.reach_squared)) + course.w;
        return find_near(data, shifts, group, range, first_shift, out, [&](std::uint32_t b, Vec<D, T> r) {
            const Vec<D, T> move = own - broadcast<D, T>(moves[b]);
            for (int c = 0; c < D; ++c) r[c] = r[c] + constant<T>(0.5) * move[c];
            const T reach = own_reach + T(moves[b].w);
            return dot(r, r) - magnitude(dot(r, move)) < reach * reach;
        });
    }

    // is_near(candidate, separation) tests the candidate for all lanes.
    template <class IsNear>
    static std::size_t find_near(const Data& data, const Four<Real>* shifts, const Group& group, IndexRange range,
                                 std::uint16_t first_shift, Candidate* out, IsNear is_near)
    {
        const Place targets(data, Real(data.parameters.cell_side), group);
        const unsigned used = (1U << group.count) - 1;
        const std::int32_t reference = data.cell[group.first].x;
        std::size_t found = 0;
        for (std::uint32_t b = range.begin; b < range.end; ++b) {
            const auto code = static_cast<std::uint16_t>(first_shift + (data.cell[b].x - reference));
            const Vec<D, T> r = targets.separation(data, b, data.offset[b], shifts[code]);
            unsigned lanes = used;
            if (data.kind[b] == Kind::wall) lanes &= group.fluid_lanes;
            if (b - group.first < group.count) lanes &= ~(1U << (b - group.first));
            if constexpr (W == 1) lanes = is_near(b, r) ? lanes : 0;
            else lanes &= bits_from_mask(is_near(b, r));
            // Always written, and kept if a lane needs it: cheaper than an unpredictable branch.
            out[found] = {b, static_cast<std::uint16_t>(lanes), code};
            found += lanes != 0 ? 1 : 0;
        }
        return found;
    }

    // The maxima over the targets of a pass.
    template <class Pass>
    static Largest<Real> drive(const Data& data, List list)
    {
        const Pass pass(data);
        Largest<Real> largest;
        for (std::size_t g = 0; g < list.count; ++g) {
            const Group& group = list.groups[g];
            if (!pass.wants(group)) continue;
            auto targets = pass.begin(group);
            for (std::uint32_t e = group.begin; e < group.end; ++e) {
                const Candidate& candidate = list.candidates[e];
                const Four<Real>& there = data.offset[candidate.index];
                const bool wall = data.kind[candidate.index] == Kind::wall;
                pass.add(targets, Neighbour<D, T>{candidate.index, candidate.lanes, wall, there,
                                                  targets.place.separation(data, candidate.index, there,
                                                                           list.shifts[candidate.shift])});
            }
            largest = larger(largest, Largest<Real>(pass.finish(targets, group)));
        }
        return largest;
    }

    template <class Operation>
    static Largest<Real> pass(const Data& data, List list)
    {
        return with_pass_of<Operation, Policy, D, T>(
            data, [&](auto chosen) { return drive<typename decltype(chosen)::type>(data, list); });
    }

    using Loop = Largest<Real> (*)(const Data&, List);
    template <class Operation>
    static constexpr Loop loop_of()
    {
        if constexpr (Operation::info.target == TargetOfOperation::pairs) {
            if constexpr (Policy::every_physics || Operation::in_every_policy) return pass<Operation>;
        }
        return nullptr;
    }
    template <class... Operation>
    static constexpr PairLoops<Policy, D> table_of(OperationList<Operation...> /*list*/)
    {
        return {W, find_candidates, {loop_of<Operation>()...}};
    }

    static constexpr PairLoops<Policy, D> table = table_of(Operations{});
};

// Defines pair_loops for a policy and dimension: one lane alone; or one lane and the usual number, without those that
// more_lanes.hpp adds.
#define HALFULP_DEFINE_SCALAR_PAIR_LOOPS(Policy, D)                       \
    template <>                                                           \
    const PairLoops<Policy, D>* pair_loops<Policy, D>(int lanes)          \
    {                                                                     \
        return lanes == 1 ? &PairLoopBody<Policy, D, 1>::table : nullptr; \
    }
#define HALFULP_DEFINE_TWO_PAIR_LOOPS(Policy, D, usual)                      \
    template <>                                                              \
    const PairLoops<Policy, D>* pair_loops<Policy, D>(int lanes)             \
    {                                                                        \
        if (lanes == (usual)) return &PairLoopBody<Policy, D, usual>::table; \
        return lanes == 1 ? &PairLoopBody<Policy, D, 1>::table : nullptr;    \
    }
}  // namespace halfulp
