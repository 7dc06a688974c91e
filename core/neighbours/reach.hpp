// The neighbour search radius, and the displacement of particles that requires a neighbour list rebuild: the same on
// every back end.
#pragma once

#include <limits>

#include "kernels/parameters.hpp"

namespace halfulp {

// The search radius, squared, of stored lists: support + skin, which is a whole number of cells.
template <class Real>
Real stored_reach_squared(const Parameters<3, float>& parameters, int search_cells)
{
    const auto side = static_cast<Real>(parameters.cell_side);
    return Real(search_cells * search_cells) * (side * side);
}

// The search radius, squared, of lists for a single pass: the support (cell sides) with a margin for rounding.
template <class Real>
Real searched_reach_squared(const Parameters<3, float>& parameters, float support)
{
    const auto length = static_cast<Real>(support) * static_cast<Real>(parameters.cell_side);
    return length * length * Real(1.0001);
}

// The displacement, squared, that remains of half a skin with global coordinates, which round displacements, most of
// all at the largest coordinate.
template <class Real>
double displacement_left_by_rounding(double skin, double largest_coordinate)
{
    const auto grain = largest_coordinate * static_cast<double>(std::numeric_limits<Real>::epsilon());
    const double left = larger(0.4995 * skin - 2 * grain, 0.0);
    return left * left;
}

}  // namespace halfulp
