// Mirror nodes of wall particles in the surface of their wall, from which mDBC walls take their density
// (kernels/mirrored_density.hpp).
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/setup/fill.hpp"
#include "core/setup/geometry.hpp"

namespace halfulp {

// For each particle, the vector to its mirror node, m. None for fluid, nor for walls without a surface within the
// kernel's support that faces open space. The nearest surface counts: of the particle's own shape, of a shape cut out
// of it, or of another wall, as under the edge of a body that stands on a floor. If another wall that moves differently
// leaves no such surface, it is ignored, since it may uncover the surface later. A hollow shape has only its inner
// surface, and the outer surfaces of the outermost shapes count only if there is no other. filled: all sites by shape.
std::vector<std::optional<std::array<double, 3>>> mirror_images(const Case& c, const Geometry& geometry,
                                                                const Rows& filled, const PlacedParticles& particles);

}  // namespace halfulp
