// The operation accelerate: x += (fraction dt)^2/2 du/dt of the fluid, added to a drift with the velocity at the start
// of the step.
#pragma once

#include "core/operations/drift.hpp"
#include "core/particles/particle_basis.hpp"

namespace halfulp {

struct Accelerate {
    static constexpr OperationInfo info{"accelerate", TargetOfOperation::particles, Stage::update};
    static constexpr bool needed(const Physics& /*physics*/) { return true; }

    using Reads = Parts<Part<field::Cell>, Part<field::KindOf>, Part<field::Rate, vector>>;
    using Writes = Drift::Writes;
    template <class Policy, int D>
    struct Update : ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>> {
        using Basis = ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>>;
        using Basis::Basis, Basis::particles;
        using typename Basis::Real;

        HALFULP_INLINE bool concerns(std::size_t i) const { return this->is_fluid(i); }
        HALFULP_INLINE void operator()(std::size_t i, const Interval<Real>& interval) const
        {
            const auto length = static_cast<double>(interval.length);
            Vec<D, Real> a;
            for (int c = 0; c < D; ++c) a[c] = particles.rate[i][c];
            this->move(i, a, {}, static_cast<Real>(0.5 * (length * length)));
        }
    };
};

}  // namespace halfulp
