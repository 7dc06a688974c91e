// The operation kick: u += fraction dt du/dt, and the work of the booked forces in that kick.
#pragma once

#include "core/operations/operation.hpp"
#include "core/particles/breakdown.hpp"
#include "core/particles/particle_basis.hpp"
#include "kernels/energy.hpp"

namespace halfulp {

struct Kick {
    static constexpr OperationInfo info{"kick", TargetOfOperation::particles, Stage::update};
    static constexpr Rule rule = Rule::finite_velocity;
    static constexpr bool needed(const Physics& /*physics*/) { return true; }

    template <int D>
    struct Change {
        Vec<D, double> before{};
        Vec<D, double> after{};
    };

    using Reads = Parts<Part<field::KindOf>, Part<field::Anchor>, Part<field::Rate, vector>>;
    using Writes = Parts<Part<field::Velocity, vector>, Part<field::VelocityResidual, vector>>;
    template <class Policy, int D>
    struct Update : ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>> {
        using Basis = ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>>;
        using Basis::Basis, Basis::particles;
        using typename Basis::Real;

        HALFULP_INLINE bool concerns(std::size_t i) const { return this->moves(i); }
        HALFULP_INLINE Change<D> operator()(std::size_t i, const Interval<Real>& interval) const
        {
            Four<Real> u = particles.velocity[i];
            Four<Real> residual = particles.velocity_residual_of(i);
            const Four<Real> a = particles.rate[i];
            Change<D> change;
            const bool fluid = this->is_fluid(i);
            for (int c = 0; c < D; ++c) {
                change.before[c] = static_cast<double>(u[c]);
                if (fluid) Policy::Update::advance(u[c], residual[c], a[c], Real(0), interval.length);
                change.after[c] = static_cast<double>(u[c]);
            }
            particles.velocity[i] = u;
            if constexpr (Policy::Update::has_residual) particles.velocity_residual[i] = residual;
            return change;
        }
    };

    using BookingReads = FieldList<field::KindOf, field::Rate, field::ArtificialRate, field::LaminarRate,
                                   field::TensileRate, field::InertialRate>;
    template <class Policy, int D>
    struct Booking : ParticleBasis<Policy, D, BookingReads, FieldList<field::Works>> {
        using Basis = ParticleBasis<Policy, D, BookingReads, FieldList<field::Works>>;
        using Basis::Basis, Basis::particles, Basis::domain, Basis::parameters;
        using typename Basis::Real;

        HALFULP_INLINE void operator()(std::size_t i, const Change<D>& change, const Interval<Real>& interval) const
        {
            const Physics& physics = domain.physics;
            const auto book = [&](Work kind, const Vec<D, double>& force) {
                particles.work_of(kind)[i] +=
                    work_of_kick(force, change.before, change.after, static_cast<double>(interval.length));
            };
            const auto vector_of = [](const Four<Real>& of) {
                Vec<D, double> force{};
                for (int c = 0; c < D; ++c) force[c] = static_cast<double>(of[c]);
                return force;
            };
            const bool wall = particles.kind[i] == Kind::wall;
            if (wall) {
                // The reaction to the fluid's force on the wall. The contribution of each booked force is booked for
                // the wall too: only then is a pair's viscous work its dissipation, whichever of the two moves.
                Vec<D, double> force = vector_of(particles.rate[i]);
                for (int c = 0; c < D; ++c) force[c] = -force[c];
                book(Work::wall, force);
            }
            if (physics.artificial_viscosity) book(Work::artificial, vector_of(particles.artificial_rate[i]));
            if (physics.laminar_viscosity != LaminarViscosity::none)
                book(Work::laminar, vector_of(particles.laminar_rate[i]));
            if (physics.tensile_correction) book(Work::tensile, vector_of(particles.tensile_rate[i]));
            if (physics.moving_frame && !wall) book(Work::inertial, vector_of(particles.inertial_rate[i]));
            if (physics.driven && !wall) {
                Vec<D, double> force{};
                for (int c = 0; c < D; ++c) {
                    if (domain.period[static_cast<std::size_t>(c)] > 0)
                        force[c] = static_cast<double>(parameters.gravity[c]);
                }
                book(Work::driving, force);
            }
        }
    };
};

}  // namespace halfulp
