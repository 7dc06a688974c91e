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
    std::string kind = s.kind == Kind::wall ? "wall" : "fluid";
    a.one_of({.name = "kind", .meaning = "fluid or wall", .required = true}, kind, {"fluid", "wall"});
    s.kind = kind == "wall" ? Kind::wall : Kind::fluid;
    const bool fluid = s.kind == Kind::fluid;

    // Exactly one of the three forms says where the particles are.
    const auto corners = [&] {
        a.vector({.name = "from", .meaning = "lower corner, m", .required = true}, s.from, dimensions, any_number);
        a.vector({.name = "to", .meaning = "upper corner, m", .required = true}, s.to, dimensions, any_number);
    };
    a.form({.name = "box", .meaning = "filled box between two corners, m"}, s.form, Shape::Form::box, corners);
    a.form({.name = "hollow_box",
            .meaning = "wall around the box between two corners, m",
            .applies = !fluid,
            .applies_to = "a shape of kind \"wall\""},
           s.form, Shape::Form::hollow_box, corners);
    a.form({.name = "polygon",
            .meaning = "corners in order, m; closed by itself",
            .applies = dimensions == 2,
            .applies_to = "a case with dimensions = 2"},
           s.form, Shape::Form::polygon, s.points, 3);

    a.integer({.name = "layers",
               .meaning = "thickness of the wall in particles; 0: covers the kernel's support",
               .applies = s.form == Shape::Form::hollow_box,
               .applies_to = "a shape with hollow_box"},
              s.layers, {.low = 0, .high = 1000});
    a.field({.name = "velocity",
             .meaning = "initial velocity, m/s: numbers or expressions of the position in m",
             .applies = fluid,
             .applies_to = "a shape of kind \"fluid\""},
            s.velocity, dimensions);
    a.boolean({.name = "hydrostatic",
               .meaning = "initial density from the weight of the fluid above",
               .applies = fluid,
               .applies_to = "a shape of kind \"fluid\""},
              s.hydrostatic);
    a.field({.name = "pressure",
             .meaning = "initial pressure, Pa: a number or an expression of the position in m",
             .applies = fluid && !s.hydrostatic,
             .applies_to = "a shape of kind \"fluid\" without hydrostatic = true"},
            s.pressure, dimensions);
    a.real({.name = "surface",
            .meaning = "height of the free surface against gravity, m; default: the shape's top",
            .applies = s.hydrostatic,
            .applies_to = "a fluid with hydrostatic = true"},
           s.surface, any_number);
}

}  // namespace halfulp
