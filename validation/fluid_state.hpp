// The fluid of a simulation as plain numbers, for experiments that measure its shape.
#pragma once

#include <array>
#include <vector>

#include "core/evolution/simulation.hpp"

namespace halfulp {

// Positions of the fluid (m, relative to the case's origin, residuals included), its velocities (m/s) and pressures
// (Pa), in order of id.
struct FluidState {
    std::vector<std::array<double, 3>> position;
    std::vector<std::array<double, 3>> velocity;
    std::vector<double> pressure;
};
FluidState fluid_of(const Problem& problem, const Snapshot& snapshot);

}  // namespace halfulp
