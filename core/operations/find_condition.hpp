// The operation find_condition: the condition of the matrix by which the gradients of find_gradient.hpp,
// find_vorticity.hpp and find_divergence.hpp are renormalised, for outputs: 1 for neighbours on all sides, larger at
// surfaces; zero where neighbours do not span the space.
#pragma once

#include "core/operations/fluid_fit.hpp"

namespace halfulp {

struct FindCondition {
    static constexpr OperationInfo info{"find_condition", TargetOfOperation::pairs, Stage::output};
    static constexpr bool needed(const Physics& physics) { return physics.analyses.condition; }
    static constexpr bool in_every_policy = false;

    using Reads = Parts<>;
    using NeighbourReads = Parts<Part<field::KindOf>>;
    using Writes = Parts<Part<field::Condition>>;

    template <class Policy, int D, class T>
    struct Pass;
};

template <class Policy, int D, class T>
struct FindCondition::Pass : FluidFit<Policy, D, T, FindCondition> {
    using Base = FluidFit<Policy, D, T, FindCondition>;
    using Base::Base, Base::data;
    using typename Base::Place, typename Base::Real, typename Base::Sum;

    struct Target {
        Place place;
        Sum matrix[triangle<D>];
    };

    HALFULP_INLINE Target begin(const TargetRange& range) const { return {this->places(range), {}}; }
    HALFULP_INLINE void add(Target& a, const Neighbour<D, T>& b) const
    {
        if (b.wall) return;
        const T weight = this->weight_of(b);
        int element = 0;
        for (int i = 0; i < D; ++i) {
            const T weighted = weight * (b.r[i] * this->inverse_scale());
            for (int j = i; j < D; ++j) a.matrix[element++].add(weighted * (b.r[j] * this->inverse_scale()));
        }
    }
    HALFULP_INLINE Real finish(const Target& a, const TargetRange& range) const
    {
        T sums[triangle<D>];
        for (int k = 0; k < triangle<D>; ++k) sums[k] = a.matrix[k].value();
        Base::for_lanes(range.fluid_lanes, range, [&](int k, std::uint32_t particle) {
            Real m[triangle<D>];
            for (int element = 0; element < triangle<D>; ++element) m[element] = get_lane(sums[element], k);
            data.condition[particle] = condition_number<D>(m);
        });
        return 0;
    }
};

}  // namespace halfulp
