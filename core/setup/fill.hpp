// From shapes to particles: every shape is filled from one lattice of spacing Delta p, points at half-odd multiples,
// and those that ask for it are then relaxed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/setup/case.hpp"
#include "core/setup/lattice.hpp"

namespace halfulp {

struct PlacedParticle {
    std::array<double, 3> position;  // spacings; 1/2 in the dimensions that the case does not have
    Kind kind;
    std::int32_t shape;  // index into Case::shapes
};

// How a box's faces moved to the nearest lattice plane, m.
struct Snapped {
    std::int32_t shape;
    std::array<double, 3> from_moved;
    std::array<double, 3> to_moved;
};

// A shape with a relaxed fill.
struct Relaxed {
    std::int32_t shape;
    std::uint64_t particles;
    double volume;  // of the shape, spacings^D: what the number of particles is nearest to
};

struct Arrangement {
    std::vector<PlacedParticle> particles;  // in order of shape, then site (z, y, x): the position in it is the id
    std::uint64_t fluid = 0;
    std::uint64_t wall = 0;
    std::vector<Snapped> snapped;
    std::vector<Relaxed> relaxed;
    // From wall particles to their mirror images, m (mirror_images.hpp); empty but for modified dynamic walls.
    std::vector<std::optional<std::array<double, 3>>> mirror_images;
    // Sites inside hollow shapes that no wall occupies: where the fluid can come to rest. Empty if there is no hollow
    // shape or if some fluid starts outside of it.
    std::vector<Site> interior;
};

// Throws an Error for meshes that cannot be used and for empty or overlapping geometry, naming the shapes and where
// they meet.
Arrangement arrange(const Case& c);

}  // namespace halfulp
