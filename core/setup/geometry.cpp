#include "core/setup/geometry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "core/error.hpp"
#include "core/setup/cylinder.hpp"
#include "core/setup/mesh_scale.hpp"
#include "core/setup/point.hpp"
#include "core/setup/polygon.hpp"
#include "core/setup/units.hpp"

namespace halfulp {

namespace {

using Form = Shape::Form;

// A cell is at least 0.53 spacings wide (support 1.6, skin 0.016, over 3), so its index stays below 2^30.
constexpr double farthest_plane = 536870912;  // 2^29

// The memory that set-up takes for each particle at most, as measured (docs/ranks.md): a back end asks for what a run
// takes, on the host or elsewhere.
double bytes_per_particle(const Case& c)
{
    constexpr double density = 16;
    constexpr double solved_pressure = 120;  // hydrostatic fluid whose surface is not given
    constexpr double relaxed_fill = 240;
    constexpr double mirror_node = 32;
    const auto any = [&](const auto& holds) { return std::ranges::any_of(c.shapes, holds); };
    double bytes = density;
    if (any([](const Shape& s) { return s.hydrostatic && !s.surface; })) bytes += solved_pressure;
    if (any([](const Shape& s) { return s.fill == "relaxed"; })) bytes += relaxed_fill;
    if (have_mirror_images(c.numerics.walls)) bytes += mirror_node;
    return bytes;
}

// For each site of the interior where gravity acts along its rows, whose sites then differ in height.
constexpr double bytes_per_interior_site = 16;
// The memory of a row of sites: a map entry with one run, four times over while shapes are filled.
constexpr double bytes_per_row = 400;

constexpr double on_surface = 1e-9;  // spacings; less is the rounding of decimal numbers

SiteBox widened(SiteBox box, std::int64_t layers, int dimensions)
{
    for (std::size_t i = 0; i < static_cast<std::size_t>(dimensions); ++i) {
        box.from[i] -= layers;
        box.to[i] += layers;
    }
    return box;
}

SiteBox refined(SiteBox box, int refinement, int dimensions)
{
    for (std::size_t i = 0; i < static_cast<std::size_t>(dimensions); ++i) {
        box.from[i] *= refinement;
        box.to[i] *= refinement;
    }
    return box;
}

double volume(const SiteBox& box)
{
    double sites = 1;
    for (std::size_t i = 0; i < 3; ++i) sites *= static_cast<double>(box.to[i] - box.from[i]);
    return sites;
}

// The first site whose centre is not left of x; centres on the surface, to rounding, count as right of it.
std::int64_t first_site(double x, double spacing)
{
    return static_cast<std::int64_t>(std::ceil(x / spacing - 0.5 - on_surface));
}

double centre_along(std::int64_t site, double spacing) { return (static_cast<double>(site) + 0.5) * spacing; }

// The interval of a row inside a convex form; empty if it misses.
using RowInterval = std::optional<std::array<double, 2>>;

// For a row at a given squared distance from the middle of a circle or sphere.
RowInterval ball_span(const Shape& s, double distance_squared)
{
    const double half_squared = s.radius * s.radius - distance_squared;
    if (!(half_squared > 0)) return std::nullopt;
    const double half = std::sqrt(half_squared);
    return std::array{s.centre[0] - half, s.centre[0] + half};
}

RowInterval cylinder_span(const Cylinder& c, double y, double z, double spacing)
{
    // With t along the row and q the rest: the height over the middle is a_x t + q, and the square of the distance from
    // the axis across^2 t^2 - 2 a_x q t + rest.
    const double dy = y - c.middle[1];
    const double dz = z - c.middle[2];
    const double a = c.axis[0];
    const double q = c.axis[1] * dy + c.axis[2] * dz;
    const double across_squared = c.axis[1] * c.axis[1] + c.axis[2] * c.axis[2];
    const double excess = dy * dy + dz * dz - q * q - c.radius * c.radius;

    double first = -std::numeric_limits<double>::infinity();
    double last = std::numeric_limits<double>::infinity();
    if (across_squared > 0) {
        const double root_squared = a * q * (a * q) - across_squared * excess;
        if (!(root_squared > 0)) return std::nullopt;
        const double root = std::sqrt(root_squared);
        first = (a * q - root) / across_squared;
        last = (a * q + root) / across_squared;
    } else if (!(excess < 0)) {
        return std::nullopt;
    }
    if (a > 0) {
        first = std::max(first, (-c.half - q) / a);
        last = std::min(last, (c.half - q) / a);
    } else if (q < -c.half - on_surface * spacing || q >= c.half - on_surface * spacing) {
        return std::nullopt;
    }
    if (!(first < last)) return std::nullopt;
    return std::array{c.middle[0] + first, c.middle[0] + last};
}

Rows mesh_sites(const Mesh& mesh, double spacing, std::int32_t shape)
{
    Rows rows;
    for (const auto& [row, own] : crossings(mesh, spacing)) {
        std::vector<Run> runs;
        int winding = 0;
        double entered = 0;
        for (const Crossing& crossing : own) {
            if (winding == 0) entered = crossing.x;
            winding += crossing.winding;
            if (winding != 0) continue;
            const Run run{first_site(entered, spacing), first_site(crossing.x, spacing), shape};
            if (run.first < run.last) runs.push_back(run);
        }
        if (!runs.empty()) rows.emplace(row, std::move(runs));
    }
    return rows;
}

// Perimeter or surface area of a form other than a box or a mesh, m or m^2.
double surface_of(const Shape& s)
{
    constexpr double pi = std::numbers::pi;
    if (s.form == Form::circle) return 2 * pi * s.radius;
    if (s.form == Form::sphere) return 4 * pi * s.radius * s.radius;
    if (s.form == Form::cylinder) return 2 * pi * s.radius * (s.radius + 2 * cylinder_of(s).half);
    double length = 0;
    for (std::size_t i = 0; i < s.points.size(); ++i) {
        const auto& a = s.points[i];
        const auto& b = s.points[(i + 1) % s.points.size()];
        length += std::sqrt((b[0] - a[0]) * (b[0] - a[0]) + (b[1] - a[1]) * (b[1] - a[1]));
    }
    return length;
}

// mesh: a note on a mesh that makes the case so large; or empty.
std::int64_t nearest_plane(const Case& c, const Shape& s, double x, const std::string& mesh)
{
    const double plane = x / c.resolution.spacing;
    if (!(std::abs(plane) <= farthest_plane)) {
        throw input_error(
            "{}: shape \"{}\" reaches to {} m, {:.2g} spacings from zero, but at most {:.0f} can be numbered; {}raise "
            "resolution.spacing, or move it nearer and set origin.cells.",
            place_of(c, "shapes." + s.name), s.name, x, std::abs(plane), farthest_plane,
            mesh.empty() ? mesh : mesh + "; otherwise ");
    }
    // Halfway between two planes away from zero, whatever rounding has made of a decimal number: a box keeps its size
    // wherever it lies on one side of zero, and grows by a plane where it reaches across.
    return static_cast<std::int64_t>(std::copysign(std::floor(std::abs(plane) + 0.5 + on_surface), plane));
}

}  // namespace

std::int64_t nearest_plane(const Case& c, const Shape& s, double x) { return nearest_plane(c, s, x, {}); }

SiteBox snapped_box(const Case& c, const Shape& s)
{
    SiteBox box;
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.dimensions); ++i) {
        box.from[i] = nearest_plane(c, s, s.from[i]);
        box.to[i] = nearest_plane(c, s, s.to[i]);
    }
    return box;
}

std::int32_t shape_named(const Case& c, const std::string& name)
{
    const auto named = [&](const Shape& s) { return s.name == name; };
    return static_cast<std::int32_t>(std::find_if(c.shapes.begin(), c.shapes.end(), named) - c.shapes.begin());
}

std::int64_t wall_layers(const Case& c, const Shape& s)
{
    if (s.layers > 0) return s.layers;
    constexpr double rounding = 1e-9;  // of decimal numbers: 3 h / dp with h = 2 dp is a little more than 6
    const double support = support_radius(c) / c.resolution.spacing;
    return std::max<std::int64_t>(2, static_cast<std::int64_t>(std::ceil(support - rounding)));
}

void refuse_too_many(const Case& c, const SiteEstimate& sites, double memory_bytes, const std::string& likely)
{
    constexpr double most = std::numeric_limits<std::int32_t>::max();
    const double interior = c.gravity[0] != 0 ? sites.interior * bytes_per_interior_site : 0;
    const double bytes = sites.particles * bytes_per_particle(c) + interior + sites.rows * bytes_per_row;
    if (!(sites.particles > most || bytes > memory_bytes)) return;
    const bool thin = sites.rows * bytes_per_row > bytes / 2;
    const ExitCode code = sites.particles > most ? ExitCode::bad_input : ExitCode::unsupported;
    throw Error(
        code,
        fmt::format(
            "{}: the shapes hold about {:.3g} particles{} at a spacing of {} m, which take about {:.3g} GiB of memory to set "
            "up, but this machine has {:.3g} GiB to spare{}; {}raise resolution.spacing.",
            place_of(c, "resolution.spacing"), sites.particles,
            thin ? fmt::format(" and span {:.3g} rows of lattice sites", sites.rows) : std::string(),
            c.resolution.spacing, bytes / 0x1p30, memory_bytes / 0x1p30,
            sites.particles > most ? fmt::format(", and at most {:.0f} can be numbered", most) : std::string(),
            likely.empty() ? likely : likely + "; otherwise "));
}

Geometry::Geometry(const Case& c) : c_(c)
{
    for (std::size_t i = 0; i < c.shapes.size(); ++i) {
        const Shape& s = c.shapes[i];
        const auto shape = static_cast<std::int32_t>(i);
        if (s.form == Form::mesh) {
            const std::string file_key = fmt::format("shapes.{}.mesh.file", s.name);
            const std::string key = fmt::format("{}: {}", place_of(c, file_key), file_key);
            meshes_.emplace(shape, read_mesh(c.path_of(s.mesh.file), s.mesh.scale, s.mesh.move, key));
        }
    }
    const std::string mesh = mesh_in_other_units(c, *this, 2);
    for (std::size_t i = 0; i < c.shapes.size(); ++i) {
        const Extent around = extent(static_cast<std::int32_t>(i));
        for (std::size_t k = 0; k < static_cast<std::size_t>(c.dimensions); ++k) {
            nearest_plane(c, c.shapes[i], around.low[k], mesh);  // throws if too far away
            nearest_plane(c, c.shapes[i], around.high[k], mesh);
        }
    }
}

const Shape& Geometry::at(std::int32_t shape) const { return c_.shapes[static_cast<std::size_t>(shape)]; }

Geometry::Extent Geometry::extent(std::int32_t shape) const
{
    const Shape& s = at(shape);
    Extent around;
    const auto include = [&](const auto& point, std::size_t dimensions, const Point& margin) {
        for (std::size_t i = 0; i < dimensions; ++i) {
            around.low[i] = std::min(around.low[i], point[i] - margin[i]);
            around.high[i] = std::max(around.high[i], point[i] + margin[i]);
        }
    };
    const auto dimensions = static_cast<std::size_t>(c_.dimensions);
    for (std::size_t i = 0; i < dimensions; ++i) {
        around.low[i] = std::numeric_limits<double>::infinity();
        around.high[i] = -around.low[i];
    }
    switch (s.form) {
    case Form::box:
    case Form::hollow_box:
        include(s.from, dimensions, {});
        include(s.to, dimensions, {});
        break;
    case Form::polygon:
        for (const auto& corner : s.points) include(corner, 2, {});
        break;
    case Form::circle:
    case Form::sphere: include(s.centre, dimensions, {s.radius, s.radius, s.radius}); break;
    case Form::cylinder: {
        const Cylinder c = cylinder_of(s);
        Point margin{};
        for (std::size_t i = 0; i < 3; ++i) margin[i] = s.radius * std::sqrt(std::max(0.0, 1 - c.axis[i] * c.axis[i]));
        include(s.from, 3, margin);
        include(s.to, 3, margin);
        break;
    }
    case Form::mesh:
        for (const auto& corner : meshes_.at(shape).corners) include(corner, 3, {});
        break;
    }
    return around;
}

Rows Geometry::inside_of(std::int32_t shape, int refinement) const
{
    const Shape& s = at(shape);
    Rows rows;
    if (s.is_box()) {
        add_box(rows, refined(snapped_box(c_, s), refinement, c_.dimensions), shape);
        return rows;
    }
    const double spacing = c_.resolution.spacing / refinement;
    if (s.form == Form::mesh) return mesh_sites(meshes_.at(shape), spacing, shape);

    const Extent around = extent(shape);
    const auto first = [&](std::size_t i) { return first_site(around.low[i], spacing); };
    const auto last = [&](std::size_t i) { return first_site(around.high[i], spacing); };
    const auto add = [&](std::int64_t z, std::int64_t y, double from, double to) {
        const Run run{first_site(from, spacing), first_site(to, spacing), shape};
        if (run.first < run.last) rows[{z, y}].push_back(run);
    };
    if (s.form == Form::polygon) {
        for (std::int64_t y = first(1); y < last(1); ++y) {
            // Of a row on a face, to rounding, the polygon above it has the sites, as among the rows themselves.
            const std::vector<double> x = crossings_at(s.points, centre_along(y, spacing) + 0.5 * on_surface * spacing);
            for (std::size_t i = 0; i + 1 < x.size(); i += 2) add(0, y, x[i], x[i + 1]);
        }
        return rows;
    }
    const bool deep = c_.dimensions == 3;
    const Cylinder cylinder = s.form == Form::cylinder ? cylinder_of(s) : Cylinder{};
    for (std::int64_t z = deep ? first(2) : 0; z < (deep ? last(2) : 1); ++z) {
        for (std::int64_t y = first(1); y < last(1); ++y) {
            const double height = deep ? centre_along(z, spacing) : 0;
            const double line = centre_along(y, spacing);
            const double dy = line - s.centre[1];
            const double dz = height - s.centre[2];
            const RowInterval span = s.form == Form::cylinder ? cylinder_span(cylinder, line, height, spacing)
                                                              : ball_span(s, dy * dy + dz * dz);
            if (span) add(z, y, (*span)[0], (*span)[1]);
        }
    }
    return rows;
}

Rows Geometry::sites_of(std::int32_t shape, int refinement) const
{
    const Shape& s = at(shape);
    Rows rows = inside_of(shape, refinement);
    // A form without sites encloses nothing and is a mistake; unchecked, its walls alone would be built.
    if (s.is_hollow() && !rows.empty()) {
        const std::int64_t layers = wall_layers(c_, s) * refinement;
        Rows wide;
        if (s.form == Form::hollow_box) {
            add_box(wide, widened(refined(snapped_box(c_, s), refinement, c_.dimensions), layers, c_.dimensions),
                    shape);
        } else {
            wide = dilated(rows, layers, c_.dimensions);
        }
        rows = difference(wide, rows);
    }
    for (const std::string& name : s.without) rows = difference(rows, sites_of(shape_named(c_, name), refinement));
    return rows;
}

double Geometry::measure(std::int32_t shape) const
{
    constexpr double pi = std::numbers::pi;
    const Shape& s = at(shape);
    switch (s.form) {
    case Form::box:
    case Form::hollow_box: {
        const double spacing = c_.resolution.spacing;
        return volume(snapped_box(c_, s)) * spacing * spacing * (c_.dimensions == 3 ? spacing : 1);
    }
    case Form::polygon: return std::abs(area(s.points));
    case Form::circle: return pi * s.radius * s.radius;
    case Form::sphere: return 4 * pi / 3 * s.radius * s.radius * s.radius;
    case Form::cylinder: return 2 * pi * s.radius * s.radius * cylinder_of(s).half;
    case Form::mesh: return halfulp::volume(meshes_.at(shape));
    }
    return 0;
}

double Geometry::rows_of(std::int32_t shape) const
{
    const Shape& s = at(shape);
    const Extent around = extent(shape);
    const double layers = s.is_hollow() ? static_cast<double>(wall_layers(c_, s)) : 0;
    const double refinement = s.fill == "relaxed" ? refinement_of(c_.dimensions) : 1;
    double rows = 1;
    for (std::size_t i = 1; i < static_cast<std::size_t>(c_.dimensions); ++i)
        rows *= ((around.high[i] - around.low[i]) / c_.resolution.spacing + 1 + 2 * layers) * refinement;
    return rows;
}

double Geometry::sites_inside(std::int32_t shape) const
{
    const Shape& s = at(shape);
    if (s.is_box()) return volume(snapped_box(c_, s));
    const double spacing = c_.resolution.spacing;
    return measure(shape) / (c_.dimensions == 3 ? spacing * spacing * spacing : spacing * spacing);
}

double Geometry::sites_uncut(std::int32_t shape) const
{
    const Shape& s = at(shape);
    const double inside = sites_inside(shape);
    if (!s.is_hollow()) return inside;
    const std::int64_t layers = wall_layers(c_, s);
    if (s.form == Form::hollow_box) return volume(widened(snapped_box(c_, s), layers, c_.dimensions)) - inside;
    // Steiner's formula for the layer around a convex form, without its edge term.
    const double spacing = c_.resolution.spacing;
    const auto thick = static_cast<double>(layers);
    const double surface = s.form == Form::mesh ? halfulp::area(meshes_.at(shape)) : surface_of(s);
    return c_.dimensions == 3 ? surface / (spacing * spacing) * thick + 4 * std::numbers::pi / 3 * thick * thick * thick
                              : surface / spacing * thick + std::numbers::pi * thick * thick;
}

SiteEstimate Geometry::estimate(std::int32_t shape) const
{
    const Shape& s = at(shape);
    SiteEstimate own{.rows = rows_of(shape)};
    if (!s.kind) return own;
    if (s.is_hollow()) own.interior = sites_inside(shape);
    own.particles = sites_uncut(shape);
    for (const std::string& name : s.without) own.particles -= sites_uncut(shape_named(c_, name));
    own.particles = std::max(own.particles, 0.0);
    return own;
}

SiteEstimate estimate_sites(const Case& c, const Geometry& geometry)
{
    SiteEstimate all;
    for (std::size_t i = 0; i < c.shapes.size(); ++i) {
        const SiteEstimate own = geometry.estimate(static_cast<std::int32_t>(i));
        all.particles += own.particles;
        all.interior += own.interior;
        all.rows += own.rows;
    }
    return all;
}

}  // namespace halfulp
