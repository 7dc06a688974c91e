// From the arrangement of particles to their state at time 0: cells, offsets, velocities, densities, and the energy
// that there is to lose.
#pragma once

#include "core/setup/problem.hpp"

namespace halfulp {

// Fills problem.particles, datum and available_energy. Throws an Error where a particle has no place.
void initialise(const Arrangement& arrangement, Problem& problem);

}  // namespace halfulp
