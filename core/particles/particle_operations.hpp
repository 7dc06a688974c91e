// What the operations of a scheme do to one particle: the loops over particles of every back end call these.
#pragma once

#include "core/motion/pose.hpp"
#include "core/particles/particle_view.hpp"
#include "kernels/energy.hpp"
#include "kernels/momentum.hpp"
#include "kernels/state_equation.hpp"
#include "kernels/walls.hpp"
#include "precision/error_free.hpp"
#include "precision/position.hpp"

namespace halfulp {

template <class Policy, int D>
struct ParticleOperations {
    using Real = typename Policy::Real;
    using Position = typename Policy::Position;
    using Density = typename Policy::Density;
    using Update = typename Policy::Update;

    ParticleView<Policy> particles;
    Frame frame;
    Parameters<D, Real> parameters;
    const Pose* poses = nullptr;  // of the motions halfway through the coming step, then those at its end
    int motions = 0;
    Real skin;             // of the neighbour lists, length units
    double density_bound;  // on |rho/rho0 - 1|
    bool limit_tension;    // of walls

    // Fluid moves by its velocity, walls as a motion prescribes.
    HALFULP_INLINE bool is_fluid(std::size_t i) const { return particles.kind[i] == Kind::fluid; }
    HALFULP_INLINE bool is_prescribed(std::size_t i) const
    {
        return frame.physics.moving_walls && particles.anchor[i].w >= 0;
    }
    HALFULP_INLINE bool moves(std::size_t i) const { return is_fluid(i) || is_prescribed(i); }

    HALFULP_INLINE Real pressure_term_at(const Real& stored_density) const
    {
        return pressure_term_of<Policy>(frame.physics, stored_density, parameters.reference_density,
                                        parameters.stiffness);
    }

    // Of a policy with positions in double: what pairs read.
    HALFULP_INLINE void offset_from_coordinate(std::size_t i) const
    {
        const auto side = static_cast<double>(parameters.cell_side);
        for (int c = 0; c < D; ++c)
            particles.offset[i][c] = static_cast<Real>(particles.coordinate[i][c] - particles.cell[i][c] * side);
    }

    // u += interval du/dt, and the work of the booked forces.
    HALFULP_INLINE void kick(std::size_t i, Real interval) const
    {
        Four<Real> u = particles.velocity[i];
        Four<Real> residual = particles.velocity_residual_of(i);
        const Four<Real> a = particles.rate[i];
        Vec<D, double> before{};
        Vec<D, double> after{};
        const bool fluid = is_fluid(i);
        for (int c = 0; c < D; ++c) {
            before[c] = static_cast<double>(u[c]);
            if (fluid) Update::advance(u[c], residual[c], a[c], Real(0), interval);
            after[c] = static_cast<double>(u[c]);
        }
        particles.velocity[i] = u;
        if constexpr (Update::has_residual) particles.velocity_residual[i] = residual;
        book_kick(i, a, before, after, static_cast<double>(interval));
    }

    // Residuals aside.
    HALFULP_INLINE bool has_finite_velocity(std::size_t i) const
    {
        const Four<Real> u = particles.velocity[i];
        Vec<D, double> v{};
        for (int c = 0; c < D; ++c) v[c] = static_cast<double>(u[c]);
        const double square = dot(v, v);
        return square - square == 0;
    }

    // The work of what moves particle i beside its own velocity.
    HALFULP_INLINE void book_transport(std::size_t i, Real interval) const
    {
        if (particles.kind[i] != Kind::fluid) return;
        if (frame.physics.velocity_smoothing) book_smoothing(i, interval);
        if (frame.physics.particle_shifting) book_shifting(i, interval);
    }

    // Particles that XSPH moves by more than their velocity gain energy from the forces that have one: all but those
    // booked on their own.
    HALFULP_INLINE void book_smoothing(std::size_t i, Real interval) const
    {
        const Physics& physics = frame.physics;
        double power = 0;
        for (int c = 0; c < D; ++c) {
            auto force = static_cast<double>(particles.rate[i][c]);
            if (physics.artificial_viscosity) force -= static_cast<double>(particles.artificial_rate[i][c]);
            if (physics.laminar_viscosity != LaminarViscosity::none)
                force -= static_cast<double>(particles.laminar_rate[i][c]);
            if (physics.tensile_correction) force -= static_cast<double>(particles.tensile_rate[i][c]);
            if (frame.period[static_cast<std::size_t>(c)] > 0) force -= static_cast<double>(parameters.gravity[c]);
            power = fma(-force, static_cast<double>(particles.smoothing[i][c]), power);
        }
        particles.work_of(Work::smoothing)[i] += power * static_cast<double>(interval);
    }

    // The density does not see particles being shifted, so that only body forces that have an energy count.
    HALFULP_INLINE void book_shifting(std::size_t i, Real interval) const
    {
        const auto side = static_cast<double>(parameters.cell_side);
        const auto stiffness = static_cast<double>(parameters.central_stiffness);
        const Vec<D, double> place = position_of<Policy, D>(particles, frame, i);
        double power = 0;
        for (int c = 0; c < D; ++c) {
            const auto axis = static_cast<std::size_t>(c);
            double force = frame.period[axis] > 0 ? 0 : static_cast<double>(parameters.gravity[c]);
            if (frame.physics.central_force) force -= stiffness * ((place[c] - frame.centre[axis]) * side);
            power = fma(-force, static_cast<double>(particles.shifting[i][c]), power);
        }
        particles.work_of(Work::shifting)[i] += power * static_cast<double>(interval);
    }

    // The velocity that moves particle i, with what XSPH and shifting add, and what rounding keeps out of it.
    HALFULP_INLINE void transport_velocity(std::size_t i, Vec<D, Real>& velocity, Vec<D, Real>& residual) const
    {
        const Four<Real> u = particles.velocity[i];
        const Four<Real> u_residual = particles.velocity_residual_of(i);
        for (int c = 0; c < D; ++c) {
            velocity[c] = u[c];
            residual[c] = u_residual[c];
        }
        const auto add = [&](const Four<Real>& more) {
            for (int c = 0; c < D; ++c) {
                const auto sum = two_sum(velocity[c], more[c]);
                velocity[c] = sum.value;
                residual[c] = residual[c] + sum.error;
            }
        };
        if (frame.physics.velocity_smoothing) add(particles.smoothing[i]);
        if (frame.physics.particle_shifting) add(particles.shifting[i]);
    }

    // x += interval u.
    HALFULP_INLINE void drift(std::size_t i, Real interval) const
    {
        Vec<D, Real> u;
        Vec<D, Real> u_residual;
        transport_velocity(i, u, u_residual);
        if constexpr (Position::in_double) {
            for (int c = 0; c < D; ++c) {
                double& coordinate = particles.coordinate[i][c];
                const double speed = static_cast<double>(u[c]) + static_cast<double>(u_residual[c]);
                coordinate = fma(speed, static_cast<double>(interval), coordinate);
            }
            offset_from_coordinate(i);
        } else {
            Four<Real> x = particles.offset[i];
            Four<Real> residual = particles.offset_residual_of(i);
            for (int c = 0; c < D; ++c) Update::advance(x[c], residual[c], u[c], u_residual[c], interval);
            particles.offset[i] = x;
            if constexpr (Update::has_residual) particles.offset_residual[i] = residual;
        }
    }

    // The position and velocity that its motion gives a wall's particle, for the poses from `all` on.
    HALFULP_INLINE void place_wall(std::size_t i, const Pose* all) const
    {
        const Pose& pose = pose_of(i, all);
        const Vec<3, double> arm = turned(pose, anchor_of(i));
        const Vec<D, double> from_cell = place_from_cell(i, pose, arm);
        const Vec<3, double> u = velocity_at(pose, arm);
        const auto side = static_cast<double>(parameters.cell_side);
        for (int c = 0; c < D; ++c) {
            if constexpr (Position::in_double)
                particles.coordinate[i][c] = (particles.cell[i][c] + from_cell[c]) * side;
            else set(particles.offset[i][c], particles.offset_residual, i, c, offset_of(i, c, from_cell[c]));
            set(particles.velocity[i][c], particles.velocity_residual, i, c, u[c]);
        }
        if constexpr (Position::in_double) offset_from_coordinate(i);
    }

    // From a wall's particle to its mirror image in the wall's surface, as its motion has turned it at the end of the
    // step, cell sides.
    HALFULP_INLINE Vec<D, double> mirrored(std::size_t i) const
    {
        const Four<Real> start = particles.mirror_image[i];
        Vec<3, double> all{};
        for (int c = 0; c < D; ++c) all[c] = static_cast<double>(start[c]);
        if (is_prescribed(i)) all = turned(pose_of(i, poses + motions), all);
        Vec<D, double> to;
        for (int c = 0; c < D; ++c) to[c] = all[c];
        return to;
    }

    // s += interval ds/dt, the work of diffusion, and the pressure term that follows.
    HALFULP_INLINE void update_density(std::size_t i, Real interval) const
    {
        const Physics& physics = frame.physics;
        if (follow_the_fluid(physics.walls) && particles.kind[i] == Kind::wall) return;
        const Real reference = parameters.reference_density;
        Real density = particles.velocity[i].w;
        Four<Real> residual = particles.velocity_residual_of(i);
        const Real rate = particles.rate[i].w;
        const Real before = density;
        Update::advance(density, residual.w, rate, Real(0), interval);
        if (physics.density_diffusion != DensityDiffusion::none) {
            // Of the number that is kept, in double.
            const auto deviation = [reference](const Real& stored) {
                return Density::centred(static_cast<double>(stored), static_cast<double>(reference)).s;
            };
            const double unit_rate = Density::rate(1.0, static_cast<double>(reference));
            particles.work_of(Work::diffusion)[i] +=
                work_of_density_share(physics.state_equation, static_cast<double>(parameters.stiffness),
                                      deviation(before), deviation(density), static_cast<double>(rate) / unit_rate,
                                      particles.diffusion_rate[i], static_cast<double>(interval));
        }
        if (limit_tension && particles.kind[i] == Kind::wall && in_tension(Density::centred(density, reference))) {
            density = Density::stored(CentredDensity<Real>{0}, reference);
            residual.w = 0;
        }
        particles.velocity[i].w = density;
        if constexpr (Update::has_residual) particles.velocity_residual[i].w = residual.w;
        particles.offset[i].w = pressure_term_at(density);
    }

    // The filtered density of the fluid, and what that adds to its compressive energy: in the mean of filtering before
    // and after this step's change of the density, as the kicks have one half of the step from either.
    HALFULP_INLINE void filter_density(std::size_t i, Real interval) const
    {
        if (particles.kind[i] != Kind::fluid) return;
        const Real reference = parameters.reference_density;
        const double unit_rate = Density::rate(1.0, static_cast<double>(reference));
        const double rate = static_cast<double>(particles.rate[i].w) / unit_rate;
        const double before = density_of(particles, frame, i);
        const CentredDensity<Real> filtered{static_cast<Real>(particles.filtered_density[i])};
        particles.velocity[i].w = Density::stored(filtered, reference);
        if constexpr (Update::has_residual) particles.velocity_residual[i].w = 0;
        particles.offset[i].w = pressure_term_at(particles.velocity[i].w);
        const double after = density_of(particles, frame, i);
        const double start = fma(-rate, static_cast<double>(interval), before);
        const auto energy = [&](double s) {
            return compressive_energy(frame.physics.state_equation, CentredDensity<double>{s},
                                      static_cast<double>(parameters.stiffness));
        };
        particles.work_of(Work::filter)[i] +=
            0.5 * ((energy(start + (after - before)) - energy(start)) + (energy(after) - energy(before)));
    }

    // The density and pressure, and the work that its pressure has done in this step: with the mean
    // of the pressures before and after, ds/dt being that of the midpoint.
    HALFULP_INLINE void set_wall(std::size_t i, Real interval) const
    {
        if (particles.kind[i] != Kind::wall) return;
        const Physics& physics = frame.physics;
        const Real reference = parameters.reference_density;
        const auto unit = static_cast<double>(reference);
        double share = static_cast<double>(particles.rate[i].w) / Density::rate(1.0, unit);
        if (physics.density_diffusion != DensityDiffusion::none) share -= particles.diffusion_rate[i];
        const auto book_half = [&] {
            const double over_square =
                pressure_over_square(physics, static_cast<double>(particles.offset[i].w),
                                     Density::centred(static_cast<double>(particles.velocity[i].w), unit));
            particles.work_of(Work::wall_pressure)[i] -= 0.5 * static_cast<double>(interval) * (over_square * share);
        };
        book_half();
        Real pressure = particles.wall_extrapolation[i].w;
        if (limit_tension) pressure = larger(pressure, Real(0));
        const auto s = density_from_load(physics.state_equation, Real(pressure / parameters.stiffness));
        particles.velocity[i].w = Density::stored(s, reference);
        particles.offset[i].w = pressure_term_at(particles.velocity[i].w);
        book_half();
    }

    HALFULP_INLINE bool is_within_density_bound(std::size_t i) const
    {
        const CentredDensity<Real> s = Density::centred(particles.velocity[i].w, parameters.reference_density);
        return magnitude(s.s) <= static_cast<Real>(density_bound);
    }

    // What the coming step will move a particle by, and how far from where the lists were made it will then be, both
    // squared. Double rounds a wider number, which only decides when lists are made anew.
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
        Vec<D, Real> move;
        Vec<D, Real> residual;
        transport_velocity(i, move, residual);
        Vec<D, Real> displacement;
        for (int c = 0; c < D; ++c) {
            move[c] = move[c] * interval;
            displacement[c] = (particles.offset[i][c] - particles.reference[i][c]) + move[c];
        }
        return {static_cast<double>(dot(move, move)), static_cast<double>(dot(displacement, displacement))};
    }

    // A wall's way within a step is curved, so its position halfway counts as well. As the policy will hold it: far
    // away a global coordinate may not move at all.
    HALFULP_INLINE ComingMove coming_move_of_wall(std::size_t i) const
    {
        ComingMove most{0, 0};
        for (int half = 0; half < 2; ++half) {
            const Pose& pose = pose_of(i, poses + half * motions);
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

    // Particles that have each moved by less than this, squared, cannot have entered each other's support unlisted. A
    // thousandth of the skin is left for rounding.
    HALFULP_INLINE double allowed_displacement_squared() const
    {
        const Real half_skin = skin * constant<Real>(0.4995);
        return static_cast<double>(Real(half_skin * half_skin));
    }

    // The cell that particle i is in now; an offset relative to it follows. False if the cells have no such number.
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
                // Far away a double-float coordinate's first number alone is cells off.
                const double rest = Position::pairs_read_residual ? static_cast<double>(residual[c]) : 0.0;
                fits = locate((static_cast<double>(offset[c]) + rest) / side, cell[c]) && fits;
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

    // Puts particle i into the cell that it is in now, within the periods; false, with nothing changed, if there is
    // none. moved: into another one.
    HALFULP_INLINE bool settle(std::size_t i, bool& moved) const
    {
        Four<std::int32_t> cell = particles.cell[i];
        const Four<std::int32_t> old = cell;
        Four<Real> offset = particles.offset[i];
        Four<Real> residual = particles.offset_residual_of(i);
        moved = false;
        if (!settle_in_cell(i, cell, offset, residual)) return false;
        for (int c = 0; c < D; ++c) {
            const auto axis = static_cast<std::size_t>(c);
            const std::int32_t period = frame.period[axis];
            if (period == 0) continue;
            if (cell[c] < frame.origin[axis]) cell[c] += period;
            else if (cell[c] >= frame.origin[axis] + period) cell[c] -= period;
        }
        moved = old.x != cell.x || old.y != cell.y || old.z != cell.z;
        particles.cell[i] = cell;
        particles.offset[i] = offset;
        if constexpr (Update::has_residual) particles.offset_residual[i] = residual;
        if constexpr (Position::in_double) offset_from_coordinate(i);
        return true;
    }

private:
    HALFULP_INLINE const Pose& pose_of(std::size_t i, const Pose* all) const
    {
        return all[static_cast<int>(particles.anchor[i].w)];
    }
    HALFULP_INLINE Vec<3, double> anchor_of(std::size_t i) const
    {
        const Four<double> anchor = particles.anchor[i];
        return {anchor.x, anchor.y, anchor.z};
    }

    // From the centre of the particle's cell to the end of an arm, in cell sides; of a period, the nearest image.
    HALFULP_INLINE Vec<D, double> place_from_cell(std::size_t i, const Pose& pose, const Vec<3, double>& arm) const
    {
        Vec<D, double> place;
        for (int c = 0; c < D; ++c) {
            const std::int64_t pivot = std::int64_t(frame.origin[static_cast<std::size_t>(c)]) + pose.pivot_cell[c];
            const auto cells = static_cast<double>(pivot - particles.cell[i][c]);
            place[c] = cells + (pose.pivot_offset[c] + (arm[c] + pose.moved[c]));
            const double period = frame.period[static_cast<std::size_t>(c)];
            if (period > 0) place[c] -= period * nearest_whole_product(place[c] / period, 1.0);
        }
        return place;
    }

    // What the offset of a place in the particle's cell is: from the cell's centre or, of a global coordinate, from
    // zero; before it is rounded.
    HALFULP_INLINE double offset_of(std::size_t i, int c, double from_cell) const
    {
        const double cells = Position::relative_to_cell || Position::in_double ? 0 : particles.cell[i][c];
        return (cells + from_cell) * static_cast<double>(parameters.cell_side);
    }

    // A number of the state, as the policy can hold it.
    HALFULP_INLINE void set(Real& value, Four<Real>* residuals, std::size_t i, int c, double exact) const
    {
        value = static_cast<Real>(exact);
        if constexpr (Update::has_residual) {
            residuals[i][c] = static_cast<Real>(exact - static_cast<double>(value));
            Update::settle(value, residuals[i][c]);
        }
    }

    // What the booked forces do to particle i in one kick.
    HALFULP_INLINE void book_kick(std::size_t i, const Four<Real>& rate, const Vec<D, double>& before,
                                  const Vec<D, double>& after, double interval) const
    {
        const Physics& physics = frame.physics;
        const auto book = [&](Work kind, const Vec<D, double>& force) {
            particles.work_of(kind)[i] += work_of_kick(force, before, after, interval);
        };
        const auto vector_of = [](const Four<Real>& of) {
            Vec<D, double> force{};
            for (int c = 0; c < D; ++c) force[c] = static_cast<double>(of[c]);
            return force;
        };
        const bool wall = particles.kind[i] == Kind::wall;
        if (wall) {
            // The reaction to what the fluid does to the wall. The share of each booked force is booked for the wall
            // too: only with it is a pair's viscous work what the pair dissipates, whoever moves.
            Vec<D, double> force = vector_of(rate);
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
                if (frame.period[static_cast<std::size_t>(c)] > 0)
                    force[c] = static_cast<double>(parameters.gravity[c]);
            }
            book(Work::driving, force);
        }
    }
};

// As a problem asks for; particles are the back end's.
template <class Policy, int D>
ParticleOperations<Policy, D> operations_of(const Problem& problem, const ParticleView<Policy>& particles)
{
    using Real = typename Policy::Real;
    const auto parameters = problem.parameters.as<D, Real>();
    return {.particles = particles,
            .frame = frame_of(problem),
            .parameters = parameters,
            .skin = Real(problem.skin) * parameters.cell_side,
            .density_bound = problem.source.numerics.density_bound,
            .limit_tension = !problem.source.numerics.wall_tension};
}

}  // namespace halfulp
