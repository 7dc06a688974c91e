// The operation find_xsph_velocity: the XSPH velocity correction of the fluid, from fluid neighbours.
#pragma once

#include "core/operations/pair_pass.hpp"
#include "kernels/xsph.hpp"

namespace halfulp {

struct FindXsphVelocity {
    static constexpr OperationInfo info{"find_xsph_velocity", TargetOfOperation::pairs, Stage::density};
    static constexpr bool needed(const Physics& physics) { return physics.xsph; }
    static constexpr bool in_every_policy = false;

    using Reads = Parts<>;
    using NeighbourReads = Parts<Part<field::Velocity>>;
    using Writes = Parts<Part<field::XsphVelocity, vector>>;

    template <class Policy, int D, class T, class Kernel>
    struct Pass;
};

template <class Policy, int D, class T, class Kernel>
struct FindXsphVelocity::Pass : PairPass<Policy, D, T, FindXsphVelocity> {
    using Base = PairPass<Policy, D, T, FindXsphVelocity>;
    using Base::Base, Base::constants, Base::data, Base::p;
    using typename Base::Data, typename Base::Place, typename Base::Real, typename Base::Sum;

    struct Target {
        Place place;
        Vec<D, T> u;
        Sum sums[D];
    };

    HALFULP_INLINE bool wants(const TargetRange& range) const { return range.fluid_lanes != 0; }
    HALFULP_INLINE Target begin(const TargetRange& range) const
    {
        const Place place = this->places(range);
        return {place, components<D>(place.motion), {}};
    }
    HALFULP_INLINE void add(Target& a, const Neighbour<D, T>& b) const
    {
        if (b.wall) return;
        const Four<Real> moving = data.velocity[b.index];
        const T w = Kernel::shape(square_root(dot(b.r, b.r)) * p.inverse_smoothing_length);
        const T weight = masked(b.lanes, xsph_weight(w, this->centred(a.place.motion.w), this->centred(T(moving.w))));
        const Vec<D, T> difference = a.u - broadcast<D, T>(moving);
        for (int i = 0; i < D; ++i) a.sums[i].add(weight * difference[i]);
    }
    HALFULP_INLINE Real finish(const Target& a, const TargetRange& range) const
    {
        Vec<D, T> addition;
        for (int i = 0; i < D; ++i) addition[i] = -p.xsph_scale * a.sums[i].value();
        this->store(range.fluid_lanes, range, addition, data.xsph_velocity);
        return 0;
    }
};

}  // namespace halfulp
