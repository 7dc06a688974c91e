// The operation find_divergence: the divergence of the velocity of the fluid, for outputs.
#pragma once

#include "core/operations/fluid_fit.hpp"

namespace halfulp {

struct FindDivergence {
    static constexpr OperationInfo info{"find_divergence", TargetOfOperation::pairs, Stage::output};
    static constexpr bool needed(const Physics& physics) { return physics.analyses.divergence; }
    static constexpr bool in_every_policy = false;

    using Reads = Parts<>;
    using NeighbourReads = Parts<Part<field::KindOf>, Part<field::Velocity, vector>>;
    using Writes = Parts<Part<field::Divergence>>;

    template <class Policy, int D, class T>
    struct Pass;
};

template <class Policy, int D, class T>
struct FindDivergence::Pass : VelocityFit<Policy, D, T, FindDivergence> {
    using Base = VelocityFit<Policy, D, T, FindDivergence>;
    using Base::Base, Base::data;
    using typename Base::Real, typename Base::Target;

    HALFULP_INLINE Real finish(const Target& a, const TargetRange& range) const
    {
        T divergence = this->gradient_of(a, 0)[0];
        for (int i = 1; i < D; ++i) divergence = divergence + this->gradient_of(a, i)[i];
        Base::store_number(range, divergence, data.divergence);
        return 0;
    }
};

}  // namespace halfulp
