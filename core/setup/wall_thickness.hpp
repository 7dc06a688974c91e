// The thickness of walls where fluid can touch them, and the required thickness.
//
// Fluid stays half a spacing away from a wall's face, so its support reaches S - 1/2 spacings deep into the wall, S the
// support in spacings. Thinner walls lack particles, and fluid leaks through: `layers_for_support`. Walls that
// follow the fluid take their pressure from that within the support: with fluid on both sides, wall particles within S
// - 1/2 of one face must lie farther than S from fluid at the other: `layers_between_fluids`. Walls known to leak are
// thinner (docs/physics.md): `least_layers_between_fluids`.
#pragma once

#include <cstdint>
#include <vector>

#include "core/setup/start_region.hpp"

namespace halfulp {

// Spacings, each the smallest whole number: at least S - 1, and at least 2S - 1.
std::int64_t layers_for_support(const Case& c);
std::int64_t layers_between_fluids(const Case& c);
// At least S up to h = 2 spacings; for wider kernels, which hold fluid back less well, 2S - 1.
std::int64_t least_layers_between_fluids(const Case& c);

// The thickness of the walls of a shape: the lower quartile over the faces of sites that fluid can touch, since tips of
// wedges are fewer. At each face it is measured straight inwards, to a site that is not a wall of the same motion. Near
// a compact part of the shape (within d spacings of a ball of diameter d in it, d the thickness needed between fluids)
// the wall counts as that thick.
struct WallThickness {
    std::int32_t shape = 0;
    std::int64_t any = 0;      // spacings, of all faces; layers_between_fluids where it is more
    std::int64_t between = 0;  // the same with faces without fluid on the other side counting as thick
};

// For every shape with a face that fluid can touch.
std::vector<WallThickness> wall_thicknesses(const Problem& problem, const StartRegion& start);

}  // namespace halfulp
