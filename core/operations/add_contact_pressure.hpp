// The operation add_contact_pressure: adds the mean contact pressure (kernels/walls.hpp) of the fluid within the
// support of a wall particle with a mirror node to the pressure that the particle has from that node. The node itself
// lies in the fluid, away from anything that penetrates the wall.
#pragma once

#include "core/operations/pair_pass.hpp"
#include "kernels/density_diffusion.hpp"
#include "kernels/walls.hpp"

namespace halfulp {

struct AddContactPressure {
    static constexpr OperationInfo info{"add_contact_pressure", TargetOfOperation::pairs, Stage::forces};
    static constexpr bool needed(const Physics& physics)
    {
        return have_mirror_images(physics.walls) && has_contact_pressure(physics);
    }
    static constexpr bool in_every_policy = false;

    using Reads = Parts<Part<field::WallExtrapolation, scalar>>;
    using NeighbourReads = Parts<Part<field::ContactPressure>>;
    using Writes = Parts<Part<field::WallExtrapolation, scalar>>;

    template <class Policy, int D, class T, class Kernel>
    struct Pass;
};

template <class Policy, int D, class T, class Kernel>
struct AddContactPressure::Pass : PairPass<Policy, D, T, AddContactPressure> {
    using Base = PairPass<Policy, D, T, AddContactPressure>;
    using Base::Base, Base::data, Base::p;
    using typename Base::Data, typename Base::Place, typename Base::Real, typename Base::Sum;

    struct Target {
        Place place;
        Sum weights;
        Sum pressures;
    };

    HALFULP_INLINE bool wants(const TargetRange& range) const { return Base::wall_lanes(range) != 0; }
    HALFULP_INLINE Target begin(const TargetRange& range) const { return {this->places(range), {}, {}}; }
    HALFULP_INLINE void add(Target& a, const Neighbour<D, T>& b) const
    {
        if (b.wall) return;
        const T q = Base::Distance::length(b.r) * p.inverse_smoothing_length;
        const T weight = masked(b.lanes, extrapolation_weight(Kernel::shape(q)));
        a.weights.add(weight);
        a.pressures.add(weight * T(data.contact_pressure[b.index]));
    }
    HALFULP_INLINE Real finish(const Target& a, const TargetRange& range) const
    {
        const T pressure = mean_of_fluid(a.weights.value(), a.pressures.value());
        this->for_lanes(Base::wall_lanes(range), range, [&](int k, std::uint32_t particle) {
            data.wall_extrapolation[particle].w = data.wall_extrapolation[particle].w + get_lane(pressure, k);
        });
        return 0;
    }
};

}  // namespace halfulp
