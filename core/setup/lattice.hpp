// The lattice of initial positions, x = (site + 1/2) Delta p, and sets of its sites held as runs along x: memory and
// time follow the number of rows, not of sites, and nothing is kept for empty space.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "core/setup/case.hpp"

namespace halfulp {

// Sites first <= site < last along x.
struct Run {
    std::int64_t first;
    std::int64_t last;
    std::int32_t shape;  // index of the shape that fills it

    [[nodiscard]] std::uint64_t size() const { return static_cast<std::uint64_t>(last - first); }
};

// By (z, y); the runs of a row ascend and do not overlap.
using Rows = std::map<std::array<std::int64_t, 2>, std::vector<Run>>;

// Sites from <= site < to in every dimension of the case; [0, 1) in the others.
struct SiteBox {
    std::array<std::int64_t, 3> from{0, 0, 0};
    std::array<std::int64_t, 3> to{1, 1, 1};
};

// The lattice plane nearest to the coordinate x, counted from the origin; plane i lies between the sites i - 1 and i.
// Throws an Error if it is too far away for cells to be numbered.
std::int64_t nearest_plane(const Case& c, const Shape& s, double x);

// The sites of a box, or inside a hollow box, its faces moved to the nearest planes.
SiteBox snapped_box(const Case& c, const Shape& s);

// The thickness of a hollow box in particles: as given, or what covers the kernel's support of 2 h.
std::int64_t wall_layers(const Case& c, const Shape& s);

// Every site of the shape, whatever other shapes fill.
Rows sites_of(const Case& c, std::int32_t shape);

// The sites inside a hollow box.
Rows inside_of(const Case& c, std::int32_t shape);

// The number of sites that the shape fills (`particles`) and encloses (`interior`), from its size alone.
struct SiteEstimate {
    double particles = 0;
    double interior = 0;
};
SiteEstimate estimate_sites(const Case& c, const Shape& s);

// Throws an Error if there are more particles than 32 bits can number or than `memory_bytes` can hold.
void refuse_too_many(const Case& c, const SiteEstimate& sites, double memory_bytes);

// The runs of `row` less those of `taken`, both ascending.
std::vector<Run> difference(const std::vector<Run>& row, const std::vector<Run>& taken);

// The runs of both rows in ascending order; what overlaps or touches becomes one run, with the shape of the earlier.
std::vector<Run> merged(const std::vector<Run>& row, const std::vector<Run>& other);

}  // namespace halfulp
