// The pair loops of the CPU back end, written once for every number of lanes W, policy, dimension and smoothing kernel.
//
// The lanes of a vector are W consecutive target particles; a candidate neighbour is broadcast to all of them. Each
// lane adds its neighbours in ascending index to one accumulator a component, so no bit depends on W or on the number
// of threads. See pair_loops.hpp for what may be compiled here.
#pragma once

#include "core/backends/cpu/lanes.hpp"
#include "core/backends/cpu/pair_loops.hpp"
#include "kernels/continuity.hpp"
#include "kernels/momentum.hpp"
#include "kernels/time_step.hpp"
#include "precision/position.hpp"
#include "precision/sums.hpp"

namespace halfulp {

template <class Policy, int D, int W>
struct PairLoopBody {
    using Real = typename Policy::Real;
    using T = SimdOrScalar<Real, W>;
    using Sum = typename Policy::template Sum<T>;
    using Data = PairData<Real>;

    // Target particles of one group: where they are, how they move.
    struct Targets {
        FourLanes<T> place;   // x, y, z; pressure term
        FourLanes<T> motion;  // u, v, w; density
        T cells;              // x cell relative to the first lane's

        HALFULP_INLINE Targets(const Data& data, const Group& group)
            : place(load_lanes<T>(data.offset, group.first, group.count)),
              motion(load_lanes<T>(data.velocity, group.first, group.count))
        {
            for (int k = 0; k < W; ++k) {
                const std::uint32_t i = group.first + static_cast<std::uint32_t>(k < group.count ? k : group.count - 1);
                set_lane(cells, k, Real(data.cell[i].x - data.cell[group.first].x));
            }
        }

        // r_ab for the lanes a and one candidate b: (x_a - x_b) + cell difference, in this order
        // (precision/position.hpp).
        HALFULP_INLINE Vec<D, T> separation(const Four<Real>& b, const Four<Real>& shift) const
        {
            Vec<D, T> r;
            r[0] = position_difference(place.x, T(b.x), cells + T(shift.x));
            r[1] = position_difference(place.y, T(b.y), T(shift.y));
            if constexpr (D == 3) r[2] = position_difference(place.z, T(b.z), T(shift.z));
            return r;
        }
    };

    static std::size_t find_candidates(const Data& data, const Group& group, IndexRange range,
                                       std::uint16_t first_shift, Candidate* out)
    {
        const Targets targets(data, group);
        const T reach2(data.reach_squared);
        const unsigned used = (1U << group.count) - 1;
        const std::int32_t reference = data.cell[group.first].x;
        std::size_t found = 0;
        for (std::uint32_t b = range.begin; b < range.end; ++b) {
            const auto code = static_cast<std::uint16_t>(first_shift + (data.cell[b].x - reference));
            const Vec<D, T> r = targets.separation(data.offset[b], data.shifts[code]);
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

    template <class Kernel, bool signal_speed>
    static Real density_rate_as(const Data& data, GroupList list)
    {
        const auto p = data.parameters.template as<D, T>();
        Real fastest = 0;
        for (std::size_t g = 0; g < list.count; ++g) {
            const Group& group = list.groups[g];
            const Targets targets(data, group);
            const Vec<D, T> u = components<D>(targets.motion);
            Sum rate;
            T closing(Real(0));
            for (std::uint32_t e = group.begin; e < group.end; ++e) {
                const Candidate& candidate = list.candidates[e];
                const Vec<D, T> r = targets.separation(data.offset[candidate.index], data.shifts[candidate.shift]);
                const auto pair = continuity_pair<Kernel>(r, u - broadcast<D, T>(data.velocity[candidate.index]),
                                                          p.inverse_smoothing_length);
                rate.add(masked(candidate.lanes, pair.rate));
                if constexpr (signal_speed) {
                    // Only pairs inside the support count: those have a gradient.
                    const T zero(Real(0));
                    const T speed =
                        closing_speed(pair.approach, pair.distance_squared, p.smoothing_length, p.viscous_softening);
                    closing = larger(closing, masked(candidate.lanes, select(pair.gradient_shape < zero, speed, zero)));
                }
            }
            const T total = p.pair_scale * rate.value();
            const T signal = sound_speed(CentredDensity<T>{targets.motion.w}, p.sound_speed) + closing;
            for (int k = 0; k < group.count; ++k) {
                data.rate[group.first + static_cast<std::uint32_t>(k)].w = get_lane(total, k);
                if constexpr (signal_speed) fastest = larger(fastest, get_lane(signal, k));
            }
        }
        return fastest;
    }

    template <class Kernel, bool viscous>
    static Real forces_as(const Data& data, GroupList list)
    {
        const auto p = data.parameters.template as<D, T>();
        Real largest2 = 0;
        for (std::size_t g = 0; g < list.count; ++g) {
            const Group& group = list.groups[g];
            if (group.fluid_lanes == 0) continue;
            const Targets targets(data, group);
            const MomentumState<D, T> a{components<D>(targets.motion), targets.place.w, {targets.motion.w}};
            Sum sums[D];
            // The viscous share serves the energy ledger only; plain sums suffice for it.
            PlainSum<T> viscous_sums[D];
            for (std::uint32_t e = group.begin; e < group.end; ++e) {
                const Candidate& candidate = list.candidates[e];
                const Four<Real>& there = data.offset[candidate.index];
                const Four<Real>& moving = data.velocity[candidate.index];
                const Vec<D, T> r = targets.separation(there, data.shifts[candidate.shift]);
                const MomentumState<D, T> b{broadcast<D, T>(moving), T(there.w), {T(moving.w)}};
                const auto pair = momentum_pair<Kernel, viscous>(r, a, b, p);
                const T total = masked(candidate.lanes, pair.total);
                for (int i = 0; i < D; ++i) sums[i].add(total * r[i]);
                if constexpr (viscous) {
                    const T share = masked(candidate.lanes, pair.viscous);
                    for (int i = 0; i < D; ++i) viscous_sums[i].add(share * r[i]);
                }
            }
            Vec<D, T> acceleration;
            Vec<D, T> viscous_acceleration;
            for (int i = 0; i < D; ++i) {
                acceleration[i] = fma(-p.pair_scale, sums[i].value(), p.gravity[i]);
                viscous_acceleration[i] = -p.pair_scale * viscous_sums[i].value();
            }
            const T size2 = dot(acceleration, acceleration);
            for (int k = 0; k < group.count; ++k) {
                if ((group.fluid_lanes >> k & 1U) == 0) continue;
                const std::uint32_t i = group.first + static_cast<std::uint32_t>(k);
                for (int c = 0; c < D; ++c) data.rate[i][c] = get_lane(acceleration[c], k);
                if constexpr (viscous) {
                    for (int c = 0; c < D; ++c) data.viscous_rate[i][c] = get_lane(viscous_acceleration[c], k);
                }
                largest2 = larger(largest2, get_lane(size2, k));
            }
        }
        return largest2;
    }

    template <class Kernel>
    static Real density_rate_with(const Data& data, GroupList list)
    {
        return data.signal_speed ? density_rate_as<Kernel, true>(data, list)
                                 : density_rate_as<Kernel, false>(data, list);
    }

    template <class Kernel>
    static Real forces_with(const Data& data, GroupList list)
    {
        return data.viscous ? forces_as<Kernel, true>(data, list) : forces_as<Kernel, false>(data, list);
    }

    static Real density_rate(const Data& data, GroupList list)
    {
        return data.kernel == KernelChoice::cubic_spline ? density_rate_with<CubicSpline>(data, list)
                                                         : density_rate_with<WendlandC2>(data, list);
    }

    static Real forces(const Data& data, GroupList list)
    {
        return data.kernel == KernelChoice::cubic_spline ? forces_with<CubicSpline>(data, list)
                                                         : forces_with<WendlandC2>(data, list);
    }

    static constexpr PairLoops<Policy, D> table{W, find_candidates, density_rate, forces};
};

// Defines pair_loops for a policy and dimension: the numbers of lanes compiled for every processor, and AVX-512's.
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
