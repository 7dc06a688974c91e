// Meshes whose numbers must be of another unit than m.
#pragma once

#include <string>

#include "core/setup/geometry.hpp"

namespace halfulp {

// What to say of the largest mesh where it is more than `times` as long as the box around all other shapes: its
// extents and the scale that files in mm need. Empty where there is none.
std::string mesh_in_other_units(const Case& c, const Geometry& geometry, double times);

}  // namespace halfulp
