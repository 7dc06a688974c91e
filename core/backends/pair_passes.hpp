// The passes over pairs, written once for every back end, number of lanes, policy, dimension and smoothing kernel: what
// a target particle keeps while it visits its neighbours, what each of them adds, what becomes of the sums. A back end
// drives a pass: begin for a target, add for each neighbour in ascending index, finish.
//
// T is the number type of one target (a CUDA thread, a scalar loop) or a vector of several, which share their
// candidates; a lane that a candidate does not concern adds an exact zero. Each lane adds to one accumulator a
// component, so no bit depends on the number of lanes or on the back end.
#pragma once

#include "core/backends/pair_pass.hpp"
#include "kernels/continuity.hpp"
#include "kernels/density_diffusion.hpp"
#include "kernels/momentum.hpp"
#include "kernels/time_step.hpp"
#include "kernels/velocity_smoothing.hpp"

namespace halfulp {

// XSPH's addition to the fluid's velocity, from fluid neighbours.
template <class Policy, int D, class T, class Kernel>
struct VelocitySmoothing : PairPass<Policy, D, T> {
    using Base = PairPass<Policy, D, T>;
    using Base::Base, Base::data, Base::p;
    using typename Base::Data, typename Base::Place, typename Base::Real, typename Base::Sum;

    struct Target {
        Place place;
        Vec<D, T> u;
        Sum sums[D];
    };

    HALFULP_INLINE bool wants(const TargetRange& range) const { return range.fluid_lanes != 0; }
    HALFULP_INLINE Target begin(const TargetRange& range) const
    {
        const Place place(data, range);
        return {place, components<D>(place.motion), {}};
    }
    HALFULP_INLINE void add(Target& a, const Neighbour<D, T>& b) const
    {
        if (data.kind[b.index] != Kind::fluid) return;
        const Four<Real> moving = data.velocity[b.index];
        const T w = Kernel::shape(square_root(dot(b.r, b.r)) * p.inverse_smoothing_length);
        const T weight =
            masked(b.lanes, smoothing_weight(w, this->centred(a.place.motion.w), this->centred(T(moving.w))));
        const Vec<D, T> difference = a.u - broadcast<D, T>(moving);
        for (int i = 0; i < D; ++i) a.sums[i].add(weight * difference[i]);
    }
    HALFULP_INLINE Real finish(const Target& a, const TargetRange& range) const
    {
        Vec<D, T> addition;
        for (int i = 0; i < D; ++i) addition[i] = -p.smoothing_scale * a.sums[i].value();
        this->store(range.fluid_lanes, range, addition, data.smoothing);
        return 0;
    }
};

// The renormalised gradient of s.
template <class Policy, int D, class T, class Kernel>
struct DensityGradient : PairPass<Policy, D, T> {
    using Base = PairPass<Policy, D, T>;
    using Base::Base, Base::data, Base::p;
    using typename Base::Data, typename Base::Place, typename Base::Real, typename Base::Sum;

    struct Target {
        Place place;
        Sum matrix[triangle<D>];
        Sum sums[D];
    };

    HALFULP_INLINE bool wants(const TargetRange& /*range*/) const { return true; }
    HALFULP_INLINE Target begin(const TargetRange& range) const { return {Place(data, range), {}, {}}; }
    HALFULP_INLINE void add(Target& a, const Neighbour<D, T>& b) const
    {
        const T f = masked(b.lanes, Kernel::gradient_shape(square_root(dot(b.r, b.r)) * p.inverse_smoothing_length));
        const T difference =
            density_difference(this->centred(a.place.motion.w), this->centred(T(data.velocity[b.index].w)));
        int element = 0;
        for (int i = 0; i < D; ++i) {
            const T scaled = f * b.r[i];
            a.sums[i].add(difference * scaled);
            for (int j = i; j < D; ++j) a.matrix[element++].add(scaled * b.r[j]);
        }
    }
    HALFULP_INLINE Real finish(const Target& a, const TargetRange& range) const
    {
        T matrix[triangle<D>];
        for (int k = 0; k < triangle<D>; ++k) matrix[k] = -p.pair_scale * a.matrix[k].value();
        Vec<D, T> gradient;
        for (int i = 0; i < D; ++i) gradient[i] = p.pair_scale * a.sums[i].value();
        this->store(this->all_lanes(range), range, renormalised_gradient(matrix, gradient), data.density_gradient);
        return 0;
    }
};

// ds/dt, the share of diffusion in it, and the largest signal speed. general: all of Physics, not only pair (i) without
// diffusion and XSPH.
template <class Policy, int D, class T, class Kernel, bool signal_speed, bool general>
struct DensityRate : PairPass<Policy, D, T> {
    using Base = PairPass<Policy, D, T>;
    using Base::data, Base::p;
    using typename Base::Data, typename Base::Place, typename Base::Real, typename Base::Sum;

    Physics physics;
    bool diffusion;
    T inverse_stiffness;

    HALFULP_INLINE explicit DensityRate(const Data& all)
        : Base(all), physics(general ? all.physics : Physics{}),
          diffusion(physics.density_diffusion != DensityDiffusion::none),
          inverse_stiffness(constant<T>(1) / p.stiffness)
    {
    }

    struct Target {
        unsigned fluid_lanes;
        Place place;
        CentredDensity<T> s;
        Vec<D, T> u;
        DiffusionBalance<D, T> balance;  // of Antuono's diffusion the gradient alone
        Sum rate;
        Sum diffused;
        T closing;
    };

    HALFULP_INLINE bool wants(const TargetRange& /*range*/) const { return true; }
    HALFULP_INLINE Target begin(const TargetRange& range) const
    {
        const Place place(data, range);
        Target a{range.fluid_lanes, place, this->centred(place.motion.w), components<D>(place.motion), {}, {}, {},
                 T(Real(0))};
        if (physics.velocity_smoothing) {
            const auto addition = components<D>(load_lanes<T>(data.smoothing, range.first, range.count));
            for (int i = 0; i < D; ++i) a.u[i] = a.u[i] + addition[i];
        }
        if (has_density_gradient(physics)) {
            const auto gradient = load_lanes<T>(data.density_gradient, range.first, range.count);
            a.balance = {components<D>(gradient), gradient.w};
        }
        return a;
    }
    HALFULP_INLINE void add(Target& a, const Neighbour<D, T>& b) const
    {
        const Four<Real> moving = data.velocity[b.index];
        const auto pair = continuity_pair<Kernel, typename Base::Distance>(
            b.r, a.u - transport_velocity(moving, b.index), p.inverse_smoothing_length);
        const CentredDensity<T> s_b = this->centred(T(moving.w));
        a.rate.add(masked(b.lanes, continuity_share(physics.formulation, pair.rate, s_b)));
        if (diffusion) {
            const T psi = diffused_difference(a, b, s_b);
            a.diffused.add(
                masked(b.lanes, diffusion_pair(psi, pair.distance_squared, pair.gradient_shape, p.viscous_softening)));
        }
        if constexpr (signal_speed) {
            // Only pairs inside the support count: those have a gradient.
            const T zero(Real(0));
            const T speed =
                closing_speed(pair.approach, pair.distance_squared, p.smoothing_length, p.viscous_softening);
            a.closing = larger(a.closing, masked(b.lanes, select(pair.gradient_shape < zero, speed, zero)));
        }
    }
    HALFULP_INLINE Real finish(const Target& a, const TargetRange& range) const
    {
        T total = continuity_total(physics.formulation, a.rate.value(), a.s, p.pair_scale);
        const T share = (p.pair_scale * p.density_diffusion) * a.diffused.value();
        if (diffusion) total = total + share;
        const T stored_rate = Base::Density::rate(total, p.reference_density);
        const T signal = sound_speed(data.physics.state_equation, a.s, p.sound_speed) + a.closing;
        Real fastest = 0;
        this->for_lanes(this->all_lanes(range), range, [&](int k, std::uint32_t particle) {
            data.rate[particle].w = get_lane(stored_rate, k);
            if (diffusion) data.diffusion_rate[particle] = static_cast<double>(get_lane(share, k));
            if constexpr (signal_speed) fastest = larger(fastest, get_lane(signal, k));
        });
        return fastest;
    }

private:
    // The velocity that moves particle b, with XSPH's addition.
    HALFULP_INLINE Vec<D, T> transport_velocity(const Four<Real>& moving, std::uint32_t b) const
    {
        Vec<D, T> u = broadcast<D, T>(moving);
        if (physics.velocity_smoothing) {
            const Vec<D, T> addition = broadcast<D, T>(data.smoothing[b]);
            for (int i = 0; i < D; ++i) u[i] = u[i] + addition[i];
        }
        return u;
    }

    // psi_ab of the chosen density diffusion.
    HALFULP_INLINE T diffused_difference(const Target& a, const Neighbour<D, T>& b, CentredDensity<T> s_b) const
    {
        const T difference = density_difference(a.s, s_b);
        if (physics.density_diffusion == DensityDiffusion::fourtakas) {
            T along = p.gravity[0] * b.r[0];
            for (int i = 1; i < D; ++i) along = fma(p.gravity[i], b.r[i], along);
            return difference - hydrostatic_difference(physics.state_equation, along, inverse_stiffness);
        }
        if (physics.density_diffusion == DensityDiffusion::antuono)
            return difference -
                   linear_difference(a.balance.gradient, broadcast<D, T>(data.density_gradient[b.index]), b.r);
        if (physics.density_diffusion == DensityDiffusion::balanced) {
            // A wall has what the fluid of the pair has.
            const Four<Real> stored = data.density_gradient[b.index];
            DiffusionBalance<D, T> there{broadcast<D, T>(stored), T(stored.w)};
            if (data.kind[b.index] == Kind::wall) return balanced_difference(difference, a.balance, a.balance, b.r);
            DiffusionBalance<D, T> here = a.balance;
            for (int i = 0; i < D; ++i) here.gradient[i] = chosen(a.fluid_lanes, here.gradient[i], there.gradient[i]);
            here.weight = chosen(a.fluid_lanes, here.weight, there.weight);
            return balanced_difference(difference, here, there, b.r);
        }
        return difference;
    }
};

// Which of the pair forces are compiled for themselves, and all of them together.
enum class Forces { pressure, artificial_viscosity, general };

// du/dt of the fluid, and of the walls where it is wanted, and the shares of booked forces; the fluid's largest
// |du/dt|^2.
template <class Policy, int D, class T, class Kernel, Forces which>
struct Acceleration : PairPass<Policy, D, T> {
    using Base = PairPass<Policy, D, T>;
    using Base::data, Base::p;
    using typename Base::Data, typename Base::Place, typename Base::Real, typename Base::Sum;

    Physics physics;
    bool laminar;
    bool across;
    bool mirrored;   // viscosity sees walls with a velocity of their own
    bool free_slip;  // or not at all

    HALFULP_INLINE explicit Acceleration(const Data& all)
        : Base(all), physics(physics_of(all.physics)), laminar(physics.laminar_viscosity != LaminarViscosity::none),
          across(physics.laminar_viscosity == LaminarViscosity::morris), mirrored(has_mirrored_velocity(physics)),
          free_slip(physics.wall_slip == WallSlip::free_slip)
    {
    }

    struct Target {
        unsigned fluid_lanes;
        Place place;
        MomentumState<D, T> state;
        Sum sums[D];
        // The shares serve the energy ledger only; plain sums suffice for them.
        PlainSum<T> artificial[D];
        PlainSum<T> laminar[D];
        PlainSum<T> tensile[D];
    };

    HALFULP_INLINE bool wants(const TargetRange& range) const { return range.fluid_lanes != 0 || physics.wall_forces; }
    HALFULP_INLINE Target begin(const TargetRange& range) const
    {
        const Place place(data, range);
        Vec<D, T> u = components<D>(place.motion);
        if (mirrored) {
            const auto seen = components<D>(load_lanes<T>(data.wall_extrapolation, range.first, range.count));
            for (int i = 0; i < D; ++i) u[i] = chosen(range.fluid_lanes, u[i], seen[i]);
        }
        return {range.fluid_lanes, place, {u, place.place.w, this->centred(place.motion.w)}, {}, {}, {}, {}};
    }
    HALFULP_INLINE void add(Target& a, const Neighbour<D, T>& b) const
    {
        const Four<Real> moving = data.velocity[b.index];
        const MomentumState<D, T> state{viscous_velocity(a, b, moving), T(b.place.w), this->centred(T(moving.w))};
        const auto pair = momentum_pair<Kernel, typename Base::Distance>(physics, b.r, a.state, state, p);
        const T along = masked(b.lanes, pair.along);
        if (across) {
            const T sideways = masked(b.lanes, pair.across);
            const Vec<D, T> u = a.state.velocity - state.velocity;
            for (int i = 0; i < D; ++i) a.sums[i].add(fma(sideways, u[i], along * b.r[i]));
            for (int i = 0; i < D; ++i) a.laminar[i].add(sideways * u[i]);
        } else {
            for (int i = 0; i < D; ++i) a.sums[i].add(along * b.r[i]);
            if (laminar) {
                const T share = masked(b.lanes, pair.laminar);
                for (int i = 0; i < D; ++i) a.laminar[i].add(share * b.r[i]);
            }
        }
        if (physics.artificial_viscosity) {
            const T share = masked(b.lanes, pair.artificial);
            for (int i = 0; i < D; ++i) a.artificial[i].add(share * b.r[i]);
        }
        if (physics.tensile_correction) {
            const T share = masked(b.lanes, pair.tensile);
            for (int i = 0; i < D; ++i) a.tensile[i].add(share * b.r[i]);
        }
    }
    HALFULP_INLINE Real finish(const Target& a, const TargetRange& range) const
    {
        Vec<D, T> acceleration = this->body_force(a.place, range);
        if (physics.moving_frame) {
            const Vec<D, T> inertial = this->inertial_force(a.place, a.state.velocity, range);
            for (int i = 0; i < D; ++i) acceleration[i] = acceleration[i] + inertial[i];
            this->store(range.fluid_lanes, range, inertial, data.inertial_rate);
        }
        if (data.physics.density_diffusion == DensityDiffusion::balanced) store_balance(a, range, acceleration);
        if (physics.wall_forces) {  // on them only the fluid's force counts
            for (int k = 0; k < range.count; ++k) {
                if ((range.fluid_lanes >> k & 1U) != 0) continue;
                for (int i = 0; i < D; ++i) set_lane(acceleration[i], k, Real(0));
            }
        }
        for (int i = 0; i < D; ++i) acceleration[i] = fma(-p.pair_scale, a.sums[i].value(), acceleration[i]);
        const T size2 = dot(acceleration, acceleration);
        Real largest2 = 0;
        this->for_lanes(range.fluid_lanes, range,
                        [&](int k, std::uint32_t) { largest2 = larger(largest2, get_lane(size2, k)); });
        const unsigned lanes = physics.wall_forces ? this->all_lanes(range) : range.fluid_lanes;
        this->store(lanes, range, acceleration, data.rate);
        if (physics.artificial_viscosity) store_share(lanes, range, a.artificial, data.artificial_rate);
        if (laminar) store_share(lanes, range, a.laminar, data.laminar_rate);
        if (physics.tensile_correction) store_share(lanes, range, a.tensile, data.tensile_rate);
        return largest2;
    }

private:
    static HALFULP_INLINE Physics physics_of(const Physics& chosen)
    {
        if (which == Forces::general) return chosen;
        Physics some;
        some.artificial_viscosity = which == Forces::artificial_viscosity;
        if (which == Forces::artificial_viscosity) some.wall_slip = chosen.wall_slip;
        some.central_force = chosen.central_force;
        some.moving_frame = chosen.moving_frame;
        some.wall_forces = chosen.wall_forces;
        return some;
    }

    // The velocity that viscosity sees a neighbour move with: of a pair of fluid and a wall with free slip, that of the
    // target itself.
    HALFULP_INLINE Vec<D, T> viscous_velocity(const Target& a, const Neighbour<D, T>& b, const Four<Real>& moving) const
    {
        Vec<D, T> u = broadcast<D, T>(moving);
        if (!mirrored && !free_slip) return u;
        if (data.kind[b.index] == Kind::wall)
            return free_slip ? a.state.velocity : broadcast<D, T>(data.wall_extrapolation[b.index]);
        if (free_slip) {
            for (int i = 0; i < D; ++i) u[i] = chosen(a.fluid_lanes, u[i], a.state.velocity[i]);
        }
        return u;
    }

    // What the balanced density diffusion of the next step needs to know.
    HALFULP_INLINE void store_balance(const Target& a, const TargetRange& range, const Vec<D, T>& body_force) const
    {
        Vec<D, T> pairs;
        for (int i = 0; i < D; ++i) {
            T sum = a.sums[i].value();
            if (physics.artificial_viscosity) sum = sum - a.artificial[i].value();
            if (laminar) sum = sum - a.laminar[i].value();
            pairs[i] = -p.pair_scale * sum;
        }
        const T speed = sound_speed(data.physics.state_equation, a.state.density, p.sound_speed);
        const auto balance = diffusion_balance(pairs, body_force, a.state.density, speed);
        this->store(range.fluid_lanes, range, balance.gradient, data.density_gradient);
        this->for_lanes(range.fluid_lanes, range, [&](int k, std::uint32_t particle) {
            data.density_gradient[particle].w = get_lane(balance.weight, k);
        });
    }

    HALFULP_INLINE void store_share(unsigned lanes, const TargetRange& range, const PlainSum<T> (&sums)[D],
                                    Four<Real>* out) const
    {
        Vec<D, T> share;
        for (int i = 0; i < D; ++i) share[i] = -p.pair_scale * sums[i].value();
        this->store(lanes, range, share, out);
    }
};

// Each calls use(PassOf<...>{}) with the pass that fits the kernel and the physics of the data.
template <class Policy, int D, class T, class Use>
auto with_velocity_smoothing(const PairData<Lane<T>>& data, Use use)
{
    return with_kernel(data.kernel, [&](auto kernel) {
        using Kernel = typename Policy::Kernels::template Of<decltype(kernel)>;
        return use(PassOf<VelocitySmoothing<Policy, D, T, Kernel>>{});
    });
}

template <class Policy, int D, class T, class Use>
auto with_density_gradient(const PairData<Lane<T>>& data, Use use)
{
    return with_kernel(data.kernel, [&](auto kernel) {
        using Kernel = typename Policy::Kernels::template Of<decltype(kernel)>;
        return use(PassOf<DensityGradient<Policy, D, T, Kernel>>{});
    });
}

template <class Policy, int D, class T, class Use>
auto with_density_rate(const PairData<Lane<T>>& data, Use use)
{
    return with_kernel(data.kernel, [&](auto kernel) {
        using Kernel = typename Policy::Kernels::template Of<decltype(kernel)>;
        if constexpr (Policy::every_physics) {
            if (!covered_by_plain_density_rate(data.physics))
                return data.signal_speed ? use(PassOf<DensityRate<Policy, D, T, Kernel, true, true>>{})
                                         : use(PassOf<DensityRate<Policy, D, T, Kernel, false, true>>{});
        }
        return data.signal_speed ? use(PassOf<DensityRate<Policy, D, T, Kernel, true, false>>{})
                                 : use(PassOf<DensityRate<Policy, D, T, Kernel, false, false>>{});
    });
}

template <class Policy, int D, class T, class Use>
auto with_acceleration(const PairData<Lane<T>>& data, Use use)
{
    return with_kernel(data.kernel, [&](auto kernel) {
        using Kernel = typename Policy::Kernels::template Of<decltype(kernel)>;
        if constexpr (Policy::every_physics) {
            if (!covered_by_special_forces(data.physics))
                return use(PassOf<Acceleration<Policy, D, T, Kernel, Forces::general>>{});
        }
        return data.physics.artificial_viscosity
                   ? use(PassOf<Acceleration<Policy, D, T, Kernel, Forces::artificial_viscosity>>{})
                   : use(PassOf<Acceleration<Policy, D, T, Kernel, Forces::pressure>>{});
    });
}

}  // namespace halfulp
