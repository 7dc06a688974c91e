// The operation find_density_gradient: the renormalised gradient of s, for density diffusions that ask for it.
#pragma once

#include "core/operations/pair_pass.hpp"
#include "kernels/density_diffusion.hpp"

namespace halfulp {

struct FindDensityGradient {
    static constexpr OperationInfo info{"find_density_gradient", TargetOfOperation::pairs, Stage::density};
    static constexpr bool needed(const Physics& physics)
    {
        return density_gradient_of(physics) == GradientOfDensity::renormalised;
    }
    static constexpr bool in_every_policy = false;

    using Reads = Parts<>;
    using NeighbourReads = Parts<Part<field::Velocity, scalar>>;
    using Writes = Parts<Part<field::DensityGradient, vector>>;

    template <class Policy, int D, class T, class Kernel>
    struct Pass;
};

template <class Policy, int D, class T, class Kernel>
struct FindDensityGradient::Pass : PairPass<Policy, D, T, FindDensityGradient> {
    using Base = PairPass<Policy, D, T, FindDensityGradient>;
    using Base::Base, Base::constants, Base::data, Base::p;
    using typename Base::Data, typename Base::Place, typename Base::Real, typename Base::Sum;

    struct Target {
        Place place;
        Sum matrix[triangle<D>];
        Sum sums[D];
    };

    HALFULP_INLINE bool wants(const TargetRange& /*range*/) const { return true; }
    HALFULP_INLINE Target begin(const TargetRange& range) const { return {this->places(range), {}, {}}; }
    HALFULP_INLINE void add(Target& a, const Neighbour<D, T>& b) const
    {
        const T f = masked(b.lanes, Kernel::gradient_shape(square_root(dot(b.r, b.r)) * p.inverse_smoothing_length));
        const T difference =
            density_difference(this->centred(a.place.motion.w), this->centred(T(data.velocity[b.index].w)));
        int element = 0;
        for (int i = 0; i < D; ++i) {
            const T scaled = f * b.r[i];
            a.sums[i].add(difference * scaled);
            for (int j = i; j < D; ++j) a.matrix[element++].add(scaled * b.r[j]);
        }
    }
    HALFULP_INLINE Real finish(const Target& a, const TargetRange& range) const
    {
        T matrix[triangle<D>];
        for (int k = 0; k < triangle<D>; ++k) matrix[k] = -p.pair_scale * a.matrix[k].value();
        Vec<D, T> gradient;
        for (int i = 0; i < D; ++i) gradient[i] = p.pair_scale * a.sums[i].value();
        this->store(this->all_lanes(range), range, renormalised_gradient(matrix, gradient), data.density_gradient);
        return 0;
    }
};

}  // namespace halfulp
