#include "core/setup/mesh_scale.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

namespace halfulp {

namespace {

double longest(const Geometry::Extent& extent)
{
    double length = 0;
    for (std::size_t i = 0; i < 3; ++i) length = std::max(length, extent.high[i] - extent.low[i]);
    return length;
}

// The box around those shapes of a case that `counts` selects; none of them: empty.
template <class Counts>
std::optional<Geometry::Extent> extent_of_shapes(const Case& c, const Geometry& geometry, const Counts& counts)
{
    std::optional<Geometry::Extent> all;
    for (std::size_t k = 0; k < c.shapes.size(); ++k) {
        if (!counts(c.shapes[k])) continue;
        const Geometry::Extent own = geometry.extent(static_cast<std::int32_t>(k));
        if (!all) all = own;
        for (std::size_t i = 0; i < 3; ++i) {
            all->low[i] = std::min(all->low[i], own.low[i]);
            all->high[i] = std::max(all->high[i], own.high[i]);
        }
    }
    return all;
}

}  // namespace

std::string text_of(const Geometry::Extent& extent, int dimensions)
{
    std::string text;
    for (std::size_t i = 0; i < static_cast<std::size_t>(dimensions); ++i)
        text += fmt::format("{}{:.6g}", i > 0 ? " x " : "", extent.high[i] - extent.low[i]);
    return text + " m";
}

std::string case_in_other_units(const Case& c, const Geometry& geometry)
{
    constexpr double usual = 200;  // m
    const auto all = extent_of_shapes(c, geometry, [](const Shape&) { return true; });
    if (!all || longest(*all) <= usual) return {};
    return fmt::format("the shapes are {} long; if that is meant in mm, give all lengths in m",
                       text_of(*all, c.dimensions));
}

std::string mesh_in_other_units(const Case& c, const Geometry& geometry, double times)
{
    std::int32_t largest = -1;
    for (std::size_t k = 0; k < c.shapes.size(); ++k) {
        const auto shape = static_cast<std::int32_t>(k);
        if (c.shapes[k].form == Shape::Form::mesh &&
            (largest < 0 || longest(geometry.extent(shape)) > longest(geometry.extent(largest))))
            largest = shape;
    }
    if (largest < 0) return {};
    const Geometry::Extent mesh = geometry.extent(largest);
    const auto others = extent_of_shapes(c, geometry, [](const Shape& s) { return s.form != Shape::Form::mesh; });
    const double longest_other = others ? longest(*others) : 0;
    if (!(longest(mesh) > times * longest_other)) return {};
    const Shape& s = c.shapes[static_cast<std::size_t>(largest)];
    return fmt::format(
        "the mesh of shape \"{0}\" is {1} with shapes.{0}.mesh.scale = {2}{3}; if its file is in mm, set "
        "shapes.{0}.mesh.scale = {4:.6g}",
        s.name, text_of(mesh, 3), s.mesh.scale,
        others ? fmt::format(", {:.3g} times as long as everything else", longest(mesh) / longest_other) : "",
        s.mesh.scale / 1000);
}

}  // namespace halfulp
