#include "core/setup/closest_points.hpp"

#include <algorithm>
#include <cmath>

#include "core/setup/cylinder.hpp"
#include "core/setup/polygon.hpp"

namespace halfulp {

namespace {

using Form = Shape::Form;
using Use = std::function<void(const Point&)>;

// The corners of a box after snapping to the lattice, m.
Geometry::Extent snapped_extent(const Case& c, const Shape& s)
{
    const SiteBox box = snapped_box(c, s);
    Geometry::Extent extent;
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.dimensions); ++i) {
        extent.low[i] = static_cast<double>(box.from[i]) * c.resolution.spacing;
        extent.high[i] = static_cast<double>(box.to[i]) * c.resolution.spacing;
    }
    return extent;
}

void on_box(const Geometry::Extent& box, int dimensions, const Point& from, const Use& use)
{
    Point nearest{};
    for (std::size_t i = 0; i < 3; ++i) nearest[i] = std::clamp(from[i], box.low[i], box.high[i]);
    for (std::size_t i = 0; i < static_cast<std::size_t>(dimensions); ++i) {
        for (const double face : {box.low[i], box.high[i]}) {
            Point on_face = nearest;
            on_face[i] = face;
            use(on_face);
        }
    }
}

Point on_segment(const Point& a, const Point& b, const Point& from)
{
    const Point along = minus(b, a);
    return plus(a, std::clamp(dot(minus(from, a), along) / dot(along, along), 0.0, 1.0), along);
}

void on_polygon(const Polygon& corners, const Point& from, const Use& use)
{
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const auto& a = corners[i];
        const auto& b = corners[(i + 1) % corners.size()];
        use(on_segment({a[0], a[1], 0}, {b[0], b[1], 0}, from));
    }
}

void on_ball(const Shape& s, const Point& from, const Use& use)
{
    const Point out = minus(from, s.centre);
    const double distance = std::sqrt(dot(out, out));
    if (distance > 0) use(plus(s.centre, s.radius / distance, out));
}

// The height above the middle, and the vector from the axis.
std::pair<double, Point> split(const Cylinder& c, const Point& at)
{
    const Point from_middle = minus(at, c.middle);
    const double height = dot(from_middle, c.axis);
    return {height, plus(from_middle, -height, c.axis)};
}

void on_cylinder(const Shape& s, const Point& from, const Use& use)
{
    const Cylinder c = cylinder_of(s);
    const auto [height, out] = split(c, from);
    const double distance = std::sqrt(dot(out, out));
    if (distance > 0) use(plus(plus(c.middle, std::clamp(height, -c.half, c.half), c.axis), c.radius / distance, out));
    const double within = distance > c.radius ? c.radius / distance : 1;
    for (const double end : {-c.half, c.half}) use(plus(plus(c.middle, end, c.axis), within, out));
}

// In the plane's coordinates along two sides, or otherwise on the nearest of the three sides.
Point on_triangle(const Point& a, const Point& b, const Point& c, const Point& from)
{
    const Point ab = minus(b, a);
    const Point ac = minus(c, a);
    const Point ap = minus(from, a);
    const double bb = dot(ab, ab), bc = dot(ab, ac), cc = dot(ac, ac);
    const double pb = dot(ap, ab), pc = dot(ap, ac);
    const double determinant = bb * cc - bc * bc;
    if (determinant > 0) {
        const double v = (cc * pb - bc * pc) / determinant;
        const double w = (bb * pc - bc * pb) / determinant;
        if (v >= 0 && w >= 0 && v + w <= 1) return plus(plus(a, v, ab), w, ac);
    }
    Point nearest = a;
    for (const Point& on_side : {on_segment(a, b, from), on_segment(b, c, from), on_segment(c, a, from)}) {
        const Point to_side = minus(on_side, from);
        const Point to_nearest = minus(nearest, from);
        if (dot(to_side, to_side) < dot(to_nearest, to_nearest)) nearest = on_side;
    }
    return nearest;
}

void on_mesh(const Mesh& mesh, const Point& from, double reach, const Use& use)
{
    for (const auto& triangle : mesh.triangles) {
        const auto corner = [&](std::size_t k) -> const Point& {
            return mesh.corners[static_cast<std::size_t>(triangle[k])];
        };
        bool beyond = false;
        for (std::size_t i = 0; i < 3; ++i) {
            const auto [low, high] = std::minmax({corner(0)[i], corner(1)[i], corner(2)[i]});
            beyond = beyond || from[i] < low - reach || from[i] > high + reach;
        }
        if (!beyond) use(on_triangle(corner(0), corner(1), corner(2), from));
    }
}

}  // namespace

void closest_points(const Case& c, const Geometry& geometry, std::int32_t shape, const Point& from, double reach,
                    const Use& use)
{
    const Shape& s = c.shapes[static_cast<std::size_t>(shape)];
    switch (s.form) {
    case Form::box:
    case Form::hollow_box: return on_box(snapped_extent(c, s), c.dimensions, from, use);
    case Form::polygon: return on_polygon(s.points, from, use);
    case Form::circle:
    case Form::sphere: return on_ball(s, from, use);
    case Form::cylinder: return on_cylinder(s, from, use);
    case Form::mesh: return on_mesh(geometry.mesh(shape), from, reach, use);
    }
}

bool is_inside(const Case& c, std::int32_t shape, const Point& at)
{
    const Shape& s = c.shapes[static_cast<std::size_t>(shape)];
    switch (s.form) {
    case Form::box:
    case Form::hollow_box: {
        const Geometry::Extent box = snapped_extent(c, s);
        for (std::size_t i = 0; i < static_cast<std::size_t>(c.dimensions); ++i) {
            if (at[i] < box.low[i] || at[i] >= box.high[i]) return false;
        }
        return true;
    }
    case Form::polygon: {
        const std::vector<double> x = crossings_at(s.points, at[1]);
        return std::count_if(x.begin(), x.end(), [&](double crossing) { return crossing <= at[0]; }) % 2 == 1;
    }
    case Form::circle:
    case Form::sphere: {
        const Point out = minus(at, s.centre);
        return dot(out, out) < s.radius * s.radius;
    }
    case Form::cylinder: {
        const Cylinder cylinder = cylinder_of(s);
        const auto [height, out] = split(cylinder, at);
        return std::abs(height) < cylinder.half && dot(out, out) < cylinder.radius * cylinder.radius;
    }
    case Form::mesh: break;
    }
    return false;
}

}  // namespace halfulp
