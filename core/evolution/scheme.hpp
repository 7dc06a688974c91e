// Time integrators as lists of steps. A scheme knows no hardware and no memory: a back end carries the operations out,
// one after another, for all particles.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/operations/list.hpp"
#include "kernels/physics.hpp"

namespace halfulp {

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
