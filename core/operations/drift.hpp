// The operation drift: x += fraction dt u of the fluid, u including the velocities of XSPH and particle shifting.
#pragma once

#include "core/operations/operation.hpp"
#include "core/particles/particle_basis.hpp"

namespace halfulp {

struct Drift {
    static constexpr OperationInfo info{"drift", TargetOfOperation::particles, Stage::update};
    static constexpr bool needed(const Physics& /*physics*/) { return true; }

    using Reads = Parts<Part<field::Cell>, Part<field::KindOf>, Part<field::Velocity, vector>,
                        Part<field::VelocityResidual, vector>, Part<field::XsphVelocity>, Part<field::Shifting>>;
    using Writes = Parts<Part<field::Offset, vector>, Part<field::OffsetResidual>, Part<field::Coordinate>>;
    template <class Policy, int D>
    struct Update : ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>> {
        using Basis = ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>>;
        using Basis::Basis;
        using typename Basis::Real;

        HALFULP_INLINE bool concerns(std::size_t i) const { return this->is_fluid(i); }
        HALFULP_INLINE void operator()(std::size_t i, const Interval<Real>& interval) const
        {
            Vec<D, Real> u;
            Vec<D, Real> u_residual;
            this->transport_velocity(i, u, u_residual);
            this->move(i, u, u_residual, interval.length);
        }
    };
};

}  // namespace halfulp
