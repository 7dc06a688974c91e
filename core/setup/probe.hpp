// The probes of a case: measured quantity, location and sampling interval. docs/cases.md has their keys.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/setup/box.hpp"

namespace halfulp {

struct Probe {
    // In the order of their names in probe_fields.hpp.
    enum class Measure { pressure, velocity, level, force, flow };

    std::string name;
    Measure measures = Measure::pressure;
    std::array<double, 3> at{};  // pressure, velocity: the point; level: a point of the gauge; flow: of the plane, m
    std::array<double, 3> normal{};   // flow: of the plane, towards where flow counts as positive; any length
    std::vector<std::string> bodies;  // force: names of walls; none: all of them
    std::array<double, 3> about{};    // force: reference point of moments, m
    std::string attached;             // pressure, velocity, force: the motion that the probe follows; none: fixed
    double interval = 0.001;          // s between samples
    double filter = 0;                // s, width of the moving mean; 0: none
    std::optional<Box> within;        // level, flow: the part of the tank considered; default: everything
};

}  // namespace halfulp
