// Closed surfaces of triangles, read from STL files.
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
    std::vector<std::array<std::int32_t, 3>> triangles;  // counter-clockwise as seen from outside, or all the other way
};

// Reads a binary or ASCII STL file; a corner at X in the file lies at scale X + move, m. Corners are joined where they
// are equal to the bit, and triangles with two equal corners, which have no effect, are left out. Throws an Error,
// whose sentence starts with `key`, if the file cannot be read or is no STL, if a number is not finite, or if the
// surface is not closed: along every edge as many triangles must run one way as the other.
Mesh read_mesh(const std::filesystem::path& file, double scale, const std::array<double, 3>& move,
               const std::string& key);

// Enclosed volume, m^3 (by the divergence theorem), and area, m^2.
double volume(const Mesh& mesh);
double area(const Mesh& mesh);

// Where a row along x passes the surface, m, and by how much the number of times that the surface is wound around the
// row's points changes there.
struct Crossing {
    double x;
    int winding;
};

// The crossings, ascending, of every row (z, y) of a lattice with points at half-odd multiples of the spacing. A corner
// or an edge on a row counts as below it, for every triangle alike, so that none is missed or counted twice: the
// changes in a row add up to zero.
std::map<std::array<std::int64_t, 2>, std::vector<Crossing>> crossings(const Mesh& mesh, double spacing);

}  // namespace halfulp
