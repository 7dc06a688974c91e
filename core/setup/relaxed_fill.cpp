#include "core/setup/relaxed_fill.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>

#include "core/error.hpp"
#include "core/setup/point.hpp"
#include "core/setup/relax.hpp"

namespace halfulp {

namespace {

// A lattice cell that the shape covers entirely or in part.
struct Covered {
    Site site{};
    int points = 0;      // of the finer lattice, inside
    Point sum{};         // of their positions in the cell, in finer spacings
    bool taken = false;  // by another shape
};

bool taken_by_other(const Rows& filled, const Site& site, std::int32_t shape)
{
    const std::int32_t there = shape_at(filled, site);
    return there >= 0 && there != shape;
}

std::int64_t floor_divided(std::int64_t a, std::int64_t b) { return a >= 0 ? a / b : -((b - 1 - a) / b); }

// All cells that the shape covers, in ascending (z, y, x).
std::vector<Covered> covered_cells(const Rows& fine, int refinement, int dimensions)
{
    std::map<std::array<std::int64_t, 2>, std::map<std::int64_t, Covered>> rows;
    for (const auto& [row, runs] : fine) {
        const std::int64_t z = dimensions == 3 ? floor_divided(row[0], refinement) : 0;
        const std::int64_t y = floor_divided(row[1], refinement);
        std::map<std::int64_t, Covered>& cells = rows[{z, y}];
        for (const Run& run : runs) {
            for (std::int64_t x = floor_divided(run.first, refinement); x * refinement < run.last; ++x) {
                const std::int64_t first = std::max(run.first, x * refinement) - x * refinement;
                const std::int64_t last = std::min(run.last, (x + 1) * refinement) - x * refinement;
                Covered& cell = cells[x];
                cell.site = {x, y, z};
                const auto points = static_cast<double>(last - first);
                cell.points += static_cast<int>(last - first);
                cell.sum[0] += 0.5 * static_cast<double>(last + first) * points;
                cell.sum[1] += (static_cast<double>(row[1] - y * refinement) + 0.5) * points;
                cell.sum[2] += dimensions == 3 ? (static_cast<double>(row[0] - z * refinement) + 0.5) * points : 0;
            }
        }
    }
    std::vector<Covered> all;
    for (const auto& [row, cells] : rows) {
        for (const auto& [x, cell] : cells) all.push_back(cell);
    }
    return all;
}

// relax() keeps three numbers of 4 bytes for each cell of a support's side in the box around all points.
void refuse_far_apart(const Case& c, const Shape& s, const std::vector<FixedPoint>& around)
{
    if (around.empty()) return;
    double cells = 1;
    for (std::size_t k = 0; k < static_cast<std::size_t>(c.dimensions); ++k) {
        const auto [low, high] =
            std::ranges::minmax(around, {}, [k](const FixedPoint& point) { return point.position[k]; });
        cells *= (high.position[k] - low.position[k]) / (c.dimensions == 2 ? 4 : 3) + 1;
    }
    constexpr double most_cells = 1U << 30U;
    if (cells <= most_cells) return;
    throw input_error(
        "{}: shapes.{}.fill = \"relaxed\" takes {:.1f} GB for the box around a shape so long; divide it into several "
        "shapes, or take fill = \"lattice\".",
        place_of(c, "shapes." + s.name), s.name, 12e-9 * cells);
}

}  // namespace

RelaxedFill relaxed_fill(const Case& c, const Geometry& geometry, std::int32_t shape, const Rows& filled)
{
    const int dimensions = c.dimensions;
    const int refinement = refinement_of(dimensions);
    const int whole = dimensions == 2 ? refinement * refinement : refinement * refinement * refinement;
    const Rows fine = geometry.sites_of(shape, refinement);
    std::vector<Covered> cells = covered_cells(fine, refinement, dimensions);

    RelaxedFill fill;
    if (cells.empty()) return fill;  // thinner than the finer lattice
    const Shape& s = c.shapes[static_cast<std::size_t>(shape)];
    const double spacing = c.resolution.spacing;
    for (Covered& cell : cells) {
        cell.taken = taken_by_other(filled, cell.site, shape);
        fill.volume += static_cast<double>(cell.points) / whole;
    }
    // The volume of most uncut forms is known better than the finer lattice gives it; in a mesh bodies may overlap.
    if (s.without.empty() && s.form != Shape::Form::mesh)
        fill.volume = geometry.measure(shape) / (spacing * spacing * (dimensions == 3 ? spacing : 1));

    const std::size_t wanted =
        std::clamp<std::size_t>(static_cast<std::size_t>(std::llround(fill.volume)), 1, cells.size());
    std::vector<std::uint32_t> order(cells.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        if (cells[a].taken != cells[b].taken) return cells[b].taken;
        return cells[a].points > cells[b].points;
    });
    order.resize(wanted);
    std::sort(order.begin(), order.end());
    for (const std::uint32_t i : order) {
        const Covered& cell = cells[i];
        Point at = centre_of(cell.site);
        for (std::size_t k = 0; k < static_cast<std::size_t>(dimensions); ++k)
            at[k] = static_cast<double>(cell.site[k]) + cell.sum[k] / cell.points / refinement;
        fill.positions.push_back(at);
    }

    // The surroundings: whole cells as one point, cells on the boundary finely divided.
    constexpr int farther_than_the_support = 5;
    Rows coarse;
    Rows cut;
    for (const Covered& cell : cells) {
        std::vector<Run>& row = coarse[{cell.site[2], cell.site[1]}];
        row.push_back({cell.site[0], cell.site[0] + 1, shape});
    }
    std::vector<FixedPoint> around;
    for_each_site(difference(dilated(coarse, farther_than_the_support, dimensions), coarse),
                  [&](const Site& site) { around.push_back({.position = centre_of(site), .volume = 1}); });
    for (const Covered& cell : cells) {
        if (cell.taken) {
            around.push_back({.position = centre_of(cell.site), .volume = 1});
        } else if (cell.points < whole) {
            for (std::int64_t z = 0; z < (dimensions == 3 ? refinement : 1); ++z) {
                for (std::int64_t y = 0; y < refinement; ++y) {
                    cut[{cell.site[2] * (dimensions == 3 ? refinement : 1) + z, cell.site[1] * refinement + y}]
                        .push_back({cell.site[0] * refinement, (cell.site[0] + 1) * refinement, shape});
                }
            }
        }
    }
    for_each_site(difference(cut, fine), [&](const Site& site) {
        Point at = centre_of(site);
        for (std::size_t k = 0; k < static_cast<std::size_t>(dimensions); ++k) at[k] /= refinement;
        around.push_back({.position = at, .volume = 1.0 / whole});
    });
    refuse_far_apart(c, s, around);
    relax(fill.positions, around, dimensions);
    return fill;
}

}  // namespace halfulp
