// The probes of a case: what is measured while it runs, where, and how often. docs/cases.md has their keys.
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
    std::array<double, 3> about{};    // force: what moments are about, m
    std::string attached;             // pressure, velocity, force: the motion that carries the place; none: it stays
    double interval = 0.001;          // s between samples
    double filter = 0;                // s, width of the moving mean; 0: none
    std::optional<Box> within;        // level, flow: the part of the tank that counts; default: everything
};

}  // namespace halfulp
