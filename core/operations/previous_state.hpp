// The operations on the state of an earlier time that an integrator keeps: saving, swapping and restoring it.
#pragma once

#include "core/operations/operation.hpp"
#include "core/particles/particle_basis.hpp"

namespace halfulp {

// Saves velocity and density and, as the integrator needs them, the works so far or the position.
struct KeepState {
    static constexpr OperationInfo info{"keep_state", TargetOfOperation::particles, Stage::update};
    static constexpr bool needed(const Physics& physics) { return physics.previous_state != PreviousState::none; }

    using Reads = Parts<Part<field::Offset, vector>, Part<field::OffsetResidual>, Part<field::Coordinate>,
                        Part<field::Velocity>, Part<field::VelocityResidual>>;
    using Writes =
        Parts<Part<field::PreviousOffset>, Part<field::PreviousOffsetResidual>, Part<field::PreviousCoordinate>,
              Part<field::PreviousVelocity>, Part<field::PreviousVelocityResidual>, Part<field::Works>>;
    template <class Policy, int D>
    struct Update : ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>> {
        using Basis = ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>>;
        using Basis::Basis, Basis::particles, Basis::domain;
        using typename Basis::Real;
        static constexpr bool has_residual = Policy::Update::has_residual;

        HALFULP_INLINE bool concerns(std::size_t /*i*/) const { return true; }
        HALFULP_INLINE void operator()(std::size_t i, const Interval<Real>& /*interval*/) const
        {
            particles.previous_velocity[i] = particles.velocity[i];
            if constexpr (has_residual) particles.previous_velocity_residual[i] = particles.velocity_residual[i];
            if (domain.physics.previous_state == PreviousState::step_before) {
                for (std::size_t k = 0; k < works.size(); ++k) {
                    if (done_in(domain.physics, static_cast<Work>(k)))
                        particles.previous_work[k][i] = particles.work[k][i];
                }
            } else {
                particles.previous_offset[i] = particles.offset[i];
                if constexpr (has_residual) particles.previous_offset_residual[i] = particles.offset_residual[i];
                if constexpr (Policy::Position::in_double) particles.previous_coordinate[i] = particles.coordinate[i];
            }
        }
    };
};

// Swaps the present works with those of the previous step.
struct SwapWorks {
    static constexpr OperationInfo info{"swap_works", TargetOfOperation::particles, Stage::update};
    static constexpr bool needed(const Physics& physics)
    {
        return physics.previous_state == PreviousState::step_before;
    }
    // Since all particles and all components are swapped, the buffers can exchange their memory instead.
    static constexpr bool swaps_buffers(const Physics& /*physics*/) { return true; }
    template <class Buffers>
    static void swap_buffers(Buffers& buffers)
    {
        for (std::size_t k = 0; k < works.size(); ++k) buffers.work[k].swap(buffers.previous_work[k]);
    }

    using Reads = Parts<>;
    using Writes = Parts<Part<field::Works>>;
    template <class Policy, int D>
    struct Update : ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>> {
        using Basis = ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>>;
        using Basis::Basis, Basis::particles, Basis::domain;
        using typename Basis::Real;

        HALFULP_INLINE bool concerns(std::size_t /*i*/) const { return true; }
        HALFULP_INLINE void operator()(std::size_t i, const Interval<Real>& /*interval*/) const
        {
            for (std::size_t k = 0; k < works.size(); ++k) {
                if (!done_in(domain.physics, static_cast<Work>(k))) continue;
                const double until_now = particles.work[k][i];
                particles.work[k][i] = particles.previous_work[k][i];
                particles.previous_work[k][i] = until_now;
            }
        }
    };
};

// Swaps the fluid's velocity, and every density that is integrated, with those of the previous step.
struct SwapState {
    static constexpr OperationInfo info{"swap_state", TargetOfOperation::particles, Stage::update};
    static constexpr bool needed(const Physics& physics)
    {
        return physics.previous_state == PreviousState::step_before;
    }
    // As above, if walls are at rest: both their velocities are then the same, and their densities are integrated like
    // the fluid's.
    static constexpr bool swaps_buffers(const Physics& physics)
    {
        return !physics.moving_walls && !follow_the_fluid(physics.walls);
    }
    template <class Buffers>
    static void swap_buffers(Buffers& buffers)
    {
        buffers.velocity.swap(buffers.previous_velocity);
        buffers.velocity_residual.swap(buffers.previous_velocity_residual);
    }

    using Reads = Parts<Part<field::KindOf>>;
    using Writes = Parts<Part<field::Velocity>, Part<field::VelocityResidual>, Part<field::PreviousVelocity>,
                         Part<field::PreviousVelocityResidual>>;
    template <class Policy, int D>
    struct Update : ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>> {
        using Basis = ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>>;
        using Basis::Basis, Basis::particles;
        using typename Basis::Real;

        HALFULP_INLINE bool concerns(std::size_t i) const { return this->integrates_density(i); }
        HALFULP_INLINE void operator()(std::size_t i, const Interval<Real>& /*interval*/) const
        {
            exchange(particles.velocity[i], particles.previous_velocity[i], this->is_fluid(i));
            if constexpr (Policy::Update::has_residual)
                exchange(particles.velocity_residual[i], particles.previous_velocity_residual[i], this->is_fluid(i));
        }

    private:
        static HALFULP_INLINE void exchange(Four<Real>& now, Four<Real>& before, bool whole)
        {
            const Four<Real> old = before;
            if (whole) {
                before = now;
                now = old;
            } else {
                before.w = now.w;
                now.w = old.w;
            }
        }
    };
};

// Restores the fluid's position at the start of the step.
struct RestorePosition {
    static constexpr OperationInfo info{"restore_position", TargetOfOperation::particles, Stage::update};
    static constexpr bool needed(const Physics& physics)
    {
        return physics.previous_state == PreviousState::start_of_step;
    }

    using Reads = Parts<Part<field::Cell>, Part<field::KindOf>, Part<field::PreviousOffset>,
                        Part<field::PreviousOffsetResidual>, Part<field::PreviousCoordinate>>;
    using Writes = Parts<Part<field::Offset, vector>, Part<field::OffsetResidual>, Part<field::Coordinate>>;
    template <class Policy, int D>
    struct Update : ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>> {
        using Basis = ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>>;
        using Basis::Basis, Basis::particles;
        using typename Basis::Real;

        HALFULP_INLINE bool concerns(std::size_t i) const { return this->is_fluid(i); }
        HALFULP_INLINE void operator()(std::size_t i, const Interval<Real>& /*interval*/) const
        {
            for (int c = 0; c < D; ++c) particles.offset[i][c] = particles.previous_offset[i][c];
            if constexpr (Policy::Update::has_residual)
                particles.offset_residual[i] = particles.previous_offset_residual[i];
            if constexpr (Policy::Position::in_double) {
                particles.coordinate[i] = particles.previous_coordinate[i];
                this->offset_from_coordinate(i);
            }
        }
    };
};

// Restores the fluid's velocity at the start of the step.
struct RestoreVelocity {
    static constexpr OperationInfo info{"restore_velocity", TargetOfOperation::particles, Stage::update};
    static constexpr bool needed(const Physics& physics) { return RestorePosition::needed(physics); }

    using Reads = Parts<Part<field::KindOf>, Part<field::PreviousVelocity, vector>,
                        Part<field::PreviousVelocityResidual, vector>>;
    using Writes = Parts<Part<field::Velocity, vector>, Part<field::VelocityResidual, vector>>;
    template <class Policy, int D>
    struct Update : ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>> {
        using Basis = ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>>;
        using Basis::Basis, Basis::particles;
        using typename Basis::Real;

        HALFULP_INLINE bool concerns(std::size_t i) const { return this->is_fluid(i); }
        HALFULP_INLINE void operator()(std::size_t i, const Interval<Real>& /*interval*/) const
        {
            for (int c = 0; c < D; ++c) {
                particles.velocity[i][c] = particles.previous_velocity[i][c];
                if constexpr (Policy::Update::has_residual)
                    particles.velocity_residual[i][c] = particles.previous_velocity_residual[i][c];
            }
        }
    };
};

// Restores integrated densities at the start of the step; the pressure term follows with its update.
struct RestoreDensity {
    static constexpr OperationInfo info{"restore_density", TargetOfOperation::particles, Stage::update};
    static constexpr bool needed(const Physics& physics) { return RestorePosition::needed(physics); }

    using Reads = Parts<Part<field::KindOf>, Part<field::PreviousVelocity, scalar>,
                        Part<field::PreviousVelocityResidual, scalar>>;
    using Writes = Parts<Part<field::Velocity, scalar>, Part<field::VelocityResidual, scalar>>;
    template <class Policy, int D>
    struct Update : ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>> {
        using Basis = ParticleBasis<Policy, D, FieldsOf<Reads>, FieldsOf<Writes>>;
        using Basis::Basis, Basis::particles;
        using typename Basis::Real;

        HALFULP_INLINE bool concerns(std::size_t i) const { return this->integrates_density(i); }
        HALFULP_INLINE void operator()(std::size_t i, const Interval<Real>& /*interval*/) const
        {
            particles.velocity[i].w = particles.previous_velocity[i].w;
            if constexpr (Policy::Update::has_residual)
                particles.velocity_residual[i].w = particles.previous_velocity_residual[i].w;
        }
    };
};

}  // namespace halfulp
