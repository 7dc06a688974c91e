// The works booked in the energy ledger: changes of the sum of kinetic, potential and compressive energy, a column
// each, and the energy error of the integrator itself, where it is known.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/physics.hpp"
#include "precision/annotation.hpp"

namespace halfulp {

enum class Work : std::uint8_t {
    artificial,
    laminar,
    tensile,
    diffusion,
    xsph,
    shifting,
    driving,
    inertial,
    wall,
    wall_pressure,
    filter,
    integrator  // of no force: a share of the residual
};

struct WorkInfo {
    Work work;
    const char* name;  // of the buffer and of the ledger's column
    const char* previous_name;
    const char* description;
};

inline constexpr std::array works{
    WorkInfo{Work::artificial, "viscous_work", "previous_viscous_work", "of artificial viscosity"},
    WorkInfo{Work::laminar, "laminar_work", "previous_laminar_work", "of laminar viscosity"},
    WorkInfo{Work::tensile, "tensile_work", "previous_tensile_work", "of the tensile correction"},
    WorkInfo{Work::diffusion, "diffusion_work", "previous_diffusion_work",
             "compressive energy that density diffusion adds"},
    WorkInfo{Work::xsph, "smoothing_work", "previous_smoothing_work",
             "of moving particles, by XSPH, against their forces"},
    WorkInfo{Work::shifting, "shifting_work", "previous_shifting_work", "of particle shifting, against body forces"},
    WorkInfo{Work::driving, "driving_work", "previous_driving_work", "of gravity along periodic directions"},
    WorkInfo{Work::inertial, "inertial_work", "previous_inertial_work",
             "of inertial forces and of gravity's turning, in a moving frame"},
    WorkInfo{Work::wall, "wall_work", "previous_wall_work", "of moving walls on the fluid"},
    WorkInfo{Work::wall_pressure, "wall_pressure_work", "previous_wall_pressure_work",
             "of the pressure of walls that have it from the fluid"},
    WorkInfo{Work::filter, "filter_work", "previous_filter_work", "compressive energy that the density filter adds"},
    WorkInfo{Work::integrator, "integrator_error", "previous_integrator_error",
             "energy that the integrator adds, by the size of the step"},
};

HALFULP_HOST_DEVICE constexpr bool done_in(const Physics& physics, Work work)
{
    switch (work) {
    case Work::artificial: return physics.artificial_viscosity;
    case Work::laminar: return physics.laminar_viscosity != LaminarViscosity::none;
    case Work::tensile: return physics.tensile_correction;
    case Work::diffusion: return physics.density_diffusion != DensityDiffusion::none;
    case Work::xsph: return physics.xsph;
    case Work::shifting: return physics.particle_shifting;
    case Work::driving: return physics.driven;
    case Work::inertial: return physics.moving_frame;
    case Work::wall: return physics.moving_walls;
    case Work::wall_pressure: return follow_the_fluid(physics.walls);
    case Work::filter: return physics.density_filter != DensityFilter::none;
    case Work::integrator: return physics.integrator_error;
    }
    return false;
}

}  // namespace halfulp
