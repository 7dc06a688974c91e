// The operation find_forces: du/dt from positions, densities and velocities, of the fluid and, if wanted, of walls; the
// contributions of booked forces to it; the fluid's largest |du/dt|^2.
#pragma once

#include "core/operations/pair_pass.hpp"
#include "kernels/density_diffusion.hpp"
#include "kernels/momentum.hpp"

namespace halfulp {

struct FindForces {
    static constexpr OperationInfo info{
        "find_forces", TargetOfOperation::pairs, Stage::forces, {Maximum::acceleration_squared}};
    static constexpr bool needed(const Physics& /*physics*/) { return true; }
    static constexpr bool in_every_policy = true;
    static constexpr bool finds_balance = true;  // of the balanced density diffusion

    using Reads = Parts<Part<field::WallExtrapolation, vector>>;
    using NeighbourReads = Parts<Part<field::KindOf>, Part<field::Offset, scalar>, Part<field::Velocity>,
                                 Part<field::WallExtrapolation, vector>>;
    using Writes = Parts<Part<field::Rate, vector>, Part<field::ArtificialRate>, Part<field::LaminarRate>,
                         Part<field::TensileRate>, Part<field::InertialRate>, Part<field::DensityGradient>>;
    using ReadOfFluidAlone = Parts<Part<field::Rate, vector>>;  // no update of a wall reads its du/dt

    template <class Policy, int D, class T, class Use>
    static auto with_pass(const PairConstants<Lane<T>>& constants, Use use);
};

// Specialisations compiled for some pair forces, and the general pass with all of them.
enum class CompiledForces { pressure, artificial_viscosity, general };

// du/dt of the fluid and, if wanted, of walls, with the contributions of booked forces; the fluid's largest |du/dt|^2.
template <class Policy, int D, class T, class Kernel, CompiledForces which, class Operation = FindForces>
struct ForcesPass : PairPass<Policy, D, T, Operation> {
    using Base = PairPass<Policy, D, T, Operation>;
    using Base::constants, Base::data, Base::p;
    using typename Base::Data, typename Base::Place, typename Base::Real, typename Base::Sum;
    static constexpr bool every_term = which == CompiledForces::general;

    Physics physics;
    bool laminar;
    bool across;
    bool extrapolates_velocity;  // viscosity uses an extrapolated velocity of walls
    bool free_slip;              // viscosity ignores walls

    HALFULP_INLINE explicit ForcesPass(const Data& all)
        : Base(all), physics(physics_of(all.physics)), laminar(physics.laminar_viscosity != LaminarViscosity::none),
          across(acts_along_velocity(physics.laminar_viscosity)),
          extrapolates_velocity(has_extrapolated_velocity(physics)), free_slip(physics.wall_slip == WallSlip::free_slip)
    {
    }

    struct Target {
        unsigned fluid_lanes;
        Place place;
        MomentumState<D, T> state;
        Sum sums[D];
        // These contributions serve the energy ledger only; plain sums suffice for them.
        PlainSum<T> artificial[D];
        PlainSum<T> laminar[D];
        PlainSum<T> tensile[D];
    };

    HALFULP_INLINE bool wants(const TargetRange& range) const { return range.fluid_lanes != 0 || physics.wall_forces; }
    HALFULP_INLINE Target begin(const TargetRange& range) const
    {
        const Place place = this->places(range);
        Vec<D, T> u = components<D>(place.motion);
        if (extrapolates_velocity) {
            const auto seen = components<D>(load_lanes<T>(data.wall_extrapolation, range.first, range.count));
            for (int i = 0; i < D; ++i) u[i] = chosen(range.fluid_lanes, u[i], seen[i]);
        }
        return {range.fluid_lanes, place, {u, place.place.w, this->centred(place.motion.w)}, {}, {}, {}, {}};
    }
    HALFULP_INLINE void add(Target& a, const Neighbour<D, T>& b) const
    {
        const Four<Real> moving = data.velocity[b.index];
        const MomentumState<D, T> state{viscous_velocity(b, moving), T(b.place.w), this->centred(T(moving.w))};
        const Vec<D, T> u = a.state.velocity - state.velocity;
        T approach = dot(u, b.r);
        if (free_slip) approach = between_fluid(a, b, approach);
        const auto pair = momentum_pair<Kernel, typename Base::Distance>(physics, b.r, approach, a.state, state, p);
        const T along = masked(b.lanes, pair.along);
        if (across) {
            const T sideways = masked(b.lanes, free_slip ? between_fluid(a, b, pair.across) : pair.across);
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
        if constexpr (Operation::finds_balance) {
            if (density_gradient_of(constants.physics) == GradientOfDensity::by_forces)
                store_balance(a, range, acceleration);
        }
        if (physics.wall_forces) {  // walls feel the force of the fluid only
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
        if (which == CompiledForces::general) return chosen;
        Physics some;
        some.artificial_viscosity = which == CompiledForces::artificial_viscosity;
        if (which == CompiledForces::artificial_viscosity) some.wall_slip = chosen.wall_slip;
        some.central_force = chosen.central_force;
        some.moving_frame = chosen.moving_frame;
        some.wall_forces = chosen.wall_forces;
        return some;
    }

    // The velocity of a neighbour in the viscous term.
    HALFULP_INLINE Vec<D, T> viscous_velocity(const Neighbour<D, T>& b, const Four<Real>& moving) const
    {
        if (extrapolates_velocity && b.wall) return broadcast<D, T>(data.wall_extrapolation[b.index]);
        return broadcast<D, T>(moving);
    }

    // A viscous term of a pair that vanishes between fluid and free-slip walls.
    static HALFULP_INLINE T between_fluid(const Target& a, const Neighbour<D, T>& b, const T& term)
    {
        const T zero(Real(0));
        return b.wall ? zero : chosen(a.fluid_lanes, term, zero);
    }

    // Data for the balanced density diffusion of the next step.
    HALFULP_INLINE void store_balance(const Target& a, const TargetRange& range, const Vec<D, T>& body_force) const
    {
        Vec<D, T> pairs;
        for (int i = 0; i < D; ++i) {
            T sum = a.sums[i].value();
            if (physics.artificial_viscosity) sum = sum - a.artificial[i].value();
            if (laminar) sum = sum - a.laminar[i].value();
            pairs[i] = -p.pair_scale * sum;
        }
        const T speed = sound_speed(constants.physics.state_equation, a.state.density, p.sound_speed);
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

template <class Policy, int D, class T, class Use>
auto FindForces::with_pass(const PairConstants<Lane<T>>& constants, Use use)
{
    return with_kernel(constants.kernel, [&](auto kernel) {
        using Kernel = typename Policy::Kernels::template Of<decltype(kernel)>;
        if constexpr (Policy::every_physics) {
            if (!covered_by_special_forces(constants.physics))
                return use(PassOf<ForcesPass<Policy, D, T, Kernel, CompiledForces::general>>{});
        }
        return constants.physics.artificial_viscosity
                   ? use(PassOf<ForcesPass<Policy, D, T, Kernel, CompiledForces::artificial_viscosity>>{})
                   : use(PassOf<ForcesPass<Policy, D, T, Kernel, CompiledForces::pressure>>{});
    });
}

}  // namespace halfulp
