// The operation find_laplacian: the Laplacian of a field that is given at the particles, by a fit of second order in
// the fluid, for outputs; zero where the neighbours do not determine it.
#pragma once

#include "core/operations/fluid_fit.hpp"

namespace halfulp {

struct FindLaplacian {
    static constexpr OperationInfo info{"find_laplacian", TargetOfOperation::pairs, Stage::output};
    static constexpr bool needed(const Physics& physics) { return physics.analyses.derivatives; }
    static constexpr bool in_every_policy = false;

    using Reads = Parts<Part<field::Analysed>>;
    using NeighbourReads = Parts<Part<field::KindOf>, Part<field::Analysed>>;
    using Writes = Parts<Part<field::Laplacian>>;

    template <class Policy, int D, class T>
    struct Pass;
};

template <class Policy, int D, class T>
struct FindLaplacian::Pass : FluidFit<Policy, D, T, FindLaplacian> {
    using Base = FluidFit<Policy, D, T, FindLaplacian>;
    using Base::Base, Base::data;
    using typename Base::Place, typename Base::Real, typename Base::Sum;
    using Fit = QuadraticFit<D, T, Sum>;

    struct Target {
        Place place;
        T value;
        Fit fit;
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
        T matrix[triangle<Fit::terms>];
        T right[Fit::terms];
        for (int e = 0; e < triangle<Fit::terms>; ++e) matrix[e] = a.fit.matrix[e].value();
        for (int e = 0; e < Fit::terms; ++e) right[e] = a.fit.right[e].value();
        const Real inverse_scale = get_lane(this->inverse_scale(), 0);
        Base::for_lanes(range.fluid_lanes, range, [&](int k, std::uint32_t particle) {
            Real m[triangle<Fit::terms>];
            Real b[Fit::terms];
            Real derivatives[Fit::terms];
            for (int e = 0; e < triangle<Fit::terms>; ++e) m[e] = get_lane(matrix[e], k);
            for (int e = 0; e < Fit::terms; ++e) b[e] = get_lane(right[e], k);
            Real laplacian = Real(0);
            if (Fit::solve(m, b, inverse_scale, derivatives)) {
                for (int i = 0; i < D; ++i) laplacian = laplacian + derivatives[D + i];
            }
            data.laplacian[particle] = laplacian;
        });
        return 0;
    }
};

}  // namespace halfulp
