#include "core/setup/mesh_scale.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace halfulp {

namespace {

double longest(const Geometry::Extent& extent)
{
    double length = 0;
    for (std::size_t i = 0; i < 3; ++i) length = std::max(length, extent.high[i] - extent.low[i]);
    return length;
}

}  // namespace

std::string mesh_in_other_units(const Case& c, const Geometry& geometry, double times)
{
    Geometry::Extent others;
    bool any = false;
    std::int32_t largest = -1;
    for (std::size_t k = 0; k < c.shapes.size(); ++k) {
        const auto shape = static_cast<std::int32_t>(k);
        const Geometry::Extent own = geometry.extent(shape);
        if (c.shapes[k].form == Shape::Form::mesh) {
            if (largest < 0 || longest(own) > longest(geometry.extent(largest))) largest = shape;
            continue;
        }
        for (std::size_t i = 0; i < 3; ++i) {
            others.low[i] = any ? std::min(others.low[i], own.low[i]) : own.low[i];
            others.high[i] = any ? std::max(others.high[i], own.high[i]) : own.high[i];
        }
        any = true;
    }
    if (largest < 0) return {};
    const Geometry::Extent mesh = geometry.extent(largest);
    if (!(longest(mesh) > times * longest(others))) return {};
    const Shape& s = c.shapes[static_cast<std::size_t>(largest)];
    return fmt::format(
        "the mesh of shape \"{0}\" is {1:.6g} x {2:.6g} x {3:.6g} m with shapes.{0}.mesh.scale = {4}{5}; if its file is "
        "in mm, set shapes.{0}.mesh.scale = {6:.6g}",
        s.name, mesh.high[0] - mesh.low[0], mesh.high[1] - mesh.low[1], mesh.high[2] - mesh.low[2], s.mesh.scale,
        any ? fmt::format(", {:.3g} times as long as everything else", longest(mesh) / longest(others)) : "",
        s.mesh.scale / 1000);
}

}  // namespace halfulp
