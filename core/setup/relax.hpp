// Relaxation of particles to an even arrangement along a curved boundary.
#pragma once

#include <array>
#include <vector>

namespace halfulp {

// A fixed point that represents a volume, in spacings^D.
struct FixedPoint {
    std::array<double, 3> position{};  // spacings
    double volume = 1;
};

// Moves particles of volume 1, positions in spacings, towards a uniform sum of V W, by the forces of a uniform
// pressure, -sum V grad W, between each other and the fixed points around them (the packing algorithm of Colagrossi,
// Bouscasse, Antuono and Marrone 2012, Comput. Phys. Commun. 183, 1641, sec. 3). The number of steps is fixed, and
// every sum has one order: the same bits for any number of threads.
//
// W is Wendland's C2 kernel with h of 2 spacings in 2D and 1.5 in 3D, whatever the case's: it prevents pairing, and
// cost and arrangement do not depend on the case's numerics.
void relax(std::vector<std::array<double, 3>>& positions, const std::vector<FixedPoint>& around, int dimensions);

}  // namespace halfulp
