// Points of the surface of a form that may be the closest one to a place: one on each of its faces, edges (2D), or
// triangles.
#pragma once

#include <array>
#include <functional>

#include "core/setup/geometry.hpp"

namespace halfulp {

using Place = std::array<double, 3>;  // m; 0 in the dimension that a 2D case does not have

// Calls use(point) for each of them. Of a mesh, only for triangles that have a point nearer than `reach`, m.
void closest_points(const Case& c, const Geometry& geometry, std::int32_t shape, const Place& from, double reach,
                    const std::function<void(const Place&)>& use);

// Whether a place lies inside the form, which is no mesh.
bool is_inside(const Case& c, std::int32_t shape, const Place& at);

}  // namespace halfulp
