// Initial state of an arrangement of particles: cells, offsets, velocities, densities, and the available energy.
#pragma once

#include "core/setup/problem.hpp"

namespace halfulp {

// Fills problem.particles, datum and available_energy. Throws an Error if a particle's cell number is out of range.
void initialise(const Arrangement& arrangement, Problem& problem);

}  // namespace halfulp
