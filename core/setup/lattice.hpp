// The lattice of initial positions, x = (site + 1/2) Delta p, and sets of its sites stored as runs along x: memory and
// time grow with the number of rows, not of sites, and empty space is not stored.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

namespace halfulp {

using Site = std::array<std::int64_t, 3>;

// The centre of a site, spacings.
inline std::array<double, 3> centre_of(const Site& site)
{
    return {static_cast<double>(site[0]) + 0.5, static_cast<double>(site[1]) + 0.5, static_cast<double>(site[2]) + 0.5};
}

// The site in whose cell a position lies; spacings.
inline Site site_at(const std::array<double, 3>& position)
{
    Site site{};
    for (std::size_t i = 0; i < 3; ++i) site[i] = static_cast<std::int64_t>(std::floor(position[i]));
    return site;
}

// Sites first <= site < last along x.
struct Run {
    std::int64_t first;
    std::int64_t last;
    std::int32_t shape;  // index of the shape that fills it

    [[nodiscard]] std::uint64_t size() const { return static_cast<std::uint64_t>(last - first); }
};

// By (z, y); the runs of a row ascend and do not overlap.
using Rows = std::map<std::array<std::int64_t, 2>, std::vector<Run>>;

// Calls visit(site) for each site in ascending (z, y, x).
template <class Visit>
void for_each_site(const Rows& rows, const Visit& visit)
{
    for (const auto& [row, runs] : rows) {
        for (const Run& run : runs) {
            for (std::int64_t x = run.first; x < run.last; ++x) visit(Site{x, row[1], row[0]});
        }
    }
}

// Sites from <= site < to in every dimension of the case; [0, 1) in the others.
struct SiteBox {
    std::array<std::int64_t, 3> from{0, 0, 0};
    std::array<std::int64_t, 3> to{1, 1, 1};
};

// The shape that fills a site, or -1.
std::int32_t shape_at(const Rows& rows, const Site& site);

// Numbers the parts of `rows` from 0, sites next to each other being in the same one: the shape of a run becomes the
// number of its part. Returns how many there are.
std::int32_t number_parts(Rows& rows);

// The sites of a box as rows.
void add_box(Rows& rows, const SiteBox& box, std::int32_t shape);

// The runs of `row` less those of `taken`, both ascending.
std::vector<Run> difference(const std::vector<Run>& row, const std::vector<Run>& taken);

// The runs of both rows in ascending order; what overlaps or touches becomes one run, with the shape of the earlier.
std::vector<Run> merged(const std::vector<Run>& row, const std::vector<Run>& other);

// The sites of `rows` that are not in `taken`.
Rows difference(const Rows& rows, const Rows& taken);

// The sites at most `radius` spacings away from one of `rows`, in as many dimensions, those of `rows` included.
Rows dilated(const Rows& rows, std::int64_t radius, int dimensions);

}  // namespace halfulp
