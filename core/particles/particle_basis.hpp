// What operations on a particle share, and no more of the particles than an operation declares: a member that needs a
// field which the operation has not declared does not compile there.
#pragma once

#include "core/particles/particle_constants.hpp"
#include "core/particles/particle_view.hpp"
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
    const Frame& frame;
    const Parameters<D, Real>& parameters;

    template <class All>
    HALFULP_INLINE ParticleBasis(const All& all, const ParticleConstants<Policy, D>& same)
        : particles(all), constants(same), frame(same.frame), parameters(same.parameters)
    {
    }

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
};

}  // namespace halfulp
