// The pair loops of the CPU back end, written once for every number of lanes W, policy, dimension and smoothing kernel.
//
// The lanes of a vector are W consecutive target particles; a candidate neighbour is broadcast to all of them. See
// pair_loops.hpp for what may be compiled here.
#pragma once

#include "core/backends/cpu/pair_loops.hpp"
#include "core/backends/density_filter.hpp"
#include "core/backends/pair_passes.hpp"
#include "core/backends/particle_shifting.hpp"
#include "core/backends/wall_extrapolation.hpp"
#include "precision/simd.hpp"

namespace halfulp {

template <class Policy, int D, int W>
struct PairLoopBody {
    using Real = typename Policy::Real;
    using T = SimdOrScalar<Real, W>;
    using Data = PairData<Real>;
    using List = GroupList<Real>;
    using Place = Targets<Policy, D, T>;

    static std::size_t find_candidates(const Data& data, const Four<Real>* shifts, const Group& group, IndexRange range,
                                       std::uint16_t first_shift, Candidate* out)
    {
        const Place targets(data, group);
        const T reach2(data.reach_squared);
        const unsigned used = (1U << group.count) - 1;
        const std::int32_t reference = data.cell[group.first].x;
        std::size_t found = 0;
        for (std::uint32_t b = range.begin; b < range.end; ++b) {
            const auto code = static_cast<std::uint16_t>(first_shift + (data.cell[b].x - reference));
            const Vec<D, T> r = targets.separation(data, b, data.offset[b], shifts[code]);
            unsigned lanes = used;
            if (data.kind[b] == Kind::wall) lanes &= group.fluid_lanes;
            if (b - group.first < group.count) lanes &= ~(1U << (b - group.first));
            if constexpr (W == 1) lanes = dot(r, r) < reach2 ? lanes : 0;
            else lanes &= bits_from_mask(dot(r, r) < reach2);
            // Written always and kept if a lane has it: cheaper than a branch that goes either way.
            out[found] = {b, static_cast<std::uint16_t>(lanes), code};
            found += lanes != 0 ? 1 : 0;
        }
        return found;
    }

    // The largest of what a pass says of its targets.
    template <class Pass>
    static Real drive(const Data& data, List list)
    {
        const Pass pass(data);
        Real largest = 0;
        for (std::size_t g = 0; g < list.count; ++g) {
            const Group& group = list.groups[g];
            if (!pass.wants(group)) continue;
            auto targets = pass.begin(group);
            for (std::uint32_t e = group.begin; e < group.end; ++e) {
                const Candidate& candidate = list.candidates[e];
                const Four<Real>& there = data.offset[candidate.index];
                pass.add(targets, Neighbour<D, T>{candidate.index, candidate.lanes, there,
                                                  targets.place.separation(data, candidate.index, there,
                                                                           list.shifts[candidate.shift])});
            }
            largest = larger(largest, pass.finish(targets, group));
        }
        return largest;
    }

    static Real smooth_velocity(const Data& data, List list)
    {
        if constexpr (!Policy::every_physics) return 0;
        else
            return with_velocity_smoothing<Policy, D, T>(
                data, [&](auto pass) { return drive<typename decltype(pass)::type>(data, list); });
    }
    static Real shift_particles(const Data& data, List list)
    {
        if constexpr (!Policy::every_physics) return 0;
        else
            return with_particle_shifting<Policy, D, T>(
                data, [&](auto pass) { return drive<typename decltype(pass)::type>(data, list); });
    }
    static Real density_gradient(const Data& data, List list)
    {
        if constexpr (!Policy::every_physics) return 0;
        else
            return with_density_gradient<Policy, D, T>(
                data, [&](auto pass) { return drive<typename decltype(pass)::type>(data, list); });
    }
    static Real filter_density(const Data& data, List list)
    {
        if constexpr (!Policy::every_physics) return 0;
        else
            return with_density_filter<Policy, D, T>(
                data, [&](auto pass) { return drive<typename decltype(pass)::type>(data, list); });
    }
    static Real extrapolate_walls(const Data& data, List list)
    {
        if constexpr (!Policy::every_physics) return 0;
        else
            return with_wall_extrapolation<Policy, D, T>(
                data, [&](auto pass) { return drive<typename decltype(pass)::type>(data, list); });
    }
    static Real density_rate(const Data& data, List list)
    {
        return with_density_rate<Policy, D, T>(
            data, [&](auto pass) { return drive<typename decltype(pass)::type>(data, list); });
    }
    static Real forces(const Data& data, List list)
    {
        return with_acceleration<Policy, D, T>(
            data, [&](auto pass) { return drive<typename decltype(pass)::type>(data, list); });
    }

    static constexpr PairLoops<Policy, D> table{W,
                                                find_candidates,
                                                smooth_velocity,
                                                shift_particles,
                                                density_gradient,
                                                filter_density,
                                                extrapolate_walls,
                                                density_rate,
                                                forces};
};

// Defines pair_loops for a policy and dimension: one lane alone; two numbers of lanes; those compiled for every
// processor and AVX-512's.
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
#define HALFULP_DEFINE_PAIR_LOOPS(Policy, D, narrow, middle, avx512)                            \
    template <>                                                                                 \
    const PairLoops<Policy, D>* pair_loops<Policy, D>(int lanes)                                \
    {                                                                                           \
        if (lanes == 1) return &PairLoopBody<Policy, D, 1>::table;                              \
        if (lanes == (narrow)) return &PairLoopBody<Policy, D, narrow>::table;                  \
        if (lanes == (middle)) return &PairLoopBody<Policy, D, middle>::table;                  \
        if (lanes == (avx512) && processor_has_avx512()) return pair_loops_avx512<Policy, D>(); \
        return nullptr;                                                                         \
    }

}  // namespace halfulp
