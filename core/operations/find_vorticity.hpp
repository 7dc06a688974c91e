// The operation find_vorticity: the curl of the velocity of the fluid, for outputs; in 2D its z component.
#pragma once

#include "core/operations/fluid_fit.hpp"

namespace halfulp {

struct FindVorticity {
    static constexpr OperationInfo info{"find_vorticity", TargetOfOperation::pairs, Stage::output};
    static constexpr bool needed(const Physics& physics) { return physics.analyses.vorticity; }
    static constexpr bool in_every_policy = false;

    using Reads = Parts<>;
    using NeighbourReads = Parts<Part<field::KindOf>, Part<field::Velocity, vector>>;
    using Writes = Parts<Part<field::Vorticity, vector>>;

    template <class Policy, int D, class T>
    struct Pass;
};

template <class Policy, int D, class T>
struct FindVorticity::Pass : VelocityFit<Policy, D, T, FindVorticity> {
    using Base = VelocityFit<Policy, D, T, FindVorticity>;
    using Base::Base, Base::data;
    using typename Base::Real, typename Base::Target;

    HALFULP_INLINE Real finish(const Target& a, const TargetRange& range) const
    {
        Vec<3, T> curl{{constant<T>(0), constant<T>(0), constant<T>(0)}};
        const Vec<D, T> of_u = this->gradient_of(a, 0);
        const Vec<D, T> of_v = this->gradient_of(a, 1);
        curl[2] = of_v[0] - of_u[1];
        if constexpr (D == 3) {
            const Vec<D, T> of_w = this->gradient_of(a, 2);
            curl[0] = of_w[1] - of_v[2];
            curl[1] = of_u[2] - of_w[0];
        }
        Base::for_lanes(range.fluid_lanes, range, [&](int k, std::uint32_t particle) {
            for (int c = 0; c < 3; ++c) data.vorticity[particle][c] = get_lane(curl[c], k);
        });
        return 0;
    }
};

}  // namespace halfulp
