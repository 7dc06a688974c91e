// What `halfulp validate energy` concludes from its runs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "validation/energy/energy_runs.hpp"
#include "validation/page.hpp"

namespace halfulp {

struct MeasuredEnergy {
    EnergyRun run;
    EnergyError error;
};

// Of the available energy, by which the kinetic energy differs from the reference's: another flow, whose energies tell
// nothing about rounding.
inline constexpr double another_flow = 0.01;
// At this CFL number policies are compared over the distance; so many cells away an ulp of naive's positions is at most
// 10^-3 spacings, and it still moves.
inline constexpr double asked_cfl = 0.01;
inline constexpr std::int64_t still_moving = 4096;

// The CFL number at which a policy's deviation meets the integrator's own error, in words. series: one policy over the
// step, CFL numbers descending.
std::string crossover(const std::vector<MeasuredEnergy>& series);

// What each technique is worth at the origin, and robust beside double and the others. all: over the step.
void conclude_steps(Page& page, const std::vector<PolicyInfo>& policies, const std::vector<MeasuredEnergy>& all);

// robust beside itself, naive and double over the distance from the origin.
void conclude_distance(Page& page, const std::vector<MeasuredEnergy>& distance);

}  // namespace halfulp
