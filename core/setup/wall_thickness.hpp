// How thick walls are where fluid can touch them, and how thick they must be.
//
// Fluid keeps half a spacing from a wall's face, so a particle of it reaches S - 1/2 spacings deep into the wall, S the
// support in spacings. Thinner walls lack particles, and fluid comes through: `layers_for_support`. Extrapolated walls,
// and those of the modified dynamic kind, take their pressure from the fluid in reach: where it reaches them from both
// sides, those within S - 1/2 of the one face must lie farther than S from fluid at the other:
// `layers_between_fluids`. What is known to leak is less (docs/physics.md): `least_layers_between_fluids`.
#pragma once

#include <cstdint>
#include <vector>

#include "core/setup/start_region.hpp"

namespace halfulp {

// Spacings, each the smallest whole number: at least S - 1, and at least 2S - 1.
std::int64_t layers_for_support(const Case& c);
std::int64_t layers_between_fluids(const Case& c);
// At least S up to h = 2 spacings; of wider kernels, which hold fluid back less well, 2S - 1.
std::int64_t least_layers_between_fluids(const Case& c);

// Of a wall's shape. Thicknesses are those straight in from the faces of sites that fluid can touch, until a site that
// is no wall of the same motion. A quarter of the faces is as thin or thinner: the tips of wedges and the flanks of
// round bodies are fewer.
struct WallThickness {
    std::int32_t shape = 0;
    std::int64_t any = 0;      // spacings, of all faces; layers_between_fluids where it is more
    std::int64_t between = 0;  // likewise, faces without fluid on the other side counting as thick
};

// Of every shape with a face that fluid can touch.
std::vector<WallThickness> wall_thicknesses(const Problem& problem, const StartRegion& start);

}  // namespace halfulp
