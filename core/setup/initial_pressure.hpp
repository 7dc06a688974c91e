// The pressure of hydrostatic fluid at the instant of its release, where walls do not hold it on all sides.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/setup/placed_particles.hpp"

namespace halfulp {

// The excess of that pressure over the weight of the fluid above, for each particle, in units of rho0 g Delta p: zero
// in walls and in fluid outside `solved`; empty if the weight alone is in equilibrium.
//
// The fluid is incompressible at that instant: div(g - grad p / rho0) = 0 with p = 0 on free surfaces and n . (g - grad
// p / rho0) = 0 at walls. Finite volumes on the lattice, one per site; the free surface consists of the faces between
// sites with fluid and empty ones. So a column's pressure vanishes along the side that its gate has left, and no sound
// starts there.
//
// `weight` is the pressure of the fluid above each particle, rho0 g Delta p, or any pressure for shapes that are not
// `solved`; `solved` (per shape) those with one particle per site; `up` the unit vector against gravity; `period` in
// spacings, 0 where there is none.
std::vector<double> excess_over_weight(const PlacedParticles& particles, const std::vector<double>& weight,
                                       const std::vector<bool>& solved, const std::array<double, 3>& up,
                                       const std::array<std::int64_t, 3>& period, int dimensions);

}  // namespace halfulp
