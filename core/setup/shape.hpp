// The shapes of a case: regions that are filled with particles.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/setup/expression.hpp"

namespace halfulp {

enum class Kind : std::uint8_t { fluid = 0, wall = 1 };

// A region filled with particles of one kind on the lattice, or with `hollow`, layers of particles around a box.
struct Shape {
    enum class Form { box, hollow_box, polygon };
    std::string name;
    Kind kind = Kind::fluid;
    Form form = Form::box;
    std::array<double, 3> from{};               // box, hollow box: lower corner, m
    std::array<double, 3> to{};                 // and upper corner, m
    int layers = 0;                             // hollow box: thickness of the wall in particles; 0: covers the support
    std::vector<std::array<double, 2>> points;  // polygon (2D): corners in order, m; closed by itself
    std::array<Field, 3> velocity{};            // initial velocity of a fluid, m/s
    std::optional<Field> pressure;              // initial pressure of a fluid, Pa; default: none, or hydrostatic
    bool hydrostatic = false;                   // initial density from the weight of the fluid above
    std::optional<double> surface;              // height of the free surface along -g, m; default: the shape's top
};

}  // namespace halfulp
