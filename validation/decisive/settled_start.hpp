// The start of a flow from water that has come to rest: a lattice in a tank is not at rest, and what its particles do
// until they are would be part of what follows.
#pragma once

#include "validation/decisive/flows.hpp"

namespace halfulp::decisive {

// Gives all particles of an arm's problem what they have in double precision after flow.settle seconds without
// flow.added, positions, velocities and densities, rounded to single precision; the same for every arm of the flow, at
// its origin. That run is done once in a program.
void settle(const Flow& flow, Problem& problem);

}  // namespace halfulp::decisive
