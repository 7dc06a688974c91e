// Candidates for the closest surface point of a form: one on each of its faces, edges (2D), or triangles.
#pragma once

#include <functional>

#include "core/setup/geometry.hpp"
#include "core/setup/point.hpp"

namespace halfulp {

// Calls use(point) for each candidate. For a mesh, only for triangles that have a point nearer than `reach`, m.
void closest_points(const Case& c, const Geometry& geometry, std::int32_t shape, const Point& from, double reach,
                    const std::function<void(const Point&)>& use);

// Whether a place lies inside the form, which must not be a mesh.
bool is_inside(const Case& c, std::int32_t shape, const Point& at);

}  // namespace halfulp
