// The rows of cells around a cell, for a problem.
#pragma once

#include "core/backends/cuda/neighbours.cuh"
#include "core/setup/problem.hpp"

namespace halfulp::cuda {

inline Reach reach_of(const Problem& problem)
{
    const int across = 2 * problem.search_cells + 1;
    const int dimensions = problem.source.dimensions;
    Reach reach{.search_cells = problem.search_cells,
                .rows = dimensions == 3 ? across * across : across,
                .images = problem.period[0] > 0 ? 2 : 1,
                .dimensions = dimensions,
                .origin = {},
                .period = {}};
    for (std::size_t c = 0; c < 3; ++c) {
        reach.origin[c] = problem.source.origin.cells[c];
        reach.period[c] = problem.period[c];
    }
    return reach;
}

}  // namespace halfulp::cuda
