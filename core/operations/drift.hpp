// The operation drift: x += fraction dt u of the fluid, u with what XSPH and particle shifting add.
#pragma once

#include "core/operations/operation.hpp"
#include "core/particles/particle_basis.hpp"

namespace halfulp {

struct Drift {
    static constexpr OperationInfo info{"drift", TargetOfOperation::particles, Stage::update};
    static constexpr bool needed(const Physics& /*physics*/) { return true; }

    using Reads = Parts<Part<field::Cell>, Part<field::KindOf>, Part<field::Velocity, vector>,
                        Part<field::VelocityResidual, vector>, Part<field::Smoothing>, Part<field::Shifting>>;
    using Writes = Parts<Part<field::Offset, vector>, Part<field::OffsetResidual>, Part<field::Coordinate>>;
    template <class Policy, int D>
    struct Update : ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>> {
        using Basis = ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>>;
        using Basis::Basis, Basis::particles;
        using typename Basis::Real;

        HALFULP_INLINE bool concerns(std::size_t i) const { return this->is_fluid(i); }
        HALFULP_INLINE void operator()(std::size_t i, const Interval<Real>& interval) const
        {
            Vec<D, Real> u;
            Vec<D, Real> u_residual;
            this->transport_velocity(i, u, u_residual);
            if constexpr (Policy::Position::in_double) {
                for (int c = 0; c < D; ++c) {
                    double& coordinate = particles.coordinate[i][c];
                    const double speed = static_cast<double>(u[c]) + static_cast<double>(u_residual[c]);
                    coordinate = fma(speed, static_cast<double>(interval.length), coordinate);
                }
                this->offset_from_coordinate(i);
            } else {
                Four<Real> x = particles.offset[i];
                Four<Real> residual = particles.offset_residual_of(i);
                for (int c = 0; c < D; ++c)
                    Policy::Update::advance(x[c], residual[c], u[c], u_residual[c], interval.length);
                particles.offset[i] = x;
                if constexpr (Policy::Update::has_residual) particles.offset_residual[i] = residual;
            }
        }
    };
};

}  // namespace halfulp
