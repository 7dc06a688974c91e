// The operations on the difference quotient of the compressive energy over a step, (e(s1) - e(s0)) / (s1 - s0), which
// is the mean P/rho^2 of that step: the pressure term derived from it, the work of density diffusion against it, and
// the energy error of a step that uses P/rho^2 of its midpoint instead.
//
// Each operation starts from the midpoint s_m and ds/dt there: s0 and s1 are s_m -+ dt/2 ds/dt.
#pragma once

#include "core/operations/operation.hpp"
#include "core/particles/particle_basis.hpp"
#include "kernels/energy.hpp"

namespace halfulp {

// Replaces the pressure term of the midpoint by that of the quotient. The operation's interval is half the step.
struct AveragePressure {
    static constexpr OperationInfo info{"average_pressure", TargetOfOperation::particles, Stage::update};
    static constexpr bool needed(const Physics& /*physics*/) { return true; }

    using Reads = Parts<Part<field::KindOf>, Part<field::Velocity, scalar>, Part<field::Rate, scalar>>;
    using Writes = Parts<Part<field::Offset, scalar>>;
    template <class Policy, int D>
    struct Update : ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>> {
        using Basis = ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>>;
        using Basis::Basis, Basis::particles, Basis::domain, Basis::parameters;
        using typename Basis::Density, typename Basis::Real;

        HALFULP_INLINE bool concerns(std::size_t i) const { return this->integrates_density(i); }
        HALFULP_INLINE void operator()(std::size_t i, const Interval<Real>& half_step) const
        {
            const Physics& physics = domain.physics;
            const Real reference = parameters.reference_density;
            const auto middle = Density::centred(particles.velocity[i].w, reference);
            const Real d = (particles.rate[i].w / Density::rate(Real(1), reference)) * half_step.length;
            Real excess = energy_quotient_excess(physics.state_equation, middle, d, parameters.stiffness);
            if (!by_mass(physics.formulation)) {
                const Real ratio = relative(middle).ratio;
                excess = excess * (ratio * ratio);
            }
            particles.offset[i].w = particles.offset[i].w + excess;
        }
    };
};

// Books the work of density diffusion: with the quotient it is exactly the quotient times diffusion's contribution to
// the change of s.
struct BookDiffusion {
    static constexpr OperationInfo info{"book_diffusion", TargetOfOperation::particles, Stage::update};
    static constexpr bool needed(const Physics& physics) { return physics.density_diffusion != DensityDiffusion::none; }

    using BookingReads = FieldList<field::KindOf, field::Velocity, field::Offset, field::DiffusionRate>;
    template <class Policy, int D>
    struct Booking : ParticleBasis<Policy, D, BookingReads, FieldList<field::Works>> {
        using Basis = ParticleBasis<Policy, D, BookingReads, FieldList<field::Works>>;
        using Basis::Basis, Basis::particles;
        using typename Basis::Real;

        HALFULP_INLINE bool concerns(std::size_t i) const { return this->integrates_density(i); }
        HALFULP_INLINE void operator()(std::size_t i, const Interval<Real>& interval) const
        {
            particles.work_of(Work::diffusion)[i] +=
                static_cast<double>(interval.length) *
                (this->pressure_over_density_square(i) * particles.diffusion_rate[i]);
        }
    };
};

// Books the energy error of the implicit midpoint rule: the change of e(s) minus the works of pressure and diffusion.
// Every other part of the energy is linear or quadratic, and the rule changes it by exactly the work of its forces.
struct BookIntegratorError {
    static constexpr OperationInfo info{"book_integrator_error", TargetOfOperation::particles, Stage::update};
    static constexpr bool needed(const Physics& physics) { return physics.integrator_error; }

    using BookingReads =
        FieldList<field::KindOf, field::Velocity, field::PreviousVelocity, field::Rate, field::DiffusionRate>;
    template <class Policy, int D>
    struct Booking : ParticleBasis<Policy, D, BookingReads, FieldList<field::Works>> {
        using Basis = ParticleBasis<Policy, D, BookingReads, FieldList<field::Works>>;
        using Basis::Basis, Basis::particles, Basis::constants, Basis::domain, Basis::parameters;
        using typename Basis::Density, typename Basis::Real;

        HALFULP_INLINE bool concerns(std::size_t i) const { return this->integrates_density(i); }
        HALFULP_INLINE void operator()(std::size_t i, const Interval<Real>& interval) const
        {
            const StateEquation equation = domain.physics.state_equation;
            const auto stiffness = static_cast<double>(parameters.stiffness);
            const auto reference = static_cast<double>(parameters.reference_density);
            const auto length = static_cast<double>(interval.length);
            const auto middle = Density::centred(static_cast<double>(particles.velocity[i].w), reference);
            const double rate = static_cast<double>(particles.rate[i].w) / Density::rate(1.0, reference);
            const double d = 0.5 * length * rate;
            double error = 2 * d * energy_quotient_excess(equation, middle, d, stiffness);
            double start = middle.s - d;
            bool cut = false;  // tension at the end
            if (constants.limit_tension && !this->is_fluid(i)) {
                const auto energy = [&](double s) {
                    return compressive_energy(equation, CentredDensity<double>{s}, stiffness);
                };
                // A midpoint whose tension is cut off has no pressure, and does not say where the step began.
                if (middle.s == 0) {
                    start = Density::centred(static_cast<double>(particles.previous_velocity[i].w), reference).s;
                    error = energy(start + 2 * d) - energy(start);
                }
                cut = start + 2 * d < 0;
                if (cut) error -= energy(start + 2 * d);
            }
            if (domain.physics.density_diffusion != DensityDiffusion::none) {
                const double ratio = relative(middle).ratio;
                const double over_square =
                    pressure_over_reference_density(equation, middle, stiffness) / (ratio * ratio);
                const double share = particles.diffusion_rate[i];
                error += length * (over_square * share) -
                         work_of_density_share(equation, stiffness, start, start + 2 * d, rate, share, length, cut);
            }
            particles.work_of(Work::integrator)[i] += error;
        }
    };
};

}  // namespace halfulp
