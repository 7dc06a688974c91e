// Solver of Laplace's equation on lattice sites: multigrid conjugate gradients, the same bits for any number of
// threads.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/setup/lattice.hpp"

namespace halfulp {

// Sum over the neighbours j of weight_ij (x_j - x_i) - to_boundary_i x_i = -source_i for every site i: fluxes through
// the faces of its finite volume. `to_boundary` couples with zero values beyond a face. Neighbours: -x, +x, -y, +y, -z,
// +z; none: -1. Weights are symmetric.
struct LatticeLaplace {
    std::vector<Site> sites;  // all different
    std::vector<std::array<std::int32_t, 6>> neighbours;
    std::vector<std::array<float, 6>> weights;
    std::vector<float> to_boundary;
};

// The solution, to a residual of 1e-7 of the source in the 2-norm: after some ten iterations in 2D and twenty in 3D for
// any size, 200 at most. Regions without a boundary need sources that add up to zero, and keep a mean of zero.
std::vector<double> solve(LatticeLaplace system, const std::vector<double>& source);

}  // namespace halfulp
