// The solver's own search and pass for gradients on the particles of `halfulp bench differential`: find_gradient is
// first-order LSMPS in the sphere.
#pragma once

#include <string>
#include <vector>

#include "core/backends/neighbour_storage.hpp"
#include "core/particles/field.hpp"

namespace halfulp::differential {

struct SolverTimes {
    std::string left_out;  // why; empty if it was measured
    double rebuild = 0;    // s
    double gradient = 0;   // s
    double bytes = 0;
    double error = 0;  // rms over rms, from the expected gradients
};
// particles_along: an edge of the lattice. device: of CUDA; negative: the CPU. expected: of each particle of places_of.
SolverTimes times_of_solver(int particles_along, NeighbourStorage storage, int device, double seconds,
                            const std::vector<Four<double>>& expected);

}  // namespace halfulp::differential
