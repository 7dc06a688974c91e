// Differences of two columns of equal shape: the first one, the number of particles, the size.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "core/results/snapshot.hpp"

namespace halfulp {

struct ColumnDifference {
    std::string name;
    std::string unit;
    bool in_ulps = false;                // both are of the same floating-point type
    std::uint64_t particles = 0;         // that differ in any component
    std::optional<std::uint64_t> first;  // the first row among them
    int first_component = 0;
    std::string first_a;  // the values there, in full precision
    std::string first_b;
    std::uint64_t first_ulps = 0;
    std::uint64_t largest_ulps = 0;  // no_distance if a NaN is compared with anything else
    double largest = 0;              // |A - B|, in the column's unit; NaN as above
};

using CellIndices = std::array<std::int32_t, 3>;

// Compares a with b, of the same count and components, bit by bit where the types are the same, else by value.
// A column of cells is compared relative to the origins; zero for every other column.
ColumnDifference column_difference(const Column& a, const Column& b, std::uint64_t count,
                                   const CellIndices& origin_a = {}, const CellIndices& origin_b = {});

// Positions as cells of this run's origin and offsets.
struct PlaceColumns {
    const Column& cell;
    const Column& offset;  // in cell sides, or m
    CellIndices origin{};
};
// The difference of positions given by cells of the same side (m), relative to the origins, in m: an offset alone jumps
// by a cell side if a particle is in another cell.
ColumnDifference position_difference(const PlaceColumns& a, const PlaceColumns& b, std::uint64_t count,
                                     double cell_side);

}  // namespace halfulp
