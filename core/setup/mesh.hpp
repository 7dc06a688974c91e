// Closed triangle surfaces, read from STL files.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace halfulp {

struct Mesh {
    std::vector<std::array<double, 3>> corners;          // m, each position once
    std::vector<std::array<std::int32_t, 3>> triangles;  // counter-clockwise seen from outside, or all reversed
};

// Reads a binary or ASCII STL file; a corner at X in the file lies at scale X + move, m. Corners equal to the bit are
// joined, and triangles with two equal corners, which have no effect, are omitted. Throws an Error, whose message
// starts with `key`, if the file cannot be read or is not STL, if a number is not finite, or if the surface is not
// closed: along every edge as many triangles must run one way as the other.
Mesh read_mesh(const std::filesystem::path& file, double scale, const std::array<double, 3>& move,
               const std::string& key);

// Enclosed volume, m^3 (by the divergence theorem; that of bodies which face the other way is subtracted), and area,
// m^2.
double volume(const Mesh& mesh);
double area(const Mesh& mesh);

// A crossing of a row along x with the surface, m, and the change there of the surface's winding number around the
// row's points.
struct Crossing {
    double x;
    int winding;
};

// The crossings, ascending, of every row (z, y) of a lattice with points at half-odd multiples of the spacing. A corner
// or edge on a row counts as below it, for all triangles, so that none is missed or counted twice: the changes in a row
// add up to zero.
std::map<std::array<std::int64_t, 2>, std::vector<Crossing>> crossings(const Mesh& mesh, double spacing);

}  // namespace halfulp
