// The operation set_walls: walls take the extrapolated pressure, the corresponding density, and the work that their
// pressure has done in this step.
#pragma once

#include "core/operations/operation.hpp"
#include "core/particles/particle_basis.hpp"

namespace halfulp {

struct SetWalls {
    static constexpr OperationInfo info{"set_walls", TargetOfOperation::particles, Stage::forces};
    static constexpr bool needed(const Physics& physics) { return follow_the_fluid(physics.walls); }
    // Walls without fluid within reach have no pressure, so for dry walls the operation need not be repeated
    // (neighbours/dry_walls.hpp).
    static constexpr bool rests_on_dry_walls = true;

    // Bounds on P/B between which Tait's equation gives a density: the float next to -1, vacuum, and the value at twice
    // the density at rest.
    static constexpr float least_load = -1 + 0x1p-24F;
    static constexpr float largest_load = 127;

    // P/rho^2 before and after.
    struct Change {
        double before;
        double after;
    };

    using Reads = Parts<Part<field::KindOf>, Part<field::WallExtrapolation, scalar>>;
    using Writes = Parts<Part<field::Velocity, scalar>, Part<field::Offset, scalar>>;
    template <class Policy, int D>
    struct Update : ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>> {
        using Basis = ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>>;
        using Basis::Basis, Basis::particles, Basis::constants, Basis::domain, Basis::parameters;
        using typename Basis::Density, typename Basis::Real;

        HALFULP_INLINE bool concerns(std::size_t i) const { return !this->is_fluid(i); }
        HALFULP_INLINE Change operator()(std::size_t i, const Interval<Real>& /*interval*/) const
        {
            Change change{this->pressure_over_density_square(i), 0};
            Real pressure = particles.wall_extrapolation[i].w;
            if (constants.limit_tension) pressure = larger(pressure, Real(0));
            // No density belongs to a smaller load, and none that a run survives to a larger one. A load outside these
            // bounds, or NaN, would make the wall's density NaN, which would spread even to pairs beyond the support,
            // which only stored lists contain.
            const Real load =
                smaller(larger(Real(least_load), Real(pressure / parameters.stiffness)), Real(largest_load));
            const auto s = density_from_load(domain.physics.state_equation, load);
            particles.velocity[i].w = Density::stored(s, parameters.reference_density);
            particles.offset[i].w = this->pressure_term_at(particles.velocity[i].w);
            change.after = this->pressure_over_density_square(i);
            return change;
        }
    };

    // Uses the mean of the pressures before and after, since ds/dt is that of the midpoint. At the start of a run there
    // is no rate yet.
    template <class Policy, int D>
    struct Booking : ParticleBasis<Policy, D, FieldList<field::Rate, field::DiffusionRate>, FieldList<field::Works>> {
        using Basis = ParticleBasis<Policy, D, FieldList<field::Rate, field::DiffusionRate>, FieldList<field::Works>>;
        using Basis::Basis, Basis::particles;
        using typename Basis::Real;

        HALFULP_INLINE void operator()(std::size_t i, const Change& change, const Interval<Real>& interval) const
        {
            if (interval.length == Real(0)) return;
            const double share = this->conjugate_rate(i);
            double& work = particles.work_of(Work::wall_pressure)[i];
            const auto book_half = [&](double over_square) {
                work -= 0.5 * static_cast<double>(interval.length) * (over_square * share);
            };
            book_half(change.before);
            book_half(change.after);
        }
    };
};

}  // namespace halfulp
