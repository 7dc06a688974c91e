// The operation extrapolate_walls: pressure and velocity (for viscosity) extrapolated from the fluid to walls
// (kernels/walls.hpp), kept apart from the walls' state, which threads of other passes may be reading.
#pragma once

#include "core/operations/pair_pass.hpp"
#include "kernels/density_diffusion.hpp"
#include "kernels/walls.hpp"

namespace halfulp {

struct ExtrapolateWalls {
    static constexpr OperationInfo info{"extrapolate_walls", TargetOfOperation::pairs, Stage::forces};
    static constexpr bool needed(const Physics& physics) { return physics.walls == Walls::extrapolated; }
    static constexpr bool in_every_policy = false;

    using Reads = Parts<Part<field::Anchor>>;
    using NeighbourReads =
        Parts<Part<field::KindOf>, Part<field::Offset, scalar>, Part<field::Velocity>, Part<field::ContactPressure>>;
    using Writes = Parts<Part<field::WallExtrapolation>>;

    template <class Policy, int D, class T, class Kernel>
    struct Pass;
};

template <class Policy, int D, class T, class Kernel>
struct ExtrapolateWalls::Pass : PairPass<Policy, D, T, ExtrapolateWalls> {
    using Base = PairPass<Policy, D, T, ExtrapolateWalls>;
    using Base::constants, Base::data, Base::p;
    using typename Base::Data, typename Base::Place, typename Base::Real, typename Base::Sum;

    bool extrapolates_velocity;
    bool contact;

    HALFULP_INLINE explicit Pass(const Data& all)
        : Base(all), extrapolates_velocity(has_extrapolated_velocity(all.physics)),
          contact(has_contact_pressure(all.physics))
    {
    }

    struct Target {
        Place place;
        Vec<D, T> u;
        Sum weights;
        Sum pressures;
        Sum moments[D];
        Sum differences[D];
    };

    HALFULP_INLINE bool wants(const TargetRange& range) const { return Base::wall_lanes(range) != 0; }
    HALFULP_INLINE Target begin(const TargetRange& range) const
    {
        const Place place = this->places(range);
        return {place, components<D>(place.motion), {}, {}, {}, {}};
    }
    HALFULP_INLINE void add(Target& a, const Neighbour<D, T>& b) const
    {
        if (b.wall) return;
        const Four<Real> moving = data.velocity[b.index];
        const CentredDensity<T> s = this->centred(T(moving.w));
        const T q = Base::Distance::length(b.r) * p.inverse_smoothing_length;
        const T weight = masked(b.lanes, extrapolation_weight(Kernel::shape(q)));
        const T mass = weight * relative(s).ratio;
        a.weights.add(weight);
        T pressure = pressure_from_term(constants.physics, T(b.place.w), s);
        if (contact) pressure = pressure + T(data.contact_pressure[b.index]);
        a.pressures.add(weight * pressure);
        for (int i = 0; i < D; ++i) a.moments[i].add(mass * b.r[i]);
        if (extrapolates_velocity) {
            const Vec<D, T> difference = broadcast<D, T>(moving) - a.u;
            for (int i = 0; i < D; ++i) a.differences[i].add(weight * difference[i]);
        }
    }
    HALFULP_INLINE Real finish(const Target& a, const TargetRange& range) const
    {
        const T weights = a.weights.value();
        Vec<D, T> moments;
        for (int i = 0; i < D; ++i) moments[i] = a.moments[i].value();
        Vec<D, T> force = this->body_force(a.place, range);
        if (constants.physics.moving_frame) {
            const Vec<D, T> inertial = this->inertial_force(a.place, a.u, range);
            for (int i = 0; i < D; ++i) force[i] = force[i] + inertial[i];
        }
        if (constants.physics.moving_walls) force = force - wall_acceleration(range);
        const T pressure = extrapolated_pressure(weights, a.pressures.value(), moments, force);
        this->for_lanes(Base::wall_lanes(range), range, [&](int k, std::uint32_t particle) {
            data.wall_extrapolation[particle].w = get_lane(pressure, k);
        });
        if (extrapolates_velocity) {
            Vec<D, T> u;
            for (int i = 0; i < D; ++i) u[i] = extrapolated_velocity(a.u[i], weights, a.differences[i].value());
            this->store(Base::wall_lanes(range), range, u, data.wall_extrapolation);
        }
        return 0;
    }

private:
    // Wall acceleration prescribed by the motion at the end of the step; 0 for fixed walls.
    HALFULP_INLINE Vec<D, T> wall_acceleration(const TargetRange& range) const
    {
        Vec<D, T> acceleration;
        for (int i = 0; i < D; ++i) acceleration[i] = constant<T>(0);
        this->for_lanes(Base::wall_lanes(range), range, [&](int k, std::uint32_t particle) {
            const Four<double> anchor = data.anchor[particle];
            if (anchor.w < 0) return;
            const Pose& pose = constants.poses[static_cast<int>(anchor.w)];
            const auto a = acceleration_at(pose, turned(pose, {anchor.x, anchor.y, anchor.z}));
            for (int i = 0; i < D; ++i) set_lane(acceleration[i], k, static_cast<Real>(a[i]));
        });
        return acceleration;
    }
};

}  // namespace halfulp
