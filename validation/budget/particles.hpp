// The particles of a run in robust as it holds them, number by number, and which of them are neighbours.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/backends/backend.hpp"

namespace halfulp {

// In the units of the state.
struct HeldParticle {
    std::array<std::int32_t, 3> cell{};  // the case's origin included
    std::array<float, 3> offset{};
    std::array<float, 3> velocity{};
    float density = 0;  // s
    std::array<float, 3> offset_residual{};
    std::array<float, 3> velocity_residual{};
    float density_residual = 0;
    Kind kind = Kind::fluid;
    std::array<float, 4> rate{};       // du/dt; ds/dt: of the last passes
    std::array<double, 3> position{};  // m
};

// In order of id. The backend's precision must be robust.
std::vector<HeldParticle> held_particles(const Problem& problem, const Backend& backend);

struct Neighbour {
    std::uint32_t index;
    std::array<int, 3> cells;  // cell of the particle minus that of this neighbour or of its image along a period
};

// Of every particle those that may lie within the support, itself left out, in no particular order: all in the cells
// around. A neighbour stands there once for each of its images.
std::vector<std::vector<Neighbour>> neighbours_of(const Problem& problem, const std::vector<HeldParticle>& particles);

}  // namespace halfulp
