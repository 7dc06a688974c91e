// A particle swarm in several layouts of memory (Bilotta, Zago and Herault 2018, section 4): velocities
// v <- w v + c1 r1 (p - x) + c2 r2 (g - x), positions x <- x + v, cost sum of x^2 - 10 cos 2 pi x + 10 (Rastrigin). All
// layouts do the same operations in the same order on the same drawn numbers, so they have the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

namespace halfulp::layouts {

// Of particles in three dimensions.
enum class Structure {
    structures,            // one array; a particle is read and written whole
    selective_structures,  // one array; what has changed is written
    arrays,                // an array each of positions, velocities, best places, three numbers an element
    padded_arrays,         // four numbers an element
};

struct Timed {
    double update = 0;       // s; median of position updates
    double iteration = 0;    // s; median of whole iterations; 0: not taken
    std::uint64_t bits = 0;  // of all positions at the end
};

// rounds: timed updates and timed iterations.
Timed time_swarm(Structure structure, std::size_t particles, int threads, int rounds);

// Position updates of particles in `dimensions` dimensions. chunk: 0, the components of a particle lie together; 1, a
// component of all particles (transposed); more: so many components together. together: particles that a thread updates
// side by side, component by component; dimensions are a multiple of chunk, particles of together.
Timed time_wide_update(int chunk, int together, std::size_t particles, int dimensions, int threads, int rounds);

// The same on the device that has been chosen, a particle a thread. Cosines of the cost are the device's, so whole
// iterations have other bits than on the host. Throw an Error in a build without CUDA.
Timed time_swarm_on_device(Structure structure, std::size_t particles, int rounds);
Timed time_wide_update_on_device(int chunk, std::size_t particles, int dimensions, int rounds);

}  // namespace halfulp::layouts
