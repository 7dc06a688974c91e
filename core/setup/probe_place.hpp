// Data of a probe for sums in a back end: plain numbers, made from the case by place_probes. Places may change from
// sample to sample, as for probes that move with a wall.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/setup/cell_position.hpp"
#include "core/setup/probe.hpp"
#include "core/setup/units.hpp"

namespace halfulp {

struct ProbePlace {
    int probe = 0;  // its index in the case; a force on several bodies has a place for each, whose values are added
    Probe::Measure measures = Probe::Measure::pressure;
    int motion = -1;                 // index in the case of the motion it follows; -1: none
    CellPosition at{};               // initially, with the case's origin; force: reference point of moments
    std::array<double, 3> normal{};  // flow: of the plane, of unit length
    int axis = 0;                    // level: the axis along which gravity acts
    std::int32_t body = -1;          // force: index of the wall in the case
    // Level, flow: only particles in [low, high) relative to `at` count, in cell sides; infinite without a box. Of a
    // flow it is their places on the plane that count.
    std::array<double, 3> low{};
    std::array<double, 3> high{};
    double share = 1;  // level: fraction of the horizontal kernel inside the box
};

// Throws an Error for a place whose cell number is out of range.
std::vector<ProbePlace> place_probes(const Case& c, const Units& units);

}  // namespace halfulp
