// Initial state of an arrangement of particles: cells, offsets, velocities, densities, and the available energy.
#pragma once

#include "core/setup/problem.hpp"

namespace halfulp {

// Fills the densities of `start`, and datum and available_energy of the problem; arrangement: of the particles that
// `start` has. Throws an Error if a particle's cell, velocity or density is out of range.
void initialise(const Arrangement& arrangement, StartOfCase& start, Problem& problem);

}  // namespace halfulp
