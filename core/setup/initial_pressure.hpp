// The pressure of hydrostatic fluid at the instant at which it is let go, where walls do not hold it on all sides.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/setup/fill.hpp"

namespace halfulp {

// By how much that pressure exceeds the weight of the fluid above, for each particle, in units of rho0 g Delta p: zero
// in walls and in fluid that is not of `solved`; empty where the weight alone is in equilibrium.
//
// The fluid is incompressible at that instant: div(g - grad p / rho0) = 0 with p = 0 on free surfaces and
// n . (g - grad p / rho0) = 0 at walls. Finite volumes on the lattice, one a site; the surface lies in the faces
// between sites with fluid and empty ones. A column's pressure is so zero along the side that its gate has left, and no
// sound starts there.
//
// `weight` is the pressure of the fluid above in each particle, rho0 g Delta p, or for shapes that are not `solved`
// whatever their pressure is; `solved` (per shape) those whose particles lie one to a site; `up` the unit vector
// against gravity; `period` in spacings, 0 where there is none.
std::vector<double> excess_over_weight(const Arrangement& arrangement, const std::vector<double>& weight,
                                       const std::vector<bool>& solved, const std::array<double, 3>& up,
                                       const std::array<std::int64_t, 3>& period, int dimensions);

}  // namespace halfulp
