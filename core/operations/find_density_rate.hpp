// The operation find_density_rate: ds/dt from positions and velocities, its density diffusion term, the largest signal
// speed, and the contact pressure of walls that follow the fluid (kernels/walls.hpp).
#pragma once

#include "core/operations/pair_pass.hpp"
#include "kernels/continuity.hpp"
#include "kernels/density_diffusion.hpp"
#include "kernels/time_step.hpp"
#include "kernels/walls.hpp"

namespace halfulp {

struct FindDensityRate {
    static constexpr OperationInfo info{
        "find_density_rate", TargetOfOperation::pairs, Stage::density, {Maximum::signal_speed}};
    static constexpr bool needed(const Physics& /*physics*/) { return true; }
    static constexpr bool in_every_policy = true;

    using Reads = Parts<Part<field::XsphVelocity>, Part<field::DensityGradient>>;
    using NeighbourReads =
        Parts<Part<field::KindOf>, Part<field::Velocity>, Part<field::XsphVelocity>, Part<field::DensityGradient>>;
    using Writes = Parts<Part<field::Rate, scalar>, Part<field::DiffusionRate>, Part<field::ContactPressure>>;

    template <class Policy, int D, class T, class Use>
    static auto with_pass(const PairConstants<Lane<T>>& constants, Use use);
};

// The pass for ds/dt, its diffusion term, and the largest signal speed: for all of Physics, or only for pair (i)
// without XSPH and with balanced density diffusion, Fourtakas's or none. Whether the speed is needed is decided at run
// time, since separate passes without it would double the compile time.
template <class Policy, int D, class T, class Kernel, CompiledDensityRate which, class Operation = FindDensityRate>
struct DensityRatePass : PairPass<Policy, D, T, Operation> {
    using Base = PairPass<Policy, D, T, Operation>;
    using Base::constants, Base::data, Base::p;
    using typename Base::Data, typename Base::Place, typename Base::Real, typename Base::Sum;

    Physics physics;
    bool diffusion;
    bool contact;
    T inverse_stiffness;
    T step_softening;  // eta^2, or too small to matter at any distance

    HALFULP_INLINE explicit DensityRatePass(const Data& all)
        : Base(all), physics(physics_of(all.physics)), diffusion(physics.density_diffusion != DensityDiffusion::none),
          contact(diffusion && has_contact_pressure(all.physics)), inverse_stiffness(constant<T>(1) / p.stiffness),
          step_softening(physics.step_softening ? p.viscous_softening : constant<T>(0x1p-100))
    {
    }

    struct Target {
        unsigned fluid_lanes;
        Place place;
        CentredDensity<T> s;
        Vec<D, T> u;
        DiffusionBalance<D, T> balance;  // for Antuono's diffusion only the gradient
        Sum rate;
        Sum diffused;
        PlainSum<T> contacts;
        PlainSum<T> by_walls;
        T closing;
    };

    HALFULP_INLINE bool wants(const TargetRange& /*range*/) const { return true; }
    HALFULP_INLINE Target begin(const TargetRange& range) const
    {
        const Place place = this->places(range);
        Target a{
            range.fluid_lanes, place, this->centred(place.motion.w), components<D>(place.motion), {}, {}, {}, {}, {},
            T(Real(0))};
        if (physics.xsph) {
            const auto addition = components<D>(load_lanes<T>(data.xsph_velocity, range.first, range.count));
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
        if (contact && b.wall) {
            a.contacts.add(masked(b.lanes, contact_share(pair.q, p.contact_reaches)));
            a.by_walls.add(masked(b.lanes, pair.rate));
        }
        if (diffusion) {
            const DiffusedPair diffused{*this, a, b, density_difference(a.s, s_b)};
            const T psi = diffused_difference(physics.density_diffusion, diffused);
            a.diffused.add(
                masked(b.lanes, diffusion_pair(psi, pair.distance_squared, pair.gradient_shape, p.viscous_softening)));
        }
        // Vector lanes, which branch together, skip this at no cost. One lane always computes the speed: on a device
        // this saves registers and leaves the loop without branches, on a CPU it costs 3 % of a run with a fixed step.
        if (LaneOf<T>::lanes == 1 || constants.signal_speed) {
            // Only pairs inside the support have a gradient.
            const T zero(Real(0));
            const T speed = closing_speed(pair.approach, pair.distance_squared, p.smoothing_length, step_softening);
            a.closing = larger(a.closing, masked(b.lanes, select(pair.gradient_shape < zero, speed, zero)));
        }
    }
    HALFULP_INLINE Real finish(const Target& a, const TargetRange& range) const
    {
        T total = continuity_total(physics.formulation, a.rate.value(), a.s, p.pair_scale);
        const T share = (p.pair_scale * p.density_diffusion) * a.diffused.value();
        if (diffusion) total = total + share;
        const T stored_rate = Base::Density::rate(total, p.reference_density);
        const T signal = sound_speed(constants.physics.state_equation, a.s, p.sound_speed) + a.closing;
        if (contact) {
            const T pressure = contact_pressure(a.contacts.value(), p.pair_scale * a.by_walls.value(),
                                                p.smoothing_length, p.sound_speed);
            this->for_lanes(range.fluid_lanes, range, [&](int k, std::uint32_t particle) {
                data.contact_pressure[particle] = get_lane(pressure, k);
            });
        }
        Real fastest = 0;
        this->for_lanes(this->all_lanes(range), range, [&](int k, std::uint32_t particle) {
            data.rate[particle].w = get_lane(stored_rate, k);
            if (diffusion) data.diffusion_rate[particle] = static_cast<double>(get_lane(share, k));
            fastest = larger(fastest, get_lane(signal, k));
        });
        return constants.signal_speed ? fastest : Real(0);
    }

private:
    static HALFULP_INLINE Physics physics_of(const Physics& chosen)
    {
        if (which == CompiledDensityRate::general) return chosen;
        Physics some;
        if (which == CompiledDensityRate::balanced_diffusion) some.density_diffusion = DensityDiffusion::balanced;
        if (which == CompiledDensityRate::fourtakas_diffusion) {
            some.density_diffusion = DensityDiffusion::fourtakas;
            some.state_equation = chosen.state_equation;
        }
        return some;
    }

    // The transport velocity of particle b, XSPH included.
    HALFULP_INLINE Vec<D, T> transport_velocity(const Four<Real>& moving, std::uint32_t b) const
    {
        Vec<D, T> u = broadcast<D, T>(moving);
        if (physics.xsph) {
            const Vec<D, T> addition = broadcast<D, T>(data.xsph_velocity[b]);
            for (int i = 0; i < D; ++i) u[i] = u[i] + addition[i];
        }
        return u;
    }

    // The data of a pair that density diffusion terms read.
    struct DiffusedPair {
        const DensityRatePass& pass;
        const Target& a;
        const Neighbour<D, T>& b;
        T difference;

        HALFULP_INLINE const Vec<D, T>& r() const { return b.r; }
        HALFULP_INLINE T gravity_along_r() const
        {
            T along = pass.p.gravity[0] * b.r[0];
            for (int i = 1; i < D; ++i) along = fma(pass.p.gravity[i], b.r[i], along);
            return along;
        }
        HALFULP_INLINE StateEquation state_equation() const { return pass.physics.state_equation; }
        HALFULP_INLINE T inverse_stiffness() const { return pass.inverse_stiffness; }
        HALFULP_INLINE const Vec<D, T>& target_gradient() const { return a.balance.gradient; }
        HALFULP_INLINE Vec<D, T> neighbour_gradient() const
        {
            return broadcast<D, T>(pass.data.density_gradient[b.index]);
        }
        // Walls take the value of the fluid particle of the pair.
        template <class Use>
        HALFULP_INLINE T balanced(Use use) const
        {
            if constexpr (LaneOf<T>::lanes > 1) {  // the same for all lanes, so that a branch costs nothing
                if (b.wall) return use(a.balance, a.balance);
            }
            DiffusionBalance<D, T> there = a.balance;
            if (!b.wall) {
                const Four<Real> stored = pass.data.density_gradient[b.index];
                there = {broadcast<D, T>(stored), T(stored.w)};
            }
            DiffusionBalance<D, T> here = a.balance;
            for (int i = 0; i < D; ++i) here.gradient[i] = chosen(a.fluid_lanes, here.gradient[i], there.gradient[i]);
            here.weight = chosen(a.fluid_lanes, here.weight, there.weight);
            return use(here, there);
        }
    };
};

template <class Policy, int D, class T, class Use>
auto FindDensityRate::with_pass(const PairConstants<Lane<T>>& constants, Use use)
{
    return with_kernel(constants.kernel, [&](auto kernel) {
        using Kernel = typename Policy::Kernels::template Of<decltype(kernel)>;
        const auto with = [&]<CompiledDensityRate which>() {
            return use(PassOf<DensityRatePass<Policy, D, T, Kernel, which>>{});
        };
        if constexpr (Policy::every_physics) {
            switch (compiled_density_rate(constants.physics)) {
            case CompiledDensityRate::plain: break;
            case CompiledDensityRate::balanced_diffusion:
                return with.template operator()<CompiledDensityRate::balanced_diffusion>();
            case CompiledDensityRate::fourtakas_diffusion:
                return with.template operator()<CompiledDensityRate::fourtakas_diffusion>();
            case CompiledDensityRate::general: return with.template operator()<CompiledDensityRate::general>();
            }
        }
        return with.template operator()<CompiledDensityRate::plain>();
    });
}

}  // namespace halfulp
