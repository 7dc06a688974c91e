// Detection of meshes whose unit is probably not m.
#pragma once

#include <string>

#include "core/setup/geometry.hpp"

namespace halfulp {

// A note on the largest mesh if it is more than `times` as long as the box around all other shapes: its extents and the
// scale that files in mm need. Empty otherwise.
std::string mesh_in_other_units(const Case& c, const Geometry& geometry, double times);

}  // namespace halfulp
