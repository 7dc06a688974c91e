// Where a case departs from what its flow needs: what info and run say of it before its first step. docs/cases.md has
// the list, and the settings that each flow needs.
#pragma once

#include <string>
#include <vector>

#include "core/setup/problem.hpp"
#include "core/setup/start_region.hpp"

namespace halfulp {

// A sentence each, without a full stop: what was found, and what is needed instead. Throws an Error for what cannot
// come out right: walls too thin for the kernel's support, a wall as fast as sound, a probe that no fluid can ever
// reach.
std::vector<std::string> departures(const Problem& problem);

// Its parts. start: null where there is no wall, or too little memory to look (start_region).
void add_step_departures(const Problem& problem, std::vector<std::string>& all);
void add_numerics_departures(const Problem& problem, const StartRegion* start, std::vector<std::string>& all);
void add_wall_departures(const Problem& problem, const StartRegion* start, std::vector<std::string>& all);
void add_fluid_departures(const Problem& problem, const StartRegion& start, std::vector<std::string>& all);
void add_probe_departures(const Problem& problem, const StartRegion& start, std::vector<std::string>& all);

}  // namespace halfulp
