#include "core/setup/fill.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "core/error.hpp"
#include "core/setup/case_warnings.hpp"
#include "core/setup/geometry.hpp"
#include "core/setup/host_memory.hpp"
#include "core/setup/lattice.hpp"
#include "core/setup/mesh_scale.hpp"
#include "core/setup/mirror_images.hpp"
#include "core/setup/relaxed_fill.hpp"

namespace halfulp {

namespace {

// The number of sites that a new shape would take from an existing one, and the first of them.
struct Overlap {
    std::uint64_t sites = 0;
    Site first{};
};

// mesh: a note on a mesh whose unit may be wrong; or empty.
void refuse_overlap(const Case& c, const Rows& filled, const Rows& added, std::int32_t shape, const std::string& mesh)
{
    const Shape& s = c.shapes[static_cast<std::size_t>(shape)];
    std::map<std::int32_t, Overlap> overlaps;  // by the other shape
    for (const auto& [row, runs] : added) {
        const auto there = filled.find(row);
        if (there == filled.end()) continue;
        for (const Run& run : runs) {
            for (const Run& other : there->second) {
                const std::int64_t first = std::max(run.first, other.first);
                const std::int64_t last = std::min(run.last, other.last);
                // A wall may share sites with a wall.
                const bool walls =
                    s.kind == Kind::wall && c.shapes[static_cast<std::size_t>(other.shape)].kind == Kind::wall;
                if (first >= last || walls) continue;
                Overlap& overlap = overlaps[other.shape];
                if (overlap.sites == 0) overlap.first = {first, row[1], row[0]};
                overlap.sites += static_cast<std::uint64_t>(last - first);
            }
        }
    }
    if (overlaps.empty()) return;
    const auto& [other, overlap] = *overlaps.begin();
    const Shape& there = c.shapes[static_cast<std::size_t>(other)];
    // Fluid makes room for a wall, unless nothing would be left of it.
    const auto is_all_of = [&](const Rows& rows, std::int32_t of) {
        std::uint64_t sites = 0;
        for (const auto& [row, runs] : rows) {
            for (const Run& run : runs) sites += run.shape == of ? run.size() : 0;
        }
        return sites == overlap.sites;
    };
    const bool all_of_this = is_all_of(added, shape);
    const bool all_of_other = is_all_of(filled, other);
    const bool cut_this = s.kind == Kind::fluid ? !all_of_this : all_of_other;
    std::vector<std::string> without = (cut_this ? s : there).without;
    without.push_back(cut_this ? there.name : s.name);
    const std::string remedy =
        all_of_this && all_of_other
            ? "leave one of them out"
            : fmt::format("cut one out of the other (shapes.{}.without = [\"{}\"]), or move or shrink it",
                          (cut_this ? s : there).name, fmt::join(without, "\", \""));
    throw input_error(
        "{}: the shapes \"{}\" and \"{}\" overlap at {} lattice {}, the first at {}; {}{}, as only walls may overlap.",
        place_of(c, "shapes." + s.name), there.name, s.name, overlap.sites, overlap.sites == 1 ? "site" : "sites",
        text_of(c, centre_in_metres(c, overlap.first)), mesh.empty() ? mesh : mesh + "; otherwise ", remedy);
}

void refuse_empty(const Case& c, const Geometry& geometry, std::int32_t shape)
{
    const Shape& s = c.shapes[static_cast<std::size_t>(shape)];
    if (!s.without.empty() && !geometry.inside_of(shape).empty()) {
        throw input_error(
            "{}: nothing is left of shape \"{}\" after the shapes that it is without are cut out; remove it or enlarge "
            "it.",
            place_of(c, "shapes." + s.name), s.name);
    }
    throw input_error(
        "{}: shape \"{}\" of {} holds no particle at a spacing of {} m; {} or lower resolution.spacing.",
        place_of(c, "shapes." + s.name), s.name, text_of(geometry.extent(shape), c.dimensions), c.resolution.spacing,
        s.form == Shape::Form::mesh
            ? fmt::format("raise shapes.{}.mesh.scale = {}, the m in one unit of its file,", s.name, s.mesh.scale)
            : "enlarge it");
}

void record_snap(const Case& c, std::int32_t shape, std::vector<Snapped>& snapped)
{
    const Shape& s = c.shapes[static_cast<std::size_t>(shape)];
    if (!s.is_box()) return;
    const SiteBox box = snapped_box(c, s);
    const double spacing = c.resolution.spacing;
    Snapped moved{.shape = shape, .from_moved = {}, .to_moved = {}};
    double farthest = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.dimensions); ++i) {
        moved.from_moved[i] = static_cast<double>(box.from[i]) * spacing - s.from[i];
        moved.to_moved[i] = static_cast<double>(box.to[i]) * spacing - s.to[i];
        farthest = std::max({farthest, std::abs(moved.from_moved[i]), std::abs(moved.to_moved[i])});
    }
    if (farthest > on_the_lattice * spacing) snapped.push_back(moved);
}

// The sites of `filled` of one kind, row by row.
std::vector<Run> of_kind(const Case& c, const std::vector<Run>& row, Kind kind)
{
    std::vector<Run> runs;
    for (const Run& run : row) {
        if (c.shapes[static_cast<std::size_t>(run.shape)].kind == kind) runs.push_back(run);
    }
    return runs;
}

Rows interior_of(const Case& c, const Geometry& geometry, const Rows& filled)
{
    Rows enclosed;
    for (std::size_t i = 0; i < c.shapes.size(); ++i) {
        if (!c.shapes[i].is_hollow()) continue;
        for (const auto& [row, runs] : geometry.inside_of(static_cast<std::int32_t>(i))) {
            enclosed[row] = merged(enclosed[row], runs);
        }
    }
    for (const auto& [row, runs] : filled) {
        const std::vector<Run> fluid = of_kind(c, runs, Kind::fluid);
        if (fluid.empty()) continue;
        const auto there = enclosed.find(row);
        if (there == enclosed.end() || !difference(fluid, there->second).empty()) return {};
    }
    for (auto& [row, runs] : enclosed) {
        const auto there = filled.find(row);
        if (there != filled.end()) runs = difference(runs, of_kind(c, there->second, Kind::wall));
    }
    number_parts(enclosed);
    return enclosed;
}

double number_of_sites(const Rows& rows)
{
    double all = 0;
    for (const auto& [row, runs] : rows)
        for (const Run& run : runs) all += static_cast<double>(run.size());
    return all;
}

}  // namespace

Arrangement arrange(const Case& c)
{
    const Geometry geometry(c);
    const SiteEstimate estimate = estimate_sites(c, geometry);
    const std::string mesh = mesh_in_other_units(c, geometry, 2);
    const std::string units = mesh.empty() ? case_in_other_units(c, geometry) : mesh;
    refuse_too_many(c, estimate, host_memory().free, units);

    Arrangement a;
    Rows filled;
    std::vector<Rows> sites(c.shapes.size());
    double counted = 0;
    for (std::size_t i = 0; i < c.shapes.size(); ++i) {
        const auto shape = static_cast<std::int32_t>(i);
        const Shape& s = c.shapes[i];
        record_snap(c, shape, a.snapped);
        if (!s.kind) continue;
        const Rows own = geometry.sites_of(shape);
        if (own.empty()) refuse_empty(c, geometry, shape);
        refuse_overlap(c, filled, own, shape, mesh);

        const Rows left = difference(own, filled);
        if (left.empty()) {
            throw input_error(
                "{}: shape \"{}\" lies wholly inside walls given before it and adds no particle; remove it.",
                place_of(c, "shapes." + s.name), s.name);
        }
        for (const auto& [row, runs] : left) {
            std::vector<Run>& there = filled[row];
            there.insert(there.end(), runs.begin(), runs.end());
            std::sort(there.begin(), there.end(), [](const Run& p, const Run& q) { return p.first < q.first; });
        }
        const double kept = number_of_sites(left);
        counted += kept;
        // Of a whole form, of which nothing is cut out and no wall before it has a part; the bodies of a mesh may
        // overlap.
        const double count = number_of_sites(own);
        if (!s.is_box() && !s.is_hollow() && s.form != Shape::Form::mesh && s.without.empty() && s.fill != "relaxed" &&
            kept == count) {
            const double volume = geometry.sites_inside(shape);
            if (std::abs(count - volume) > exact_volume * volume) {
                a.volumes.push_back({.shape = shape,
                                     .particles = static_cast<std::uint64_t>(count),
                                     .volume = volume,
                                     .relaxed = false});
            }
        }
        sites[i] = left;
    }
    // Where shapes are cut out, the estimate may have been too low.
    refuse_too_many(c, {.particles = counted, .interior = estimate.interior}, host_memory().free, units);
    for (std::size_t i = 0; i < c.shapes.size(); ++i) {
        const auto shape = static_cast<std::int32_t>(i);
        const Shape& s = c.shapes[i];
        if (!s.kind) continue;
        const std::size_t before = a.particles.size();
        RelaxedFill fill;
        if (s.fill == "relaxed") fill = relaxed_fill(c, geometry, shape, filled);
        if (!fill.positions.empty()) {
            a.particles.add(fill.positions, *s.kind, shape);
            a.volumes.push_back(
                {.shape = shape, .particles = fill.positions.size(), .volume = fill.volume, .relaxed = true});
        } else {  // also of a shape that has the centre of a site, but none of the finer lattice
            a.particles.add(sites[i], *s.kind, shape);
        }
        (s.kind == Kind::fluid ? a.fluid : a.wall) += a.particles.size() - before;
    }
    if (have_mirror_images(c.numerics.walls)) a.mirror_images = mirror_images(c, geometry, filled, a.particles);
    a.interior = interior_of(c, geometry, filled);
    return a;
}

}  // namespace halfulp
