// The fill of a shape with particles that follow its boundary instead of the lattice.
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

// The number of particles is the one nearest to the shape's volume, so that they have its mass. They start in the
// lattice cells most covered by the shape, at the centre of the covered part, and are relaxed against their
// surroundings: the sites that other shapes fill (`filled` contains the shape's own, too), and elsewhere a uniform
// medium up to the boundary, so that a free surface keeps its form.
RelaxedFill relaxed_fill(const Case& c, const Geometry& geometry, std::int32_t shape, const Rows& filled);

}  // namespace halfulp
