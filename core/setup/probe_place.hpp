// What a back end needs of a probe to add up what the particles bring to it: plain numbers, made from the case by
// place_probes. Places may change from sample to sample, as those of probes that move with a wall do.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/setup/cell_position.hpp"
#include "core/setup/probe.hpp"
#include "core/setup/units.hpp"

namespace halfulp {

struct ProbePlace {
    int probe = 0;  // its place in the case; a force on several bodies has a place for each, to be added up
    Probe::Measure measures = Probe::Measure::pressure;
    int motion = -1;                 // that carries it along: its place in the case; -1: none
    CellPosition at{};               // at the start; the case's origin included; of a force, what moments are about
    std::array<double, 3> normal{};  // flow: of the plane, of length 1
    int axis = 0;                    // level: the one that gravity acts along
    std::int32_t body = -1;          // force: the wall, its place in the case
    // Level, flow: only particles in [low, high) relative to `at` count, in cell sides; infinite without a box.
    std::array<double, 3> low{};
    std::array<double, 3> high{};
    double share = 1;  // level: of the horizontal kernel that lies in the box
};

// Throws an Error for a place that no cell can hold.
std::vector<ProbePlace> place_probes(const Case& c, const Units& units);

}  // namespace halfulp
