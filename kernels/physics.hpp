// The equations that a run solves: chosen in the case, independent of back end and number type. Where a back end passes
// a constant, branches on it cost nothing.
#pragma once

#include "kernels/models.hpp"
#include "kernels/wall_models.hpp"
#include "precision/annotation.hpp"

namespace halfulp {

// The two energy-conjugate pairs of continuity and momentum equation (continuity.hpp, momentum.hpp), never mixed:
// neighbours weighted by mass, pair (i) of Monaghan 1992, or by volume, pair (ii) of Colagrossi and Landrini 2003.
enum class Formulation { mass_weighted, volume_weighted };

// Wall boundary condition of viscous forces.
enum class WallSlip { no_slip, free_slip };

// The earlier state that a time integrator keeps (core/schemes): velocity, density and works of the previous step; or
// the whole state at the start of the step.
enum class PreviousState { none, step_before, start_of_step };

// Quantities of the fluid that only outputs need, computed by the operations that fit polynomials
// (core/operations/fluid_fit.hpp).
struct Analyses {
    bool vorticity = false;
    bool divergence = false;
    bool condition = false;
    bool derivatives = false;  // gradient and Laplacian of a field that is given beside the state

    bool operator==(const Analyses&) const = default;
};

struct Physics {
    StateEquation state_equation = StateEquation::tait;
    Formulation formulation = Formulation::mass_weighted;
    bool artificial_viscosity = false;
    LaminarViscosity laminar_viscosity = LaminarViscosity::none;
    bool tensile_correction = false;
    DensityDiffusion density_diffusion = DensityDiffusion::none;
    bool xsph = false;           // xsph.hpp
    bool step_softening = true;  // of the closing speeds in the step limit (time_step.hpp)
    bool central_force = false;
    bool driven = false;        // gravity has a component along a periodic direction
    bool moving_walls = false;  // as the case prescribes
    bool moving_frame = false;  // inertial forces act: the case is computed in a moving frame
    bool wall_forces = false;   // the fluid's force on walls is needed: they move, or it is measured
    Walls walls = Walls::dynamic;
    WallSlip wall_slip = WallSlip::no_slip;  // of a viscous fluid
    DensityFilter density_filter = DensityFilter::none;
    bool particle_shifting = false;  // particle_shifting.hpp
    PreviousState previous_state = PreviousState::none;
    Analyses analyses = {};
    bool integrator_error = false;  // the integrator books its own error of the energy

    bool operator==(const Physics&) const = default;
};

HALFULP_HOST_DEVICE constexpr bool is_viscous(const Physics& physics)
{
    return physics.artificial_viscosity || physics.laminar_viscosity != LaminarViscosity::none;
}

// The special passes for the density rate that are compiled for some physics (core/operations), and the general one for
// all physics. The policies of the precision laboratory have only `plain` (core/setup/case_checks.cpp refuses the
// rest).
enum class CompiledDensityRate { plain, balanced_diffusion, fourtakas_diffusion, general };
constexpr CompiledDensityRate compiled_density_rate(const Physics& physics)
{
    if (physics.formulation != Formulation::mass_weighted || physics.xsph || !physics.step_softening)
        return CompiledDensityRate::general;
    switch (physics.density_diffusion) {
    case DensityDiffusion::none: return CompiledDensityRate::plain;
    case DensityDiffusion::balanced: return CompiledDensityRate::balanced_diffusion;
    case DensityDiffusion::fourtakas: return CompiledDensityRate::fourtakas_diffusion;
    default: return CompiledDensityRate::general;
    }
}
// Likewise for the forces. Members that such a pass computes or never reads are cleared by name; a new member of
// Physics is not covered until it is added here.
constexpr bool covered_by_special_forces(const Physics& physics)
{
    Physics other = physics;
    other.density_diffusion = DensityDiffusion::none;
    other.density_filter = DensityFilter::none;
    other.previous_state = PreviousState::none;
    other.analyses = {};
    other.xsph = other.particle_shifting = other.integrator_error = false;
    other.step_softening = true;
    other.central_force = other.driven = other.moving_walls = other.moving_frame = other.wall_forces = false;
    // Viscosity reads the equation of state, and the own velocity of the walls on which it acts.
    if (!physics.artificial_viscosity) other.state_equation = StateEquation::tait;
    if (!physics.artificial_viscosity || physics.wall_slip == WallSlip::free_slip) {
        other.walls = Walls::dynamic;
        other.wall_slip = WallSlip::no_slip;
    }
    other.artificial_viscosity = false;
    return other == Physics{};
}

// Whether walls take their pressure from the fluid.
HALFULP_HOST_DEVICE constexpr bool follow_the_fluid(Walls walls)
{
    HALFULP_OF_MODEL(HALFULP_WALL_MODELS, Walls, walls, follow_the_fluid);
}

// Whether walls take their pressure from mirror nodes.
constexpr bool have_mirror_images(Walls walls)
{
    HALFULP_OF_MODEL(HALFULP_WALL_MODELS, Walls, walls, have_mirror_images);
}

// Whether walls continue the pressure at their mirror nodes as in fluid at rest (pressure cloning).
HALFULP_HOST_DEVICE constexpr bool clone_pressure(Walls walls)
{
    HALFULP_OF_MODEL(HALFULP_WALL_MODELS, Walls, walls, clone_pressure);
}

// Whether walls continue it along the fluid's own gradient instead (mDBC), which feeds sound between walls
// (docs/physics.md).
constexpr bool continue_gradient(Walls walls) { return have_mirror_images(walls) && !clone_pressure(walls); }

// Whether the density of wall particles farther than support + skin from all fluid is constant: in both states, if the
// integrator keeps that of the previous step. It is not if the integrator keeps the state at the start of the step, or
// if walls have mirror nodes, around which there may be fluid.
constexpr bool dry_walls_are_constant(const Physics& physics)
{
    return !have_mirror_images(physics.walls) && physics.previous_state != PreviousState::start_of_step;
}

// Whether neighbours are weighted by mass.
HALFULP_HOST_DEVICE constexpr bool by_mass(Formulation formulation)
{
    switch (formulation) {
    case Formulation::mass_weighted: return true;
    case Formulation::volume_weighted: return false;
    }
    __builtin_unreachable();
}

// Whether viscosity uses a wall velocity extrapolated from the fluid.
HALFULP_HOST_DEVICE constexpr bool has_extrapolated_velocity(const Physics& physics)
{
    return follow_the_fluid(physics.walls) && physics.wall_slip == WallSlip::no_slip && is_viscous(physics);
}

}  // namespace halfulp
