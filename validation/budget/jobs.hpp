// The measurements of the error budget as rows of numbers.
#pragma once

#include <string>
#include <vector>

#include "core/setup/case.hpp"
#include "validation/budget/loss.hpp"
#include "validation/study_cache.hpp"

namespace halfulp {

// Equal parts of the run; the last moment is its end.
inline constexpr int budget_moments = 4;

// Rows of examine_flow begin with their kind and the number of the moment:
//   moment    time (s), largest difference of the run's du/dt from double's in u of the terms' sizes
//   particle  x, y, z (m), condition of the forces, of the acceleration, of the density rate, neighbours, bits lost
//             of a change of the coordinate, of the velocity, of rho: at the run's own step, means over components
//   loss      holding, CFL number, changes, lost whole, sum of the bits lost
//   residual  Quantity, mean and largest over half an ulp, root mean square, histogram
enum class FlowRow { moment, particle, loss, residual };
inline constexpr std::size_t flow_row_kinds = 4;
Results examine_flow(const Case& c, const std::vector<double>& cfls);

// A row {pairs that exert a force, asymmetric, largest, pairs taken} for each policy, and one for the order that robust
// does not take.
Results examine_pairs(const Case& c, std::size_t most, const std::vector<std::string>& policies);

// A row of each moment: time (s), then position and velocity (m, m/s) of every particle of the fluid.
Results states_at_moments(const Case& c);

// One row: largest net force, largest gain of a step, gain, steps, broke.
Results examine_drop(const Case& c, int steps);

}  // namespace halfulp
