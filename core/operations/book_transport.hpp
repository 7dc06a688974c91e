// The operation book_transport: the work done, over fraction dt, against the present forces by the additional
// velocities with which XSPH and particle shifting move particles.
#pragma once

#include "core/operations/operation.hpp"
#include "core/particles/particle_basis.hpp"

namespace halfulp {

struct BookTransport {
    static constexpr OperationInfo info{"book_transport", TargetOfOperation::particles, Stage::update};
    static constexpr bool needed(const Physics& physics) { return physics.xsph || physics.particle_shifting; }

    using BookingReads = FieldList<field::Cell, field::KindOf, field::Offset, field::OffsetResidual, field::Coordinate,
                                   field::XsphVelocity, field::Shifting, field::Rate, field::ArtificialRate,
                                   field::LaminarRate, field::TensileRate, field::InertialRate>;
    template <class Policy, int D>
    struct Booking : ParticleBasis<Policy, D, BookingReads, FieldList<field::Works>> {
        using Basis = ParticleBasis<Policy, D, BookingReads, FieldList<field::Works>>;
        using Basis::Basis, Basis::particles, Basis::domain, Basis::parameters;
        using typename Basis::Real;

        HALFULP_INLINE bool concerns(std::size_t i) const { return this->is_fluid(i); }
        HALFULP_INLINE void operator()(std::size_t i, const Interval<Real>& interval) const
        {
            if (domain.physics.xsph) book_xsph(i, interval.length);
            if (domain.physics.particle_shifting) book_shifting(i, interval.length);
        }

    private:
        // The displacement by XSPH gains energy from every force that has one, except those booked separately.
        HALFULP_INLINE void book_xsph(std::size_t i, Real interval) const
        {
            const Physics& physics = domain.physics;
            double power = 0;
            for (int c = 0; c < D; ++c) {
                auto force = static_cast<double>(particles.rate[i][c]);
                if (physics.artificial_viscosity) force -= static_cast<double>(particles.artificial_rate[i][c]);
                if (physics.laminar_viscosity != LaminarViscosity::none)
                    force -= static_cast<double>(particles.laminar_rate[i][c]);
                if (physics.tensile_correction) force -= static_cast<double>(particles.tensile_rate[i][c]);
                if (physics.moving_frame) force -= static_cast<double>(particles.inertial_rate[i][c]);
                if (domain.period[static_cast<std::size_t>(c)] > 0) force -= static_cast<double>(parameters.gravity[c]);
                power = fma(-force, static_cast<double>(particles.xsph_velocity[i][c]), power);
            }
            particles.work_of(Work::xsph)[i] += power * static_cast<double>(interval);
        }

        // Particle shifting leaves the density unchanged, so only body forces with a potential do work.
        HALFULP_INLINE void book_shifting(std::size_t i, Real interval) const
        {
            const auto side = static_cast<double>(parameters.cell_side);
            const auto stiffness = static_cast<double>(parameters.central_stiffness);
            const Vec<D, double> place = position_of<Policy, D>(particles, domain, i);
            double power = 0;
            for (int c = 0; c < D; ++c) {
                const auto axis = static_cast<std::size_t>(c);
                double force = domain.period[axis] > 0 ? 0 : static_cast<double>(parameters.gravity[c]);
                if (domain.physics.central_force) force -= stiffness * ((place[c] - domain.centre[axis]) * side);
                power = fma(-force, static_cast<double>(particles.shifting[i][c]), power);
            }
            particles.work_of(Work::shifting)[i] += power * static_cast<double>(interval);
        }
    };
};

}  // namespace halfulp
