// The operation book_wall_pressure: the work over fraction dt of the pressure extrapolated to walls, from the present
// pressure and ds/dt, for integrators that take both at the same time; otherwise set_walls books it.
#pragma once

#include "core/operations/operation.hpp"
#include "core/particles/particle_basis.hpp"

namespace halfulp {

struct BookWallPressure {
    static constexpr OperationInfo info{"book_wall_pressure", TargetOfOperation::particles, Stage::update};
    static constexpr bool needed(const Physics& physics) { return follow_the_fluid(physics.walls); }

    using BookingReads = FieldList<field::KindOf, field::Velocity, field::Offset, field::Rate, field::DiffusionRate>;
    template <class Policy, int D>
    struct Booking : ParticleBasis<Policy, D, BookingReads, FieldList<field::Works>> {
        using Basis = ParticleBasis<Policy, D, BookingReads, FieldList<field::Works>>;
        using Basis::Basis, Basis::particles;
        using typename Basis::Real;

        HALFULP_INLINE bool concerns(std::size_t i) const { return !this->is_fluid(i); }
        HALFULP_INLINE void operator()(std::size_t i, const Interval<Real>& interval) const
        {
            particles.work_of(Work::wall_pressure)[i] -=
                static_cast<double>(interval.length) *
                (this->pressure_over_density_square(i) * this->conjugate_rate(i));
        }
    };
};

}  // namespace halfulp
