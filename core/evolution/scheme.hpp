// Time integrators as lists of steps. A scheme knows no hardware and no memory: a back end carries the operations out,
// one after another, for all particles.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/physics.hpp"

namespace halfulp {

enum class OperationKind {
    kick,                // u += fraction dt du/dt, and the work of the viscous force in that kick
    drift,               // x += fraction dt u, u with the addition of smooth_velocity
    move_walls,          // to where they are at fraction, 1/2 or 1, of the step, with the velocity that they have there
    refresh_neighbours,  // rebuild if the drifts of this step, fraction dt u in all, could bring an unlisted pair into
                         // the support; in some steps renew_neighbours (Simulation)
    renew_neighbours,    // the same, with a rebuild in any case
    rebuild_neighbours,  // at once, so that the order of particles is that of where they are now
    smooth_velocity,     // XSPH's addition to the velocity that moves the particles
    shift_particles,     // the velocity that particle shifting adds to that
    book_transport,      // the work of moving particles by both, fraction dt of it, against the forces they feel now
    filter_density,      // of the fluid, in some steps (Simulation), and the work of that
    extrapolate_walls,   // pressure and density of walls from the fluid's, and the work of the pressure, fraction dt of
                         // it
    density_gradient,    // the renormalised gradient of s, for Antuono's density diffusion
    density_rate,        // ds/dt from positions and velocities
    update_density,      // s += fraction dt ds/dt
    forces,              // du/dt from positions, densities and velocities
};

struct Operation {
    OperationKind kind;
    double fraction = 1;  // of the step
};

struct Scheme {
    std::string name;
    std::vector<Operation> start;  // once, before the first step
    std::vector<Operation> step;
};

// Time-symmetric kick-drift-kick with the density advanced by its rate at the midpoint:
//   u' = u + a dt/2; x' = x + u' dt/2; s1 = s + dt s_dot(x', u'); x1 = x' + u' dt/2; a1 = a(x1, s1); u1 = u' + a1 dt/2.
// Second order; exactly time-symmetric for pair (i) without viscosity at a fixed step. Viscous forces are taken at u',
// which makes them first order; so are density diffusion, taken at s, and XSPH, taken at x. Operations that the physics
// does not need are left out. A reversible one rebuilds the neighbours before every pass over pairs: their order
// decides the last bits of the sums, and on the way back particles come from the other side.
Scheme kick_drift_kick(const Physics& physics, bool reversible = false);

// By the name a case gives; throws an Error that lists the names.
Scheme scheme_by_name(std::string_view name, const Physics& physics, bool reversible = false);

}  // namespace halfulp
