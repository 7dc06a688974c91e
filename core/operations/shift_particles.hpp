// The pass that finds the velocity by which fluid particles are shifted (kernels/particle_shifting.hpp). In the manner
// of pair_passes.hpp.
#pragma once

#include "core/backends/pair_pass.hpp"
#include "kernels/particle_shifting.hpp"

namespace halfulp {

template <class Policy, int D, class T, class Kernel>
struct ParticleShifting : PairPass<Policy, D, T> {
    using Base = PairPass<Policy, D, T>;
    using Base::Base, Base::data, Base::p;
    using typename Base::Data, typename Base::Place, typename Base::Real, typename Base::Sum;

    struct Target {
        Place place;
        Sum gradient[D];
        Sum divergence;
    };

    HALFULP_INLINE bool wants(const TargetRange& range) const { return range.fluid_lanes != 0; }
    HALFULP_INLINE Target begin(const TargetRange& range) const { return {Place(data, range), {}, {}}; }
    HALFULP_INLINE void add(Target& a, const Neighbour<D, T>& b) const
    {
        const T r2 = dot(b.r, b.r);
        const CentredDensity<T> s = this->centred(T(data.velocity[b.index].w));
        const T f = Kernel::gradient_shape(square_root(r2) * p.inverse_smoothing_length) / relative(s).ratio;
        const T weight = masked(b.lanes, f);
        for (int i = 0; i < D; ++i) a.gradient[i].add(weight * b.r[i]);
        a.divergence.add(weight * r2);
    }
    HALFULP_INLINE Real finish(const Target& a, const TargetRange& range) const
    {
        Vec<D, T> gradient;
        for (int i = 0; i < D; ++i) gradient[i] = p.pair_scale * a.gradient[i].value();
        const T divergence = -(p.pair_scale * a.divergence.value());
        this->store(range.fluid_lanes, range,
                    shifting_velocity(gradient, divergence, components<D>(a.place.motion), p.shifting_scale),
                    data.shifting);
        return 0;
    }
};

template <class Policy, int D, class T, class Use>
auto with_particle_shifting(const PairData<Lane<T>>& data, Use use)
{
    return with_kernel(data.kernel, [&](auto kernel) {
        using Kernel = typename Policy::Kernels::template Of<decltype(kernel)>;
        return use(PassOf<ParticleShifting<Policy, D, T, Kernel>>{});
    });
}

}  // namespace halfulp
