// Condition numbers of the sums over neighbours of a run in robust: its particles number by number, their neighbours,
// and how much cancels in the sums over these, from the formulas of kernels/ in double.
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

struct HeldNeighbour {
    std::uint32_t index;
    std::array<int, 3> cells;  // cell of the particle minus that of this neighbour or of its image along a period
};

// Of every particle those that may lie within the support, itself left out, in no particular order: all in the cells
// around. A neighbour stands there once for each of its images.
std::vector<std::vector<HeldNeighbour>> neighbours_of(const Problem& problem,
                                                      const std::vector<HeldParticle>& particles);

// Terms a_i of a sum: a relative error u of each may make one of condition() u in the sum.
struct SumSize {
    double terms = 0;  // sum |a_i|
    double sum = 0;    // |sum a_i|
    [[nodiscard]] double condition() const { return terms / sum; }
};

// Of one particle of the fluid; vectors count by their lengths. Units of the state.
struct Conditions {
    int neighbours = 0;             // inside the support
    SumSize forces;                 // the pairs' shares of du/dt
    SumSize acceleration;           // with gravity as one more term
    SumSize density_rate;           // ds/dt
    std::array<double, 3> value{};  // du/dt
    // What rounding of the forces is to be measured by: terms before the pressures of a pair cancel in their sum.
    double scale = 0;
};

// In order of id; those of walls are empty. Throws an Error for physics whose rates have more terms than these:
// density diffusion, XSPH, a central force.
std::vector<Conditions> conditions_of(const Problem& problem, const std::vector<HeldParticle>& particles);

}  // namespace halfulp
