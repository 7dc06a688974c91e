// The particles on which right-hand sides are evaluated: a block of fluid on a jittered lattice, at rest in the mean,
// with velocities and densities drawn from each particle's number.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/setup/problem.hpp"

namespace halfulp {

struct Block {
    int dimensions = 2;
    int edge = 24;                  // particles along it
    std::int32_t displacement = 0;  // of the origin from zero along every axis, cells
    double deviation = 1e-3;        // s = rho/rho0 - 1 is drawn from [-deviation, deviation)
    std::uint64_t seed = 1;
};

// Without gravity, viscosity and walls; Wendland's kernel; a fixed step.
Case case_of(const Block& block, const std::string& precision);

// Cells, offsets, velocities (up to a tenth of the sound speed in each component) and densities are the same numbers of
// single precision for every policy, whatever its units and wherever the block is.
Problem problem_of(const Block& block, const std::string& precision);

// The ids of the particles that have their whole support inside the block.
std::vector<std::size_t> interior_of(const Problem& problem, const Block& block);

}  // namespace halfulp
