// The fill of a shape by particles that follow its boundary instead of the lattice.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/setup/geometry.hpp"

namespace halfulp {

struct RelaxedFill {
    std::vector<std::array<double, 3>> positions;  // spacings
    double volume = 0;                             // of the shape, spacings^D
};

// As many particles as are nearest to the shape's volume, so that their mass is that of the shape. They start in the
// cells of the lattice of which the shape covers most, at the middle of what it covers, and are relaxed against what
// surrounds them: the sites that other shapes fill (`filled`, the shape's own included), and elsewhere an even medium
// up to the boundary, so that a free surface keeps its form.
RelaxedFill relaxed_fill(const Case& c, const Geometry& geometry, std::int32_t shape, const Rows& filled);

}  // namespace halfulp
