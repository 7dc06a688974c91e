// The keys of a shape, in the manner of case_fields.hpp.
#pragma once

#include <string>

#include "core/setup/key.hpp"
#include "core/setup/shape.hpp"

namespace halfulp {

template <class Archive>
void shape_fields(Archive& a, Shape& s, int dimensions)
{
    a.text({.name = "name", .meaning = "letters, digits, - and _", .required = true}, s.name);
    std::string kind = !s.kind ? "void" : s.kind == Kind::wall ? "wall" : "fluid";
    a.one_of({.name = "kind", .meaning = "fluid, wall or void (only to be cut out of others)", .required = true}, kind,
             {"fluid", "wall", "void"});
    if (kind == "void") s.kind.reset();
    else s.kind = kind == "wall" ? Kind::wall : Kind::fluid;
    const bool fluid = s.kind == Kind::fluid;
    const bool wall = s.kind == Kind::wall;

    // Exactly one form defines where the particles are.
    const auto corners = [&] {
        a.vector({.name = "from", .meaning = "lower corner, m", .required = true}, s.from, dimensions, any_number);
        a.vector({.name = "to", .meaning = "upper corner, m", .required = true}, s.to, dimensions, any_number);
    };
    a.form({.name = "box", .meaning = "filled box between two corners, m"}, s.form, Shape::Form::box, corners);
    a.form({.name = "hollow_box",
            .meaning = "wall around the box between two corners, m",
            .applies = wall,
            .applies_to = "a shape of kind \"wall\""},
           s.form, Shape::Form::hollow_box, corners);
    a.form({.name = "polygon",
            .meaning = "corners in order, m; closed implicitly",
            .applies = dimensions == 2,
            .applies_to = "a case with dimensions = 2"},
           s.form, Shape::Form::polygon, s.points, 3);
    const auto ball = [&] {
        a.vector({.name = "centre", .meaning = "m", .required = true}, s.centre, dimensions, any_number);
        a.real({.name = "radius", .meaning = "m", .required = true}, s.radius, positive);
    };
    a.form({.name = "circle",
            .meaning = "disc around a centre, m",
            .applies = dimensions == 2,
            .applies_to = "a case with dimensions = 2"},
           s.form, Shape::Form::circle, ball);
    a.form({.name = "sphere",
            .meaning = "ball around a centre, m",
            .applies = dimensions == 3,
            .applies_to = "a case with dimensions = 3"},
           s.form, Shape::Form::sphere, ball);
    a.form({.name = "cylinder",
            .meaning = "cylinder between two ends of its axis, m",
            .applies = dimensions == 3,
            .applies_to = "a case with dimensions = 3"},
           s.form, Shape::Form::cylinder, [&] {
               a.vector({.name = "from", .meaning = "one end of the axis, m", .required = true}, s.from, 3, any_number);
               a.vector({.name = "to", .meaning = "its other end, m", .required = true}, s.to, 3, any_number);
               a.real({.name = "radius", .meaning = "m", .required = true}, s.radius, positive);
           });
    a.form({.name = "mesh",
            .meaning = "body bounded by the triangles of an STL file",
            .applies = dimensions == 3,
            .applies_to = "a case with dimensions = 3"},
           s.form, Shape::Form::mesh, [&] {
               a.text({.name = "file", .meaning = "STL file, relative to the case file", .required = true},
                      s.mesh.file);
               a.real({.name = "scale", .meaning = "m for one unit of the file"}, s.mesh.scale, positive);
               a.vector({.name = "move", .meaning = "added after scaling, m"}, s.mesh.move, 3, any_number);
           });

    a.boolean({.name = "hollow",
               .meaning = "whether the wall lies around the form instead of in it",
               .applies = wall && !s.is_box(),
               .applies_to = "a wall that is no box (a box has hollow_box)"},
              s.hollow);
    a.integer({.name = "layers",
               .meaning = "thickness of the wall in particles; 0: covers the kernel's support",
               .applies = s.is_hollow(),
               .applies_to = "a shape with hollow_box or hollow = true"},
              s.layers, {.low = 0, .high = 1000});
    a.texts({.name = "without", .meaning = "names of the shapes that are cut out of this one"}, s.without);
    a.one_of({.name = "fill",
              .meaning = "lattice, or relaxed: evenly spaced along curved boundaries",
              .applies = fluid,
              .applies_to = "a shape of kind \"fluid\""},
             s.fill, {"lattice", "relaxed"});
    a.field({.name = "velocity",
             .meaning = "m/s; initial for a fluid, numbers or expressions of the position in m; constant for a wall",
             .applies = s.kind.has_value(),
             .applies_to = "a shape of kind \"fluid\" or \"wall\""},
            s.velocity, dimensions);
    a.boolean({.name = "hydrostatic",
               .meaning = "starts with the pressure at its release: hydrostatic, lower where no wall holds it",
               .applies = fluid,
               .applies_to = "a shape of kind \"fluid\""},
              s.hydrostatic);
    a.field({.name = "pressure",
             .meaning = "initial pressure, Pa: a number or an expression of the position in m",
             .applies = fluid && !s.hydrostatic,
             .applies_to = "a shape of kind \"fluid\" without hydrostatic = true"},
            s.pressure, dimensions);
    a.real({.name = "surface",
            .meaning = "height of the free surface against gravity, m; default: none, the pressure at the release",
            .applies = s.hydrostatic,
            .applies_to = "a fluid with hydrostatic = true"},
           s.surface, any_number);
}

}  // namespace halfulp
