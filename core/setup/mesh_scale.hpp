// Detection of meshes, and of whole cases, whose unit is probably not m.
#pragma once

#include <string>

#include "core/setup/geometry.hpp"

namespace halfulp {

// A note on the largest mesh if it is more than `times` as long as the box around all other shapes: its extents and the
// scale that files in mm need. Empty otherwise.
std::string mesh_in_other_units(const Case& c, const Geometry& geometry, double times);

// A note on the extents of all shapes if they are longer than anything that is usually simulated: their unit may be mm.
// Empty otherwise.
std::string case_in_other_units(const Case& c, const Geometry& geometry);

// "1000 x 610 m"
std::string text_of(const Geometry::Extent& extent, int dimensions);

}  // namespace halfulp
