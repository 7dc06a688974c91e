// Storage of neighbours, and an estimate of its size.
#pragma once

#include "core/setup/problem.hpp"
#include "core/setup/units.hpp"

namespace halfulp {

// What is kept of neighbours between rebuilds: lists (fast), on a CUDA device compact lists (nearly as fast, in less
// than half of the memory) or a bit for each candidate (passes take twice the time), or nothing, so that they are
// searched for in every pass. Automatic keeps what the free memory allows. Changes no bit of the result.
enum class NeighbourStorage { automatic, stored, compact, masks, none };

// Whether only CUDA devices have it.
constexpr bool is_of_devices(NeighbourStorage storage)
{
    return storage == NeighbourStorage::compact || storage == NeighbourStorage::masks;
}

// Estimated reach of lists, in spacings: support + skin where walls move, otherwise little more than the support
// (core/neighbours/course.hpp).
inline double listed_reach(const Problem& problem)
{
    const Case& c = problem.source;
    const double beyond = problem.physics.moving_walls ? skin_fraction(c) : 0.05;
    return support_radius(c) * (1 + beyond) / c.resolution.spacing;
}

// Estimated neighbours in a list in the bulk of the fluid.
inline double listed_neighbours(const Problem& problem)
{
    const double reach = listed_reach(problem);
    return problem.source.dimensions == 2 ? 3.1416 * reach * reach : 4.1888 * reach * reach * reach;
}

}  // namespace halfulp
