// Tracking of particles: their displacements, on which the validity of neighbour lists depends, their cells, on which
// the canonical order depends, and whether they can continue.
#pragma once

#include "core/particles/particle_basis.hpp"

namespace halfulp {

using TrackingReads =
    FieldList<field::KindOf, field::Anchor, field::Velocity, field::VelocityResidual, field::XsphVelocity,
              field::Shifting, field::Reference, field::PreviousVelocity, field::PreviousVelocityResidual, field::Rate>;
using TrackingWrites = FieldList<field::Cell, field::Offset, field::OffsetResidual, field::Coordinate,
                                 field::PreviousOffset, field::PreviousOffsetResidual, field::PreviousCoordinate>;

template <class Policy, int D>
struct ParticleTracking : ParticleBasis<Policy, D, TrackingReads, TrackingWrites> {
    using Basis = ParticleBasis<Policy, D, TrackingReads, TrackingWrites>;
    using Basis::anchor_of, Basis::is_fluid, Basis::offset_from_coordinate, Basis::offset_of, Basis::place_from_cell,
        Basis::pose_of, Basis::transport_velocity;
    using Basis::Basis, Basis::particles, Basis::constants, Basis::domain, Basis::parameters;
    using typename Basis::Density, typename Basis::Position, typename Basis::Real, typename Basis::Update;

    // Residuals excluded.
    HALFULP_INLINE bool has_finite_velocity(std::size_t i) const
    {
        const Four<Real> u = particles.velocity[i];
        Vec<D, double> v{};
        for (int c = 0; c < D; ++c) v[c] = static_cast<double>(u[c]);
        const double square = dot(v, v);
        return square - square == 0;
    }

    HALFULP_INLINE bool is_within_density_bound(std::size_t i) const
    {
        const CentredDensity<Real> s = Density::centred(particles.velocity[i].w, parameters.reference_density);
        return magnitude(s.s) <= static_cast<Real>(constants.density_bound);
    }

    // The displacement of a particle in the coming step, and the resulting distance from its position at the last
    // neighbour list rebuild, both squared. A wider number type is rounded to double, which only affects when lists are
    // rebuilt.
    struct ComingMove {
        double move2;
        double displacement2;
    };
    HALFULP_INLINE ComingMove coming_move(std::size_t i, Real interval) const
    {
        return is_fluid(i) ? coming_move_of_fluid(i, interval) : coming_move_of_wall(i);
    }
    HALFULP_INLINE ComingMove coming_move_of_fluid(std::size_t i, Real interval) const
    {
        const Vec<D, Real> move = move_of_fluid(i, interval);
        Vec<D, Real> displacement;
        for (int c = 0; c < D; ++c) displacement[c] = (particles.offset[i][c] - particles.reference[i][c]) + move[c];
        return {static_cast<double>(dot(move, move)), static_cast<double>(dot(displacement, displacement))};
    }
    // Its move by the present transport velocity.
    HALFULP_INLINE Vec<D, Real> move_of_fluid(std::size_t i, Real interval) const
    {
        Vec<D, Real> move;
        Vec<D, Real> residual;
        transport_velocity(i, move, residual);
        for (int c = 0; c < D; ++c) move[c] = move[c] * interval;
        return move;
    }
    // For fluid, or a wall at rest: the particle's move until the horizon of a course, and its tolerance. Its rate may
    // be of an earlier time, since no bit depends on it.
    HALFULP_INLINE Four<Real> course_until(std::size_t i, Real horizon, Real most_bend) const
    {
        if (!is_fluid(i) || !(horizon > Real(0))) return {};
        Vec<D, Real> bend;
        for (int c = 0; c < D; ++c) bend[c] = (Real(0.5) * horizon * horizon) * particles.rate[i][c];
        return course_of<D>(move_of_fluid(i, horizon), bend, most_bend);
    }

    // A wall's path within a step is curved, so its midpoint counts as well. Displacements are as the policy rounds
    // them: far from the origin a global coordinate may not move at all.
    HALFULP_INLINE ComingMove coming_move_of_wall(std::size_t i) const
    {
        ComingMove most{0, 0};
        for (int half = 0; half < 2; ++half) {
            const Pose& pose = pose_of(i, constants.poses + half * constants.motions);
            const Vec<D, double> place = place_from_cell(i, pose, turned(pose, anchor_of(i)));
            Vec<D, double> move;
            Vec<D, double> displacement;
            for (int c = 0; c < D; ++c) {
                const auto there = static_cast<double>(static_cast<Real>(offset_of(i, c, place[c])));
                move[c] = there - static_cast<double>(particles.offset[i][c]);
                displacement[c] = there - static_cast<double>(particles.reference[i][c]);
            }
            most.move2 = larger(most.move2, dot(move, move));
            most.displacement2 = larger(most.displacement2, dot(displacement, displacement));
        }
        return most;
    }

    // The squared displacement below which no two particles can have come within each other's support unlisted. A
    // thousandth of the skin is left for rounding.
    HALFULP_INLINE double allowed_displacement_squared() const
    {
        const Real half_skin = constants.skin * constant<Real>(0.4995);
        return static_cast<double>(Real(half_skin * half_skin));
    }

    // The present cell of particle i and its offset in that cell. False if the cell number is out of range.
    HALFULP_INLINE bool settle_in_cell(std::size_t i, Four<std::int32_t>& cell, Four<Real>& offset,
                                       Four<Real>& residual) const
    {
        const auto side = static_cast<double>(parameters.cell_side);
        bool fits = true;
        for (int c = 0; c < D; ++c) {
            if constexpr (Position::in_double) {
                fits = locate(particles.coordinate[i][c] / side, cell[c]) && fits;
            } else if constexpr (Position::relative_to_cell) {
                fits = Update::carry(cell[c], offset[c], residual[c], parameters.cell_side) && fits;
            } else {
                // Far away the first number alone of a double-float coordinate is off by cells.
                const double low = Position::pairs_read_residual ? static_cast<double>(residual[c]) : 0.0;
                fits = locate((static_cast<double>(offset[c]) + low) / side, cell[c]) && fits;
            }
        }
        return fits;
    }

    HALFULP_INLINE bool fits_in_cells(std::size_t i) const
    {
        Four<std::int32_t> cell = particles.cell[i];
        Four<Real> offset = particles.offset[i];
        Four<Real> residual = particles.offset_residual_of(i);
        return settle_in_cell(i, cell, offset, residual);
    }

    // Assigns particle i to its present cell, within the periods; false, with nothing changed, if there is none. moved:
    // whether the cell is another one.
    HALFULP_INLINE bool settle(std::size_t i, bool& moved) const
    {
        Four<std::int32_t> cell = particles.cell[i];
        const Four<std::int32_t> old = cell;
        Four<Real> offset = particles.offset[i];
        Four<Real> residual = particles.offset_residual_of(i);
        moved = false;
        if (!settle_in_cell(i, cell, offset, residual)) return false;
        if constexpr (Position::relative_to_cell && !Position::in_double) {
            if (domain.physics.previous_state == PreviousState::start_of_step) settle_previous(i, old, cell);
        }
        for (int c = 0; c < D; ++c) {
            const auto axis = static_cast<std::size_t>(c);
            const std::int32_t period = domain.period[axis];
            if (period == 0) continue;
            if (cell[c] < domain.origin[axis]) enter_period(i, c, period, cell, offset, residual);
            else if (cell[c] >= domain.origin[axis] + period) enter_period(i, c, -period, cell, offset, residual);
        }
        moved = old.x != cell.x || old.y != cell.y || old.z != cell.z;
        particles.cell[i] = cell;
        particles.offset[i] = offset;
        if constexpr (Update::has_residual) particles.offset_residual[i] = residual;
        if constexpr (Position::in_double) offset_from_coordinate(i);
        return true;
    }

private:
    // Moves a particle by whole periods: its cell and, if it has one, its coordinate; a coordinate in double then gives
    // the offset.
    HALFULP_INLINE void enter_period(std::size_t i, int c, std::int32_t cells, Four<std::int32_t>& cell,
                                     Four<Real>& offset, Four<Real>& residual) const
    {
        cell[c] += cells;
        if constexpr (Position::in_double) {
            const double length = cells * static_cast<double>(parameters.cell_side);
            particles.coordinate[i][c] = particles.coordinate[i][c] + length;
            if (domain.physics.previous_state == PreviousState::start_of_step)
                particles.previous_coordinate[i][c] = particles.previous_coordinate[i][c] + length;
        } else if constexpr (!Position::relative_to_cell) {
            const Real length = Real(cells) * parameters.cell_side;
            Update::add_cells(offset[c], residual[c], length);
            if (domain.physics.previous_state == PreviousState::start_of_step) move_previous(i, c, length);
        }
    }

    // Converts the offset to which an integrator returns to the particle's new cell.
    HALFULP_INLINE void settle_previous(std::size_t i, const Four<std::int32_t>& old,
                                        const Four<std::int32_t>& cell) const
    {
        for (int c = 0; c < D; ++c) move_previous(i, c, Real(old[c] - cell[c]) * parameters.cell_side);
    }
    HALFULP_INLINE void move_previous(std::size_t i, int c, Real length) const
    {
        Real none(0);
        Real* residual = &none;
        if constexpr (Update::has_residual) residual = &particles.previous_offset_residual[i][c];
        Update::add_cells(particles.previous_offset[i][c], *residual, length);
    }
};

}  // namespace halfulp
