// Common base of operations on a particle, restricted to the fields that an operation declares: a member that needs an
// undeclared field does not compile there.
#pragma once

#include <limits>

#include "core/particles/particle_constants.hpp"
#include "core/particles/particle_view.hpp"
#include "kernels/momentum.hpp"
#include "kernels/state_equation.hpp"
#include "precision/error_free.hpp"
#include "precision/position.hpp"

namespace halfulp {

template <class Policy, int D, class Reads, class Writes>
struct ParticleBasis {
    using Real = typename Policy::Real;
    using Position = typename Policy::Position;
    using Density = typename Policy::Density;
    using Update = typename Policy::Update;

    ParticleFields<Policy, Access<Real, Reads, Writes>> particles;
    const ParticleConstants<Policy, D>& constants;
    const Domain& domain;
    const Parameters<D, Real>& parameters;

    template <class All>
    HALFULP_INLINE ParticleBasis(const All& all, const ParticleConstants<Policy, D>& same)
        : particles(all), constants(same), domain(same.domain), parameters(same.parameters)
    {
    }

    // Fluid moves by its velocity, walls as a motion prescribes.
    HALFULP_INLINE bool is_fluid(std::size_t i) const { return particles.kind[i] == Kind::fluid; }
    HALFULP_INLINE bool is_prescribed(std::size_t i) const
    {
        return domain.physics.moving_walls && particles.anchor[i].w >= 0;
    }
    // Whether its density is integrated or, otherwise, taken from the fluid.
    HALFULP_INLINE bool integrates_density(std::size_t i) const
    {
        return !follow_the_fluid(domain.physics.walls) || is_fluid(i);
    }
    HALFULP_INLINE bool moves(std::size_t i) const { return is_fluid(i) || is_prescribed(i); }

    HALFULP_INLINE Real pressure_term_at(const Real& stored_density) const
    {
        return pressure_term_of<Policy>(domain.physics, stored_density, parameters.reference_density,
                                        parameters.stiffness);
    }

    // P/rho^2, and the part of ds/dt conjugate to it: that of the continuity equation.
    HALFULP_INLINE double pressure_over_density_square(std::size_t i) const
    {
        return pressure_over_square(domain.physics, static_cast<double>(particles.offset[i].w),
                                    Density::centred(static_cast<double>(particles.velocity[i].w),
                                                     static_cast<double>(parameters.reference_density)));
    }
    HALFULP_INLINE double conjugate_rate(std::size_t i) const
    {
        const auto unit = static_cast<double>(parameters.reference_density);
        double share = static_cast<double>(particles.rate[i].w) / Density::rate(1.0, unit);
        if (domain.physics.density_diffusion != DensityDiffusion::none) share -= particles.diffusion_rate[i];
        return share;
    }

    // For policies with positions in double: the offset that pairs read.
    HALFULP_INLINE void offset_from_coordinate(std::size_t i) const
    {
        const auto side = static_cast<double>(parameters.cell_side);
        for (int c = 0; c < D; ++c)
            particles.offset[i][c] = static_cast<Real>(particles.coordinate[i][c] - particles.cell[i][c] * side);
    }

    // The transport velocity of particle i, XSPH and shifting included, and its rounding residual.
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
        if (domain.physics.xsph) add(particles.xsph_velocity[i]);
        if (domain.physics.particle_shifting) add(particles.shifting[i]);
    }

    // x += (rate + residual) interval.
    HALFULP_INLINE void move(std::size_t i, const Vec<D, Real>& rate, const Vec<D, Real>& rate_residual,
                             Real interval) const
    {
        if constexpr (Position::in_double) {
            for (int c = 0; c < D; ++c) {
                double& coordinate = particles.coordinate[i][c];
                const double speed = static_cast<double>(rate[c]) + static_cast<double>(rate_residual[c]);
                coordinate = fma(speed, static_cast<double>(interval), coordinate);
            }
            offset_from_coordinate(i);
        } else {
            Four<Real> x = particles.offset[i];
            Four<Real> residual = particles.offset_residual_of(i);
            for (int c = 0; c < D; ++c) Update::advance(x[c], residual[c], rate[c], rate_residual[c], interval);
            particles.offset[i] = x;
            if constexpr (Update::has_residual) particles.offset_residual[i] = residual;
        }
    }

    HALFULP_INLINE const Pose& pose_of(std::size_t i, const Pose* all) const
    {
        return all[static_cast<int>(particles.anchor[i].w)];
    }
    HALFULP_INLINE Vec<3, double> anchor_of(std::size_t i) const
    {
        const Four<double> anchor = particles.anchor[i];
        return {anchor.x, anchor.y, anchor.z};
    }

    // Vector from the centre of the particle's cell to the end of an arm, cell sides; to the nearest image of a period.
    HALFULP_INLINE Vec<D, double> place_from_cell(std::size_t i, const Pose& pose, const Vec<3, double>& arm) const
    {
        Vec<D, double> place;
        for (int c = 0; c < D; ++c) {
            const std::int64_t pivot = std::int64_t(domain.origin[static_cast<std::size_t>(c)]) + pose.pivot_cell[c];
            const auto cells = static_cast<double>(pivot - particles.cell[i][c]);
            place[c] = cells + (pose.pivot_offset[c] + (arm[c] + pose.moved[c]));
            const double period = domain.period[static_cast<std::size_t>(c)];
            if (period > 0) place[c] -= period * nearest_whole_product(place[c] / period, 1.0);
        }
        return place;
    }

    // The unrounded offset of a position in the particle's cell: from the cell's centre or, for a global coordinate,
    // from zero.
    HALFULP_INLINE double offset_of(std::size_t i, int c, double from_cell) const
    {
        const double cells = Position::relative_to_cell || Position::in_double ? 0 : particles.cell[i][c];
        return (cells + from_cell) * static_cast<double>(parameters.cell_side);
    }

    // The residual of the midpoint rule divided by the rounding tolerance. The residual is the distance of the velocity
    // from that at the start of the step plus `interval` times the rate; the tolerance is a 64th of the larger of sound
    // speed and speed, times the machine epsilon.
    HALFULP_INLINE double midpoint_residual(std::size_t i, Real interval) const
    {
        const Four<Real> u = particles.velocity[i];
        const Four<Real> residual = particles.velocity_residual_of(i);
        const Four<Real> before = particles.previous_velocity[i];
        Four<Real> residual_before{};
        if constexpr (Update::has_residual) residual_before = particles.previous_velocity_residual[i];
        Real farthest = 0;
        Real speed = parameters.sound_speed;
        for (int c = 0; c < D; ++c) {
            const Real change = (before[c] - u[c]) + (residual_before[c] - residual[c]);
            const Real off = magnitude(fma(particles.rate[i][c], interval, change));
            if (!(off <= farthest)) farthest = off;
            speed = larger(speed, magnitude(u[c]));
        }
        const auto spacing = static_cast<double>(std::numeric_limits<Real>::epsilon());
        const double over = 64 * static_cast<double>(Real(farthest / speed)) / spacing;
        return over - over == 0 ? over : std::numeric_limits<double>::infinity();
    }

    // Sets a number of the state, rounded to the policy's representation.
    HALFULP_INLINE void set(Real& value, Four<Real>* residuals, std::size_t i, int c, double exact) const
    {
        value = static_cast<Real>(exact);
        if constexpr (Update::has_residual) {
            residuals[i][c] = static_cast<Real>(exact - static_cast<double>(value));
            Update::settle(value, residuals[i][c]);
        }
    }
};

}  // namespace halfulp
