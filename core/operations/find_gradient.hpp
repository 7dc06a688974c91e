// The operation find_gradient: the gradient of a field that is given at the particles, in the fluid, for outputs.
#pragma once

#include "core/operations/fluid_fit.hpp"

namespace halfulp {

struct FindGradient {
    static constexpr OperationInfo info{"find_gradient", TargetOfOperation::pairs, Stage::output};
    static constexpr bool needed(const Physics& physics) { return physics.analyses.derivatives; }
    static constexpr bool in_every_policy = false;

    using Reads = Parts<Part<field::Analysed>>;
    using NeighbourReads = Parts<Part<field::KindOf>, Part<field::Analysed>>;
    using Writes = Parts<Part<field::Gradient, vector>>;

    template <class Policy, int D, class T>
    struct Pass;
};

template <class Policy, int D, class T>
struct FindGradient::Pass : FluidFit<Policy, D, T, FindGradient> {
    using Base = FluidFit<Policy, D, T, FindGradient>;
    using Base::Base, Base::data;
    using typename Base::Place, typename Base::Real, typename Base::Sum;

    struct Target {
        Place place;
        T value;
        LinearFit<D, T, Sum> fit;
    };

    HALFULP_INLINE Target begin(const TargetRange& range) const
    {
        return {this->places(range), load_numbers<T>(data.analysed, range.first, range.count), {}};
    }
    HALFULP_INLINE void add(Target& a, const Neighbour<D, T>& b) const
    {
        if (b.wall) return;
        a.fit.add(this->weight_of(b), this->place_of(b), T(data.analysed[b.index]) - a.value, this->inverse_scale());
    }
    HALFULP_INLINE Real finish(const Target& a, const TargetRange& range) const
    {
        const Vec<D, T> gradient = a.fit.template value<ExactProducts>(this->inverse_scale()).x;
        // The third component of a flat flow, too: outputs show it.
        Base::for_lanes(range.fluid_lanes, range, [&](int k, std::uint32_t particle) {
            for (int c = 0; c < 3; ++c) data.gradient[particle][c] = c < D ? get_lane(gradient[c], k) : Real(0);
        });
        return 0;
    }
};

}  // namespace halfulp
