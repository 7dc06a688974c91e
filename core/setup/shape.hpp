// The shapes of a case: regions filled with particles.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/setup/expression.hpp"

namespace halfulp {

enum class Kind : std::uint8_t { fluid = 0, wall = 1 };

// A region filled with particles of one kind or, if hollow, surrounded by layers of wall particles.
struct Shape {
    enum class Form { box, hollow_box, polygon, circle, sphere, cylinder, mesh };
    std::string name;
    std::optional<Kind> kind = Kind::fluid;  // none: void, a region only cut out of others
    Form form = Form::box;
    std::array<double, 3> from{};               // box, hollow box: lower corner; cylinder: one end of the axis; m
    std::array<double, 3> to{};                 // and upper corner; the other end; m
    std::array<double, 3> centre{};             // circle (2D), sphere (3D), m
    double radius = 0;                          // circle, sphere, cylinder, m
    std::vector<std::array<double, 2>> points;  // polygon (2D): corners in order, m; closed implicitly
    struct {
        std::string file;              // STL; relative to the case file
        double scale = 1;              // m for one unit of the file
        std::array<double, 3> move{};  // added after scaling, m
    } mesh;                            // (3D)

    bool hollow = false;               // a wall around the form instead of in it; not for boxes
    int layers = 0;                    // of a hollow shape: thickness in particles; 0: the support
    std::vector<std::string> without;  // names of the shapes that are cut out of this one
    std::string fill = "lattice";      // of a fluid: "lattice" or "relaxed"

    std::array<Field, 3> velocity{};  // initial velocity of a fluid, m/s
    std::optional<Field> pressure;    // initial pressure of a fluid, Pa; default: none, or hydrostatic
    bool hydrostatic = false;         // starts with the pressure at its release
    std::optional<double> surface;    // height of the free surface along -g, m; none: at the release

    // A wall's own velocity is a motion of its own.
    [[nodiscard]] bool slides() const { return kind == Kind::wall && velocity != std::array<Field, 3>{}; }
    [[nodiscard]] bool is_hollow() const { return hollow || form == Form::hollow_box; }
    [[nodiscard]] bool is_box() const { return form == Form::box || form == Form::hollow_box; }
};

}  // namespace halfulp
