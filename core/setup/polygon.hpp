// Simple polygons in the plane.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace halfulp {

using Polygon = std::vector<std::array<double, 2>>;  // corners in order, m; the last is joined to the first

// Signed area by the shoelace formula, m^2; positive if the corners go counter-clockwise.
double area(const Polygon& corners);

// Two edges, each named by its first corner, that meet other than at a shared corner; none if simple.
std::optional<std::pair<std::size_t, std::size_t>> crossing_edges(const Polygon& corners);

// The x at which the line y = height enters and leaves the polygon alternately, ascending (the even-odd rule).
std::vector<double> crossings_at(const Polygon& corners, double height);

}  // namespace halfulp
