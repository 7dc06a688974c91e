// All fields of the particles, each defined once. Buffers, views, copies, the columns of checkpoints, the checks of
// their contents, and the access of operations derive from this list; a new field is one entry. Units are those of the
// state (core/setup/units.hpp): lengths in cell sides, or in m.
#pragma once

#include "core/particles/field.hpp"
#include "core/particles/work.hpp"
#include "core/setup/shape.hpp"
#include "kernels/density_diffusion.hpp"

namespace halfulp {

namespace field {

HALFULP_FIELD(Cell, cell, Four<std::int32_t>, "1", Role::shown, "cell index x, y, z; id", true, Allowed::moved)
HALFULP_FIELD(KindOf, kind, Kind, "1", Role::shown, "0 fluid, 1 wall", true, Allowed::as_at_start)
HALFULP_FIELD(Coordinate, coordinate, Four<double>, "length unit", Role::shown, "position in double; unused",
              Policy::Position::in_double, Allowed::moved)
HALFULP_FIELD(Anchor, anchor, Four<double>, "cell side", Role::state,
              "of moving walls: from the pivot at the start; index of the motion or -1", physics.moving_walls,
              Allowed::as_at_start)
HALFULP_FIELD(Body, body, std::int32_t, "1", Role::state, "shape of the case that the particle is of",
              physics.wall_forces, Allowed::as_at_start)
HALFULP_FIELD(MirrorImage, mirror_image, Four<Real>, "cell side", Role::state,
              "of walls at the start, from the particle; 1 or, where there is none, 0",
              have_mirror_images(physics.walls), Allowed::as_at_start)
HALFULP_FIELD(Offset, offset, Four<Real>, "length unit", Role::shown,
              "from the cell's centre, or the coordinate; pressure term (derived)", true, Allowed::moved)
HALFULP_FIELD(Velocity, velocity, Four<Real>, "velocity unit", Role::shown, "velocity; density as it is stored", true,
              Allowed::moved)
HALFULP_FIELD(OffsetResidual, offset_residual, Four<Real>, "length unit", Role::shown,
              "what rounding has kept out of the offset; unused", Policy::Update::has_residual, Allowed::moved)
HALFULP_FIELD(VelocityResidual, velocity_residual, Four<Real>, "velocity unit", Role::shown,
              "what rounding has kept out of velocity; and density", Policy::Update::has_residual, Allowed::moved)
HALFULP_FIELD(Reference, reference, Four<Real>, "length unit", Role::state, "offset at the last rebuild; unused", true,
              Allowed::moved)
HALFULP_FIELD(PreviousOffset, previous_offset, Four<Real>, "length unit", Role::state,
              "offset at the start of the step; unused", physics.previous_state == PreviousState::start_of_step)
HALFULP_FIELD(PreviousOffsetResidual, previous_offset_residual, Four<Real>, "length unit", Role::state,
              "its residual; unused",
              Policy::Update::has_residual&& physics.previous_state == PreviousState::start_of_step)
HALFULP_FIELD(PreviousCoordinate, previous_coordinate, Four<double>, "length unit", Role::state,
              "position in double at the start of the step; unused",
              Policy::Position::in_double&& physics.previous_state == PreviousState::start_of_step)
HALFULP_FIELD(PreviousVelocity, previous_velocity, Four<Real>, "velocity unit", Role::state,
              "velocity; density as it is stored, at the start of the step or of the step before",
              physics.previous_state != PreviousState::none)
HALFULP_FIELD(PreviousVelocityResidual, previous_velocity_residual, Four<Real>, "velocity unit", Role::state,
              "its residual; and that of the density",
              Policy::Update::has_residual&& physics.previous_state != PreviousState::none)
HALFULP_FIELD(XsphVelocity, xsph_velocity, Four<Real>, "velocity unit", Role::state,
              "XSPH's addition to the velocity that moves the particle; unused", physics.xsph)
HALFULP_FIELD(Shifting, shifting, Four<Real>, "velocity unit", Role::state, "velocity of particle shifting; unused",
              physics.particle_shifting)
HALFULP_FIELD(Rate, rate, Four<Real>, "velocity unit / time unit", Role::carried, "du/dt; ds/dt", true)
HALFULP_FIELD(ArtificialRate, artificial_rate, Four<Real>, "velocity unit / time unit", Role::derived,
              "share of artificial viscosity; unused", physics.artificial_viscosity)
HALFULP_FIELD(LaminarRate, laminar_rate, Four<Real>, "velocity unit / time unit", Role::derived,
              "share of laminar viscosity; unused", physics.laminar_viscosity != LaminarViscosity::none)
HALFULP_FIELD(TensileRate, tensile_rate, Four<Real>, "velocity unit / time unit", Role::derived,
              "share of the tensile correction; unused", physics.tensile_correction)
HALFULP_FIELD(InertialRate, inertial_rate, Four<Real>, "velocity unit / time unit", Role::derived,
              "share of inertial forces; unused", physics.moving_frame)
HALFULP_FIELD(DiffusionRate, diffusion_rate, double, "1 / time unit", Role::derived, "share of ds/dt",
              physics.density_diffusion != DensityDiffusion::none)
// A renormalised gradient is computed right before its use; one from the forces before particles are sorted, so it must
// move with them.
HALFULP_FIELD(DensityGradient, density_gradient, Four<Real>, "1 / length unit; 1",
              density_gradient_of(physics) == GradientOfDensity::by_forces ? Role::state : Role::derived,
              "gradient of s, renormalised or by the forces; weight of the diffusion", has_density_gradient(physics))
HALFULP_FIELD(FilteredDensity, filtered_density, double, "1", Role::derived, "s of the fluid after the filter",
              physics.density_filter != DensityFilter::none)
HALFULP_FIELD(WallExtrapolation, wall_extrapolation, Four<Real>, "velocity unit; velocity unit^2", Role::derived,
              "velocity of walls that viscosity sees; their P/rho0", follow_the_fluid(physics.walls))

HALFULP_FIELD(ContactPressure, contact_pressure, Real, "velocity unit^2", Role::state,
              "over rho0, of fluid that walls keep out", has_contact_pressure(physics))

// Fields that only outputs need (core/operations/fluid_fit.hpp); they describe the fluid and have no meaning for walls.
HALFULP_FIELD(Analysed, analysed, Real, "its own", Role::state, "a field whose derivatives are wanted, less a number",
              physics.analyses.derivatives)
HALFULP_FIELD(Gradient, gradient, Four<Real>, "its own / length unit", Role::result, "of that field; unused",
              physics.analyses.derivatives)
HALFULP_FIELD(Laplacian, laplacian, Real, "its own / length unit^2", Role::result, "of that field",
              physics.analyses.derivatives)
HALFULP_FIELD(Vorticity, vorticity, Four<Real>, "velocity unit / length unit", Role::result,
              "curl of the velocity; unused", physics.analyses.vorticity)
HALFULP_FIELD(Divergence, divergence, Real, "velocity unit / length unit", Role::result, "of the velocity",
              physics.analyses.divergence)
HALFULP_FIELD(Condition, condition, Real, "1", Role::result, "of the matrix that renormalises gradients",
              physics.analyses.condition)

// Work done on the particle since the start, per unit mass, as an array over the kinds of work; also as of the previous
// step, for an integrator whose steps span two.
struct Works {
    template <class Real>
    using Element = double;
    template <class Storage>
    struct Member {
        Storage work[works.size()]{};
        Storage previous_work[works.size()]{};

        [[nodiscard]] HALFULP_INLINE Storage& work_of(Work kind) { return work[static_cast<std::size_t>(kind)]; }
        [[nodiscard]] HALFULP_INLINE const Storage& work_of(Work kind) const
        {
            return work[static_cast<std::size_t>(kind)];
        }
    };
    template <class Storage>
    static HALFULP_INLINE Member<Storage>& of(Member<Storage>& members)
    {
        return members;
    }
    template <class Storage>
    static HALFULP_INLINE const Member<Storage>& of(const Member<Storage>& members)
    {
        return members;
    }
};

}  // namespace field

// In the order of checkpoints.
using AllFields =
    FieldList<field::Cell, field::KindOf, field::Coordinate, field::Anchor, field::Body, field::MirrorImage,
              field::Offset, field::Velocity, field::OffsetResidual, field::VelocityResidual, field::Reference,
              field::PreviousOffset, field::PreviousOffsetResidual, field::PreviousCoordinate, field::PreviousVelocity,
              field::PreviousVelocityResidual, field::XsphVelocity, field::Shifting, field::ContactPressure,
              field::Works, field::Rate, field::ArtificialRate, field::LaminarRate, field::TensileRate,
              field::InertialRate, field::DiffusionRate, field::DensityGradient, field::FilteredDensity,
              field::WallExtrapolation, field::Analysed, field::Gradient, field::Laplacian, field::Vorticity,
              field::Divergence, field::Condition>;

}  // namespace halfulp
