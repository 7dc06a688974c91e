#include "core/setup/lattice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "core/error.hpp"
#include "core/setup/polygon.hpp"

namespace halfulp {

namespace {

// A cell is at least 0.53 spacings wide (support 1.6, skin 0.016, over 3), so its index stays below 2^30.
constexpr double farthest_plane = 536870912;  // 2^29

// What a run needs for each particle (state, derived values, order, neighbours) and each site of the interior.
constexpr double bytes_per_particle = 200;
constexpr double bytes_per_interior_site = 24;

void add_box(Rows& rows, const SiteBox& box, std::int32_t shape)
{
    for (std::int64_t z = box.from[2]; z < box.to[2]; ++z) {
        for (std::int64_t y = box.from[1]; y < box.to[1]; ++y) {
            if (box.from[0] < box.to[0]) rows[{z, y}].push_back({box.from[0], box.to[0], shape});
        }
    }
}

SiteBox widened(SiteBox box, std::int64_t layers, int dimensions)
{
    for (std::size_t i = 0; i < static_cast<std::size_t>(dimensions); ++i) {
        box.from[i] -= layers;
        box.to[i] += layers;
    }
    return box;
}

double volume(const SiteBox& box)
{
    double sites = 1;
    for (std::size_t i = 0; i < 3; ++i) sites *= static_cast<double>(box.to[i] - box.from[i]);
    return sites;
}

Rows polygon_sites(const Case& c, const Shape& s, std::int32_t shape)
{
    // The first site whose centre is not left of x; a centre on the boundary, to rounding, counts as right of it.
    const double spacing = c.resolution.spacing;
    const auto first_site = [&](double x) {
        constexpr double rounding = 1e-9;
        return static_cast<std::int64_t>(std::ceil(x / spacing - 0.5 - rounding));
    };
    double low = std::numeric_limits<double>::infinity();
    double high = -low;
    for (const auto& corner : s.points) {
        low = std::min(low, corner[1]);
        high = std::max(high, corner[1]);
        nearest_plane(c, s, corner[0]);  // refuses what is too far away
        nearest_plane(c, s, corner[1]);
    }
    Rows rows;
    for (std::int64_t y = first_site(low); y < first_site(high); ++y) {
        const std::vector<double> x = crossings_at(s.points, (static_cast<double>(y) + 0.5) * spacing);
        for (std::size_t i = 0; i + 1 < x.size(); i += 2) {
            const Run run{first_site(x[i]), first_site(x[i + 1]), shape};
            if (run.first < run.last) rows[{0, y}].push_back(run);
        }
    }
    return rows;
}

}  // namespace

std::int64_t nearest_plane(const Case& c, const Shape& s, double x)
{
    const double plane = x / c.resolution.spacing;
    if (!(std::abs(plane) <= farthest_plane)) {
        throw input_error(
            fmt::format("{}: shape \"{}\" reaches to {} m, {:.2g} spacings from zero, but at most {:.0f} "
                        "can be numbered; raise resolution.spacing, or move it nearer and set origin.cells.",
                        c.path.string(), s.name, x, std::abs(plane), farthest_plane));
    }
    return std::llround(plane);
}

SiteBox snapped_box(const Case& c, const Shape& s)
{
    SiteBox box;
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.dimensions); ++i) {
        box.from[i] = nearest_plane(c, s, s.from[i]);
        box.to[i] = nearest_plane(c, s, s.to[i]);
    }
    return box;
}

std::int64_t wall_layers(const Case& c, const Shape& s)
{
    if (s.layers > 0) return s.layers;
    const double support = with_kernel(c.numerics.kernel, [](auto kernel) { return kernel.support; });
    return std::max<std::int64_t>(2, static_cast<std::int64_t>(std::ceil(support * c.resolution.smoothing_ratio)));
}

Rows sites_of(const Case& c, std::int32_t shape)
{
    const Shape& s = c.shapes[static_cast<std::size_t>(shape)];
    if (s.form == Shape::Form::polygon) return polygon_sites(c, s, shape);

    Rows rows;
    const SiteBox inner = snapped_box(c, s);
    if (s.form == Shape::Form::box) {
        add_box(rows, inner, shape);
        return rows;
    }
    // A box of no extent encloses nothing and is a mistake; without this its walls alone would be built.
    if (volume(inner) == 0) return rows;
    add_box(rows, widened(inner, wall_layers(c, s), c.dimensions), shape);
    for (const auto& [row, enclosed] : inside_of(c, shape)) rows[row] = difference(rows[row], enclosed);
    return rows;
}

Rows inside_of(const Case& c, std::int32_t shape)
{
    Rows rows;
    add_box(rows, snapped_box(c, c.shapes[static_cast<std::size_t>(shape)]), shape);
    return rows;
}

SiteEstimate estimate_sites(const Case& c, const Shape& s)
{
    if (s.form == Shape::Form::polygon) {
        return {.particles = std::abs(area(s.points)) / (c.resolution.spacing * c.resolution.spacing)};
    }
    const SiteBox inner = snapped_box(c, s);
    if (s.form == Shape::Form::box) return {.particles = volume(inner)};
    const SiteBox outer = widened(inner, wall_layers(c, s), c.dimensions);
    return {.particles = volume(outer) - volume(inner), .interior = volume(inner)};
}

void refuse_too_many(const Case& c, const SiteEstimate& sites, double memory_bytes)
{
    constexpr double most = std::numeric_limits<std::int32_t>::max();
    if (sites.particles > most) {
        throw input_error(
            fmt::format("{}: the shapes hold about {:.3g} particles at a spacing of {} m, but at most {:.0f} "
                        "can be numbered; raise resolution.spacing.",
                        c.path.string(), sites.particles, c.resolution.spacing, most));
    }
    const double bytes = sites.particles * bytes_per_particle + sites.interior * bytes_per_interior_site;
    if (bytes > memory_bytes) {
        throw input_error(
            fmt::format("{}: the shapes hold about {:.3g} particles at a spacing of {} m, which need about "
                        "{:.3g} GiB of memory, but this machine has {:.3g} GiB; raise resolution.spacing.",
                        c.path.string(), sites.particles, c.resolution.spacing, bytes / 0x1p30, memory_bytes / 0x1p30));
    }
}

std::vector<Run> difference(const std::vector<Run>& row, const std::vector<Run>& taken)
{
    std::vector<Run> left;
    for (const Run& run : row) {
        std::int64_t first = run.first;
        for (const Run& t : taken) {
            if (t.last <= first) continue;
            if (t.first >= run.last) break;
            if (t.first > first) left.push_back({first, t.first, run.shape});
            first = t.last;
        }
        if (first < run.last) left.push_back({first, run.last, run.shape});
    }
    return left;
}

std::vector<Run> merged(const std::vector<Run>& row, const std::vector<Run>& other)
{
    std::vector<Run> all = row;
    all.insert(all.end(), other.begin(), other.end());
    std::sort(all.begin(), all.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
    std::vector<Run> joined;
    for (const Run& run : all) {
        if (!joined.empty() && run.first <= joined.back().last) {
            joined.back().last = std::max(joined.back().last, run.last);
        } else {
            joined.push_back(run);
        }
    }
    return joined;
}

}  // namespace halfulp
