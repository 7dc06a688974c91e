// Cases made by hand, without a file.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "core/setup/case.hpp"
#include "core/setup/lattice.hpp"
#include "core/setup/polygon.hpp"

namespace halfulp {

inline std::vector<Site> sites_of(const Rows& rows)
{
    std::vector<Site> sites;
    for_each_site(rows, [&](const Site& site) { sites.push_back(site); });
    return sites;
}

inline Shape box(std::string name, Kind kind, std::array<double, 3> from, std::array<double, 3> to)
{
    Shape s;
    s.name = std::move(name);
    s.kind = kind;
    s.form = Shape::Form::box;
    s.from = from;
    s.to = to;
    return s;
}

inline Shape hollow_box(std::string name, std::array<double, 3> from, std::array<double, 3> to, int layers)
{
    Shape s = box(std::move(name), Kind::wall, from, to);
    s.form = Shape::Form::hollow_box;
    s.layers = layers;
    return s;
}

inline Shape polygon(std::string name, Kind kind, Polygon corners)
{
    Shape s;
    s.name = std::move(name);
    s.kind = kind;
    s.form = Shape::Form::polygon;
    s.points = std::move(corners);
    return s;
}

inline Case case_of(int dimensions, double spacing, std::vector<Shape> shapes)
{
    Case c;
    c.path = "hand.toml";
    c.dimensions = dimensions;
    c.resolution.spacing = spacing;
    c.shapes = std::move(shapes);
    return c;
}

// The same shape as a wall around its form.
inline Shape hollow(Shape s, int layers)
{
    s.kind = Kind::wall;
    s.hollow = true;
    s.layers = layers;
    return s;
}

inline Shape ball(std::string name, Kind kind, Shape::Form form, std::array<double, 3> centre, double radius)
{
    Shape s;
    s.name = std::move(name);
    s.kind = kind;
    s.form = form;
    s.centre = centre;
    s.radius = radius;
    return s;
}

inline Shape circle(std::string name, Kind kind, std::array<double, 3> centre, double radius)
{
    return ball(std::move(name), kind, Shape::Form::circle, centre, radius);
}

inline Shape sphere(std::string name, Kind kind, std::array<double, 3> centre, double radius)
{
    return ball(std::move(name), kind, Shape::Form::sphere, centre, radius);
}

inline Shape cylinder(std::string name, Kind kind, std::array<double, 3> from, std::array<double, 3> to, double radius)
{
    Shape s = ball(std::move(name), kind, Shape::Form::cylinder, {}, radius);
    s.from = from;
    s.to = to;
    return s;
}

inline Shape mesh(std::string name, Kind kind, std::string file)
{
    Shape s;
    s.name = std::move(name);
    s.kind = kind;
    s.form = Shape::Form::mesh;
    s.mesh.file = std::move(file);
    return s;
}

inline Shape without(Shape s, std::vector<std::string> others)
{
    s.without = std::move(others);
    return s;
}

}  // namespace halfulp
