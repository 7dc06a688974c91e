// The operation shift_particles: the particle shifting velocity of the fluid (kernels/particle_shifting.hpp).
#pragma once

#include "core/operations/pair_pass.hpp"
#include "kernels/particle_shifting.hpp"

namespace halfulp {

struct ShiftParticles {
    static constexpr OperationInfo info{"shift_particles", TargetOfOperation::pairs, Stage::density};
    static constexpr bool needed(const Physics& physics) { return physics.particle_shifting; }
    static constexpr bool in_every_policy = false;

    using Reads = Parts<>;
    using NeighbourReads = Parts<Part<field::Velocity, scalar>>;
    using Writes = Parts<Part<field::Shifting, vector>>;

    template <class Policy, int D, class T, class Kernel>
    struct Pass;
};

template <class Policy, int D, class T, class Kernel>
struct ShiftParticles::Pass : PairPass<Policy, D, T, ShiftParticles> {
    using Base = PairPass<Policy, D, T, ShiftParticles>;
    using Base::Base, Base::constants, Base::data, Base::p;
    using typename Base::Data, typename Base::Place, typename Base::Real, typename Base::Sum;

    struct Target {
        Place place;
        Sum gradient[D];
        Sum divergence;
    };

    HALFULP_INLINE bool wants(const TargetRange& range) const { return range.fluid_lanes != 0; }
    HALFULP_INLINE Target begin(const TargetRange& range) const { return {this->places(range), {}, {}}; }
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

}  // namespace halfulp
