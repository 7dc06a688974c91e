// The operation set_filtered_density: the fluid takes the density of filter_density; the work of that change is booked.
#pragma once

#include "core/operations/operation.hpp"
#include "core/particles/particle_basis.hpp"

namespace halfulp {

struct SetFilteredDensity {
    static constexpr OperationInfo info{"set_filtered_density", TargetOfOperation::particles, Stage::density};
    static constexpr bool needed(const Physics& physics) { return physics.density_filter != DensityFilter::none; }

    struct Change {
        double before;
        double after;
    };

    using Reads = Parts<Part<field::KindOf>, Part<field::FilteredDensity>>;
    using Writes =
        Parts<Part<field::Velocity, scalar>, Part<field::VelocityResidual, scalar>, Part<field::Offset, scalar>>;
    template <class Policy, int D>
    struct Update : ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>> {
        using Basis = ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>>;
        using Basis::Basis, Basis::particles, Basis::domain, Basis::parameters;
        using typename Basis::Density, typename Basis::Real;

        HALFULP_INLINE bool concerns(std::size_t i) const { return this->is_fluid(i); }
        HALFULP_INLINE Change operator()(std::size_t i, const Interval<Real>& /*interval*/) const
        {
            const double before = density_of(particles, domain, i);
            const CentredDensity<Real> filtered{static_cast<Real>(particles.filtered_density[i])};
            particles.velocity[i].w = Density::stored(filtered, parameters.reference_density);
            if constexpr (Policy::Update::has_residual) particles.velocity_residual[i].w = 0;
            particles.offset[i].w = this->pressure_term_at(particles.velocity[i].w);
            return {before, density_of(particles, domain, i)};
        }
    };

    // Books the change of compressive energy: the mean of filtering before and after the interval's change of the
    // density, since kicks before the filter take half of it from each. With an interval of zero the rate is not read,
    // as it may be invalid.
    template <class Policy, int D>
    struct Booking : ParticleBasis<Policy, D, FieldList<field::Rate>, FieldList<field::Works>> {
        using Basis = ParticleBasis<Policy, D, FieldList<field::Rate>, FieldList<field::Works>>;
        using Basis::Basis, Basis::particles, Basis::domain, Basis::parameters;
        using typename Basis::Density, typename Basis::Real;

        HALFULP_INLINE void operator()(std::size_t i, const Change& change, const Interval<Real>& interval) const
        {
            double start = change.before;
            if (interval.length != Real(0)) {
                const double unit_rate = Density::rate(1.0, static_cast<double>(parameters.reference_density));
                const double rate = static_cast<double>(particles.rate[i].w) / unit_rate;
                start = fma(-rate, static_cast<double>(interval.length), start);
            }
            const auto energy = [&](double s) {
                return compressive_energy(domain.physics.state_equation, CentredDensity<double>{s},
                                          static_cast<double>(parameters.stiffness));
            };
            particles.work_of(Work::filter)[i] +=
                0.5 * ((energy(start + (change.after - change.before)) - energy(start)) +
                       (energy(change.after) - energy(change.before)));
        }
    };
};

}  // namespace halfulp
