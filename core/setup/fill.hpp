// Filling of shapes with particles: every shape is filled from one lattice of spacing Delta p, points at half-odd
// multiples, and shapes with a relaxed fill are then relaxed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/setup/case.hpp"
#include "core/setup/lattice.hpp"
#include "core/setup/placed_particles.hpp"

namespace halfulp {

// The distance of a face from a lattice plane, in spacings, up to which it is taken for rounding of decimal numbers.
inline constexpr double on_the_lattice = 1e-9;

// Displacements of a box's faces to the nearest lattice planes, m.
struct Snapped {
    std::int32_t shape;
    std::array<double, 3> from_moved;
    std::array<double, 3> to_moved;
};

// The number of particles of a shape with a relaxed fill, or of one of the lattice that differs from its volume by more
// than `exact_volume`: so does the mass of a fluid, and the buoyancy of a wall.
struct FilledVolume {
    std::int32_t shape;
    std::uint64_t particles;
    double volume;  // of the shape, spacings^D
    bool relaxed;
};
inline constexpr double exact_volume = 0.01;

struct Arrangement {
    PlacedParticles particles;  // in order of shape, then site (z, y, x): the index is the id
    std::uint64_t fluid = 0;
    std::uint64_t wall = 0;
    std::vector<Snapped> snapped;
    std::vector<FilledVolume> volumes;
    // Vectors from wall particles to their mirror nodes, m (mirror_images.hpp); empty for other wall models.
    std::vector<std::optional<std::array<double, 3>>> mirror_images;
    // Sites inside hollow shapes that no wall occupies: where the fluid can come to rest. A run's shape is the number
    // of its chamber (number_parts). Empty if there is no hollow shape or if some fluid starts outside of it.
    Rows interior;
};

// Throws an Error for unusable meshes and for empty or overlapping geometry, naming the shapes and where they meet.
Arrangement arrange(const Case& c);

}  // namespace halfulp
