// The pair loops of the CPU back end, written once for every number of lanes W, policy, dimension and smoothing kernel.
//
// The lanes of a vector are W consecutive target particles; a candidate neighbour is broadcast to all of them. Each
// lane adds its neighbours in ascending index to one accumulator a component, so no bit depends on W or on the number
// of threads. See pair_loops.hpp for what may be compiled here.
#pragma once

#include "core/backends/cpu/lanes.hpp"
#include "core/backends/cpu/pair_loops.hpp"
#include "kernels/continuity.hpp"
#include "kernels/density_diffusion.hpp"
#include "kernels/momentum.hpp"
#include "kernels/time_step.hpp"
#include "kernels/velocity_smoothing.hpp"
#include "precision/position.hpp"
#include "precision/sums.hpp"

namespace halfulp {

template <class Policy, int D, int W>
struct PairLoopBody {
    using Real = typename Policy::Real;
    using T = SimdOrScalar<Real, W>;
    using Sum = typename Policy::template Sum<T>;
    using Position = typename Policy::Position;
    using Density = typename Policy::Density;
    using Distance = typename Policy::Distance;
    using Data = PairData<Real>;

    // Target particles of one group: where they are, how they move.
    struct Targets {
        FourLanes<T> place;   // x, y, z; pressure term
        FourLanes<T> motion;  // u, v, w; density
        FourLanes<T> rest;    // of the place, where pairs read it
        T cells;              // x cell relative to the first lane's
        T side;

        HALFULP_INLINE Targets(const Data& data, const Group& group)
            : place(load_lanes<T>(data.offset, group.first, group.count)),
              motion(load_lanes<T>(data.velocity, group.first, group.count)), side(Real(data.parameters.cell_side))
        {
            if constexpr (Position::pairs_read_residual)
                rest = load_lanes<T>(data.offset_residual, group.first, group.count);
            for (int k = 0; k < W; ++k) {
                const std::uint32_t i = group.first + static_cast<std::uint32_t>(k < group.count ? k : group.count - 1);
                set_lane(cells, k, Real(data.cell[i].x - data.cell[group.first].x));
            }
        }

        // r_ab for the lanes a and one candidate b: (x_a - x_b) + cell difference, in this order
        // (precision/position.hpp); for global coordinates the second part is that of the residuals, or nothing.
        HALFULP_INLINE Vec<D, T> separation(const Data& data, const Candidate& candidate) const
        {
            const Four<Real>& b = data.offset[candidate.index];
            Vec<D, T> r;
            if constexpr (Position::relative_to_cell) {
                const Four<Real>& shift = data.shifts[candidate.shift];
                r[0] = position_difference(place.x, T(b.x), length(cells + T(shift.x)));
                r[1] = position_difference(place.y, T(b.y), length(T(shift.y)));
                if constexpr (D == 3) r[2] = position_difference(place.z, T(b.z), length(T(shift.z)));
            } else if constexpr (Position::pairs_read_residual) {
                const Four<Real>& c = data.offset_residual[candidate.index];
                r[0] = position_difference(place.x, T(b.x), rest.x - T(c.x));
                r[1] = position_difference(place.y, T(b.y), rest.y - T(c.y));
                if constexpr (D == 3) r[2] = position_difference(place.z, T(b.z), rest.z - T(c.z));
            } else {
                r = components<D>(place) - broadcast<D, T>(b);
            }
            return r;
        }

        // Cell differences are whole numbers until here, so that no bit depends on how lanes are grouped.
        HALFULP_INLINE T length(const T& cell_difference) const
        {
            if constexpr (Policy::Units::cell_is_one) return cell_difference;
            else return cell_difference * side;
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
            const Vec<D, T> r = targets.separation(data, {b, 0, code});
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

    static HALFULP_INLINE CentredDensity<T> centred(const Parameters<D, T>& p, const T& stored)
    {
        return Density::centred(stored, p.reference_density);
    }

    // XSPH's addition to the fluid's velocity, from fluid neighbours.
    template <class Kernel>
    static Real smooth_velocity_with(const Data& data, GroupList list)
    {
        const auto p = data.parameters.template as<D, T>();
        for (std::size_t g = 0; g < list.count; ++g) {
            const Group& group = list.groups[g];
            if (group.fluid_lanes == 0) continue;
            const Targets targets(data, group);
            const Vec<D, T> u = components<D>(targets.motion);
            Sum sums[D];
            for (std::uint32_t e = group.begin; e < group.end; ++e) {
                const Candidate& candidate = list.candidates[e];
                if (data.kind[candidate.index] != Kind::fluid) continue;
                const Four<Real>& moving = data.velocity[candidate.index];
                const Vec<D, T> r = targets.separation(data, candidate);
                const T w = Kernel::shape(square_root(dot(r, r)) * p.inverse_smoothing_length);
                const T weight =
                    masked(candidate.lanes, smoothing_weight(w, centred(p, targets.motion.w), centred(p, T(moving.w))));
                const Vec<D, T> difference = u - broadcast<D, T>(moving);
                for (int i = 0; i < D; ++i) sums[i].add(weight * difference[i]);
            }
            for (int i = 0; i < D; ++i) {
                const T addition = -p.smoothing_scale * sums[i].value();
                for_fluid_lanes(group, [&](int k, std::uint32_t a) { data.smoothing[a][i] = get_lane(addition, k); });
            }
        }
        return 0;
    }

    template <class Kernel>
    static Real density_gradient_with(const Data& data, GroupList list)
    {
        const auto p = data.parameters.template as<D, T>();
        for (std::size_t g = 0; g < list.count; ++g) {
            const Group& group = list.groups[g];
            const Targets targets(data, group);
            Sum matrix_sums[triangle<D>];
            Sum sums[D];
            for (std::uint32_t e = group.begin; e < group.end; ++e) {
                const Candidate& candidate = list.candidates[e];
                const Vec<D, T> r = targets.separation(data, candidate);
                const T f = masked(candidate.lanes,
                                   Kernel::gradient_shape(square_root(dot(r, r)) * p.inverse_smoothing_length));
                const T difference =
                    density_difference(centred(p, targets.motion.w), centred(p, T(data.velocity[candidate.index].w)));
                int element = 0;
                for (int i = 0; i < D; ++i) {
                    const T scaled = f * r[i];
                    sums[i].add(difference * scaled);
                    for (int j = i; j < D; ++j) matrix_sums[element++].add(scaled * r[j]);
                }
            }
            T matrix[triangle<D>];
            for (int k = 0; k < triangle<D>; ++k) matrix[k] = -p.pair_scale * matrix_sums[k].value();
            Vec<D, T> gradient;
            for (int i = 0; i < D; ++i) gradient[i] = p.pair_scale * sums[i].value();
            gradient = renormalised_gradient(matrix, gradient);
            for (int k = 0; k < group.count; ++k) {
                Four<Real>& out = data.density_gradient[group.first + static_cast<std::uint32_t>(k)];
                for (int i = 0; i < D; ++i) out[i] = get_lane(gradient[i], k);
            }
        }
        return 0;
    }

    // The velocity that moves particle b, with XSPH's addition.
    static HALFULP_INLINE Vec<D, T> transport_velocity(const Data& data, const Physics& physics, std::uint32_t b)
    {
        Vec<D, T> u = broadcast<D, T>(data.velocity[b]);
        if (physics.velocity_smoothing) {
            const Vec<D, T> addition = broadcast<D, T>(data.smoothing[b]);
            for (int i = 0; i < D; ++i) u[i] = u[i] + addition[i];
        }
        return u;
    }

    // psi_ab of the chosen density diffusion.
    static HALFULP_INLINE T diffused_difference(const Data& data, const Physics& physics, const Parameters<D, T>& p,
                                                T inverse_stiffness, CentredDensity<T> a, const Vec<D, T>& gradient_a,
                                                std::uint32_t b, const Vec<D, T>& r)
    {
        const T difference = density_difference(a, centred(p, T(data.velocity[b].w)));
        if (physics.density_diffusion == DensityDiffusion::fourtakas) {
            T along = p.gravity[0] * r[0];
            for (int i = 1; i < D; ++i) along = fma(p.gravity[i], r[i], along);
            return difference - hydrostatic_difference(physics.state_equation, along, inverse_stiffness);
        }
        if (physics.density_diffusion == DensityDiffusion::antuono)
            return difference - linear_difference(gradient_a, broadcast<D, T>(data.density_gradient[b]), r);
        return difference;
    }

    template <class Kernel, bool signal_speed, bool general>
    static Real density_rate_as(const Data& data, GroupList list)
    {
        const Physics physics = general ? data.physics : Physics{};
        const bool diffusion = physics.density_diffusion != DensityDiffusion::none;
        const auto p = data.parameters.template as<D, T>();
        const T inverse_stiffness = constant<T>(1) / p.stiffness;
        Real fastest = 0;
        for (std::size_t g = 0; g < list.count; ++g) {
            const Group& group = list.groups[g];
            const Targets targets(data, group);
            const CentredDensity<T> s = centred(p, targets.motion.w);
            Vec<D, T> u = components<D>(targets.motion);
            if (physics.velocity_smoothing) {
                const auto addition = components<D>(load_lanes<T>(data.smoothing, group.first, group.count));
                for (int i = 0; i < D; ++i) u[i] = u[i] + addition[i];
            }
            Vec<D, T> gradient{};
            if (physics.density_diffusion == DensityDiffusion::antuono)
                gradient = components<D>(load_lanes<T>(data.density_gradient, group.first, group.count));
            Sum rate;
            Sum diffused;
            T closing(Real(0));
            for (std::uint32_t e = group.begin; e < group.end; ++e) {
                const Candidate& candidate = list.candidates[e];
                const std::uint32_t b = candidate.index;
                const Vec<D, T> r = targets.separation(data, candidate);
                const auto pair = continuity_pair<Kernel, Distance>(r, u - transport_velocity(data, physics, b),
                                                                    p.inverse_smoothing_length);
                const CentredDensity<T> s_b = centred(p, T(data.velocity[b].w));
                rate.add(masked(candidate.lanes, continuity_share(physics.formulation, pair.rate, s_b)));
                if (diffusion) {
                    const T psi = diffused_difference(data, physics, p, inverse_stiffness, s, gradient, b, r);
                    diffused.add(masked(candidate.lanes, diffusion_pair(psi, pair.distance_squared, pair.gradient_shape,
                                                                        p.viscous_softening)));
                }
                if constexpr (signal_speed) {
                    // Only pairs inside the support count: those have a gradient.
                    const T zero(Real(0));
                    const T speed =
                        closing_speed(pair.approach, pair.distance_squared, p.smoothing_length, p.viscous_softening);
                    closing = larger(closing, masked(candidate.lanes, select(pair.gradient_shape < zero, speed, zero)));
                }
            }
            T total = continuity_total(physics.formulation, rate.value(), s, p.pair_scale);
            const T share = (p.pair_scale * p.density_diffusion) * diffused.value();
            if (diffusion) total = total + share;
            const T stored_rate = Density::rate(total, p.reference_density);
            const T signal = sound_speed(data.physics.state_equation, s, p.sound_speed) + closing;
            for (int k = 0; k < group.count; ++k) {
                const std::uint32_t a = group.first + static_cast<std::uint32_t>(k);
                data.rate[a].w = get_lane(stored_rate, k);
                if (diffusion) data.diffusion_rate[a] = static_cast<double>(get_lane(share, k));
                if constexpr (signal_speed) fastest = larger(fastest, get_lane(signal, k));
            }
        }
        return fastest;
    }

    // Gravity and the central force.
    static HALFULP_INLINE Vec<D, T> body_force(const Data& data, const Physics& physics, const Parameters<D, T>& p,
                                               const Targets& targets, const Group& group)
    {
        Vec<D, T> force;
        for (int i = 0; i < D; ++i) force[i] = p.gravity[i];
        if (!physics.central_force) return force;
        const Vec<D, T> offset = components<D>(targets.place);
        for (int i = 0; i < D; ++i) {
            const auto axis = static_cast<std::size_t>(i);
            const auto side = static_cast<double>(data.parameters.cell_side);
            const auto centre_offset = static_cast<double>(data.centre.offset[axis]);
            T distance;
            if constexpr (Position::relative_to_cell) {
                T cells;
                for (int k = 0; k < W; ++k) {
                    const std::uint32_t a =
                        group.first + static_cast<std::uint32_t>(k < group.count ? k : group.count - 1);
                    set_lane(cells, k, Real(std::int64_t(data.cell[a][i]) - data.centre.cell[axis]));
                }
                const auto centre = constant<T>(centre_offset * side);
                distance = position_difference(offset[i], centre, targets.length(cells));
            } else {
                distance = offset[i] - constant<T>((data.centre.cell[axis] + centre_offset) * side);
            }
            force[i] = fma(-p.central_stiffness, distance, force[i]);
        }
        return force;
    }

    // Which of the pair forces are compiled for themselves, and all of them together.
    enum class Forces { pressure, artificial_viscosity, general };

    static constexpr HALFULP_INLINE Physics physics_of(Forces forces, const Physics& chosen)
    {
        if (forces == Forces::general) return chosen;
        Physics physics;
        physics.artificial_viscosity = forces == Forces::artificial_viscosity;
        physics.central_force = chosen.central_force;
        return physics;
    }

    template <class Kernel, Forces which>
    static Real forces_as(const Data& data, GroupList list)
    {
        const Physics physics = physics_of(which, data.physics);
        const bool laminar = physics.laminar_viscosity != LaminarViscosity::none;
        const bool across = physics.laminar_viscosity == LaminarViscosity::morris;
        const auto p = data.parameters.template as<D, T>();
        Real largest2 = 0;
        for (std::size_t g = 0; g < list.count; ++g) {
            const Group& group = list.groups[g];
            if (group.fluid_lanes == 0 && !physics.moving_walls) continue;
            const Targets targets(data, group);
            const MomentumState<D, T> a{components<D>(targets.motion), targets.place.w, centred(p, targets.motion.w)};
            Sum sums[D];
            // The shares serve the energy ledger only; plain sums suffice for them.
            PlainSum<T> artificial_sums[D];
            PlainSum<T> laminar_sums[D];
            PlainSum<T> tensile_sums[D];
            for (std::uint32_t e = group.begin; e < group.end; ++e) {
                const Candidate& candidate = list.candidates[e];
                const Four<Real>& there = data.offset[candidate.index];
                const Four<Real>& moving = data.velocity[candidate.index];
                const Vec<D, T> r = targets.separation(data, candidate);
                const MomentumState<D, T> b{broadcast<D, T>(moving), T(there.w), centred(p, T(moving.w))};
                const auto pair = momentum_pair<Kernel, Distance>(physics, r, a, b, p);
                const T along = masked(candidate.lanes, pair.along);
                if (across) {
                    const T sideways = masked(candidate.lanes, pair.across);
                    const Vec<D, T> u = a.velocity - b.velocity;
                    for (int i = 0; i < D; ++i) sums[i].add(fma(sideways, u[i], along * r[i]));
                    for (int i = 0; i < D; ++i) laminar_sums[i].add(sideways * u[i]);
                } else {
                    for (int i = 0; i < D; ++i) sums[i].add(along * r[i]);
                    if (laminar) {
                        const T share = masked(candidate.lanes, pair.laminar);
                        for (int i = 0; i < D; ++i) laminar_sums[i].add(share * r[i]);
                    }
                }
                if (physics.artificial_viscosity) {
                    const T share = masked(candidate.lanes, pair.artificial);
                    for (int i = 0; i < D; ++i) artificial_sums[i].add(share * r[i]);
                }
                if (physics.tensile_correction) {
                    const T share = masked(candidate.lanes, pair.tensile);
                    for (int i = 0; i < D; ++i) tensile_sums[i].add(share * r[i]);
                }
            }
            Vec<D, T> acceleration = body_force(data, physics, p, targets, group);
            if (physics.moving_walls) {  // on them only the fluid's force counts, for their work
                for (int k = 0; k < group.count; ++k) {
                    if ((group.fluid_lanes >> k & 1U) != 0) continue;
                    for (int i = 0; i < D; ++i) set_lane(acceleration[i], k, Real(0));
                }
            }
            for (int i = 0; i < D; ++i) acceleration[i] = fma(-p.pair_scale, sums[i].value(), acceleration[i]);
            const T size2 = dot(acceleration, acceleration);
            for_fluid_lanes(group, [&](int k, std::uint32_t) { largest2 = larger(largest2, get_lane(size2, k)); });
            const unsigned lanes = physics.moving_walls ? (1U << group.count) - 1 : group.fluid_lanes;
            store(lanes, group, acceleration, data.rate);
            if (physics.artificial_viscosity)
                store_share(lanes, group, p.pair_scale, artificial_sums, data.artificial_rate);
            if (laminar) store_share(lanes, group, p.pair_scale, laminar_sums, data.laminar_rate);
            if (physics.tensile_correction) store_share(lanes, group, p.pair_scale, tensile_sums, data.tensile_rate);
        }
        return largest2;
    }

    // Calls use(lane, particle) for the lanes that are fluid.
    template <class Use>
    static HALFULP_INLINE void for_fluid_lanes(const Group& group, Use use)
    {
        for (int k = 0; k < group.count; ++k) {
            if ((group.fluid_lanes >> k & 1U) != 0) use(k, group.first + static_cast<std::uint32_t>(k));
        }
    }

    static HALFULP_INLINE void store(unsigned lanes, const Group& group, const Vec<D, T>& value, Four<Real>* out)
    {
        for (int k = 0; k < group.count; ++k) {
            if ((lanes >> k & 1U) == 0) continue;
            for (int c = 0; c < D; ++c) out[group.first + static_cast<std::uint32_t>(k)][c] = get_lane(value[c], k);
        }
    }

    static HALFULP_INLINE void store_share(unsigned lanes, const Group& group, const T& pair_scale,
                                           const PlainSum<T> (&sums)[D], Four<Real>* out)
    {
        Vec<D, T> share;
        for (int i = 0; i < D; ++i) share[i] = -pair_scale * sums[i].value();
        store(lanes, group, share, out);
    }

    template <class Kernel>
    static Real density_rate_with(const Data& data, GroupList list)
    {
        if constexpr (Policy::every_physics) {
            const bool general = data.physics.formulation != Formulation::mass_weighted ||
                                 data.physics.density_diffusion != DensityDiffusion::none ||
                                 data.physics.velocity_smoothing;
            if (general)
                return data.signal_speed ? density_rate_as<Kernel, true, true>(data, list)
                                         : density_rate_as<Kernel, false, true>(data, list);
        }
        return data.signal_speed ? density_rate_as<Kernel, true, false>(data, list)
                                 : density_rate_as<Kernel, false, false>(data, list);
    }

    template <class Kernel>
    static Real forces_with(const Data& data, GroupList list)
    {
        Physics rest = data.physics;  // what the special passes do not see
        rest.artificial_viscosity = false;
        rest.density_diffusion = DensityDiffusion::none;
        rest.velocity_smoothing = false;
        rest.driven = false;
        rest.central_force = false;  // not a matter of pairs
        if (!data.physics.artificial_viscosity) rest.state_equation = StateEquation::tait;
        if constexpr (Policy::every_physics) {
            if (rest != Physics{}) return forces_as<Kernel, Forces::general>(data, list);
        }
        return data.physics.artificial_viscosity ? forces_as<Kernel, Forces::artificial_viscosity>(data, list)
                                                 : forces_as<Kernel, Forces::pressure>(data, list);
    }

    // The kernel in the form that the policy evaluates it in.
    template <class Kernel>
    using Form = typename Policy::Kernels::template Of<Kernel>;

    static Real smooth_velocity(const Data& data, GroupList list)
    {
        if constexpr (!Policy::every_physics) return 0;
        else
            return with_kernel(data.kernel,
                               [&](auto k) { return smooth_velocity_with<Form<decltype(k)>>(data, list); });
    }
    static Real density_gradient(const Data& data, GroupList list)
    {
        if constexpr (!Policy::every_physics) return 0;
        else
            return with_kernel(data.kernel,
                               [&](auto k) { return density_gradient_with<Form<decltype(k)>>(data, list); });
    }
    static Real density_rate(const Data& data, GroupList list)
    {
        return with_kernel(data.kernel, [&](auto k) { return density_rate_with<Form<decltype(k)>>(data, list); });
    }
    static Real forces(const Data& data, GroupList list)
    {
        return with_kernel(data.kernel, [&](auto k) { return forces_with<Form<decltype(k)>>(data, list); });
    }

    static constexpr PairLoops<Policy, D> table{W,     find_candidates, smooth_velocity, density_gradient, density_rate,
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
