// From shapes to particles: every shape is filled from one lattice of spacing Delta p, points at half-odd multiples.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/setup/case.hpp"

namespace halfulp {

struct LatticeParticle {
    std::array<std::int64_t, 3> site;  // x = (site + 1/2) Delta p in every dimension of the case; 0 in the others
    Kind kind;
    std::int32_t shape;  // index into Case::shapes
};

// How a box's faces moved to the nearest lattice plane, m.
struct Snapped {
    std::int32_t shape;
    std::array<double, 3> from_moved;
    std::array<double, 3> to_moved;
};

struct Arrangement {
    std::vector<LatticeParticle> particles;  // in order of shape, then site (z, y, x): the position in it is the id
    std::uint64_t fluid = 0;
    std::uint64_t wall = 0;
    std::vector<Snapped> snapped;
    // Sites inside hollow shapes that no wall occupies: where the fluid can come to rest. Empty if there is no hollow
    // shape or if some fluid starts outside of it.
    std::vector<std::array<std::int64_t, 3>> interior;
};

// Throws an Error for meshes that cannot be used and for empty or overlapping geometry, naming the shapes and where
// they meet.
Arrangement arrange(const Case& c);

}  // namespace halfulp
