// A cylindrical shape by its middle and axis.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "core/setup/shape.hpp"

namespace halfulp {

struct Cylinder {
    std::array<double, 3> middle{};
    std::array<double, 3> axis{};  // of unit length; its first non-zero component is positive
    double half = 0;
    double radius = 0;
};

inline Cylinder cylinder_of(const Shape& s)
{
    Cylinder c{.middle = {}, .axis = {}, .half = 0, .radius = s.radius};
    double length_squared = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        c.middle[i] = 0.5 * (s.from[i] + s.to[i]);
        c.axis[i] = s.to[i] - s.from[i];
        length_squared += c.axis[i] * c.axis[i];
    }
    const double length = std::sqrt(length_squared);
    const auto leading = std::find_if(c.axis.begin(), c.axis.end(), [](double x) { return x != 0; });
    const double sign = leading != c.axis.end() && *leading < 0 ? -1 : 1;
    for (double& x : c.axis) x *= sign / length;
    c.half = 0.5 * length;
    return c;
}

}  // namespace halfulp
