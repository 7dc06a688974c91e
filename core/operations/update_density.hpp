// The operation update_density: s += fraction dt ds/dt, the resulting pressure term, and the work of density diffusion.
#pragma once

#include "core/operations/operation.hpp"
#include "core/particles/breakdown.hpp"
#include "core/particles/particle_basis.hpp"
#include "kernels/energy.hpp"
#include "kernels/walls.hpp"

namespace halfulp {

struct UpdateDensity {
    static constexpr OperationInfo info{"update_density", TargetOfOperation::particles, Stage::update};
    static constexpr Rule rule = Rule::density_bound;
    static constexpr bool needed(const Physics& /*physics*/) { return true; }

    // The density in the policy's storage, before and after, and its rate; `after` is what the rate makes of it, also
    // where it is tension that is cut off.
    template <class Real>
    struct Change {
        Real before;
        Real after;
        Real rate;
        bool tension_cut;
    };

    using Reads = Parts<Part<field::KindOf>, Part<field::Rate, scalar>>;
    using Writes =
        Parts<Part<field::Velocity, scalar>, Part<field::VelocityResidual, scalar>, Part<field::Offset, scalar>>;
    template <class Policy, int D>
    struct Update : ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>> {
        using Basis = ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>>;
        using Basis::Basis, Basis::particles, Basis::constants, Basis::domain, Basis::parameters;
        using typename Basis::Density, typename Basis::Real;

        HALFULP_INLINE bool concerns(std::size_t i) const { return this->integrates_density(i); }
        HALFULP_INLINE Change<Real> operator()(std::size_t i, const Interval<Real>& interval) const
        {
            const Real reference = parameters.reference_density;
            Real density = particles.velocity[i].w;
            Four<Real> residual = particles.velocity_residual_of(i);
            Change<Real> change{density, density, particles.rate[i].w, false};
            Policy::Update::advance(density, residual.w, change.rate, Real(0), interval.length);
            change.after = density;
            change.tension_cut =
                constants.limit_tension && !this->is_fluid(i) && in_tension(Density::centred(density, reference));
            if (change.tension_cut) {
                density = Density::stored(CentredDensity<Real>{0}, reference);
                residual.w = 0;
            }
            particles.velocity[i].w = density;
            if constexpr (Policy::Update::has_residual) particles.velocity_residual[i].w = residual.w;
            particles.offset[i].w = this->pressure_term_at(density);
            return change;
        }
    };

    template <class Policy, int D>
    struct Booking : ParticleBasis<Policy, D, FieldList<field::DiffusionRate>, FieldList<field::Works>> {
        using Basis = ParticleBasis<Policy, D, FieldList<field::DiffusionRate>, FieldList<field::Works>>;
        using Basis::Basis, Basis::particles, Basis::domain, Basis::parameters;
        using typename Basis::Density, typename Basis::Real;

        HALFULP_INLINE void operator()(std::size_t i, const Change<Real>& change, const Interval<Real>& interval) const
        {
            const Physics& physics = domain.physics;
            if (physics.density_diffusion == DensityDiffusion::none) return;
            // Of the stored number, in double.
            const auto reference = static_cast<double>(parameters.reference_density);
            const auto deviation = [reference](const Real& stored) {
                return Density::centred(static_cast<double>(stored), reference).s;
            };
            const double unit_rate = Density::rate(1.0, reference);
            particles.work_of(Work::diffusion)[i] += work_of_density_share(
                physics.state_equation, static_cast<double>(parameters.stiffness), deviation(change.before),
                deviation(change.after), static_cast<double>(change.rate) / unit_rate, particles.diffusion_rate[i],
                static_cast<double>(interval.length), change.tension_cut);
        }
    };
};

}  // namespace halfulp
