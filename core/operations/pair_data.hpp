// What the passes over pairs read and write, as plain pointers: into the memory of whichever back end runs them.
#pragma once

#include <cstdint>

#include "core/motion/inertial_force.hpp"
#include "core/particles/buffers.hpp"
#include "core/setup/cell_position.hpp"
#include "kernels/parameters.hpp"
#include "kernels/physics.hpp"
#include "kernels/smoothing.hpp"

namespace halfulp {

template <class Real>
struct PairData {
    const Four<std::int32_t>* cell;
    const Kind* kind;
    const Four<Real>* offset;           // x, y, z; pressure term
    const Four<Real>* offset_residual;  // where pairs read it
    const Four<Real>* velocity;         // u, v, w; density
    Four<Real>* smoothing;              // buffers that the physics does not use are null
    Four<Real>* shifting;
    Four<Real>* rate;
    Four<Real>* artificial_rate;
    Four<Real>* laminar_rate;
    Four<Real>* tensile_rate;
    Four<Real>* inertial_rate;
    double* diffusion_rate;
    Four<Real>* density_gradient;
    double* filtered_density;
    Four<Real>* wall_extrapolation;  // u, v, w that viscosity sees; P/rho0
    Parameters<3, float> parameters;
    Physics physics;
    SmoothingKernel kernel;
    bool signal_speed;    // wanted for a variable step
    Real reach_squared;   // candidates are closer than this to a target, length units squared
    CellPosition centre;  // of the central force
    InertialForce inertial;
    const Four<double>* anchor;  // of walls that move
    const Pose* poses;           // of the motions at the end of the step
};

}  // namespace halfulp
