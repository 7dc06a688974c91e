// Warnings about settings of a case that do not suit its flow, shown by info and run before the first step.
// docs/cases.md lists them, and the settings that each flow needs.
#pragma once

#include <string>
#include <vector>

#include "core/setup/point.hpp"
#include "core/setup/problem.hpp"
#include "core/setup/start_region.hpp"

namespace halfulp {

// The warnings, a sentence each without a full stop: the finding and the remedy. Throws an Error for cases that are
// bound to fail: walls too thin for the kernel's support, a wall as fast as sound, a probe that no fluid can ever
// reach.
std::vector<std::string> case_warnings(const Problem& problem);

// Whether vortices of the case may lose energy faster than by its laminar viscosity: in a periodic box full of fluid in
// shear flow, with few neighbours (docs/accuracy.md, exact solutions). This is a note rather than a warning, since not
// every such flow does.
bool decays_too_fast(const Problem& problem);

// Parts of `case_warnings`. start: null if there is no wall, or too little memory to examine it (start_region).
void add_output_warnings(const Problem& problem, std::vector<std::string>& all);
void add_step_warnings(const Problem& problem, std::vector<std::string>& all);
void add_numerics_warnings(const Problem& problem, const StartRegion* start, std::vector<std::string>& all);
void add_wall_warnings(const Problem& problem, const StartRegion* start, std::vector<std::string>& all);
void add_flow_warnings(const Problem& problem, const StartRegion* start, std::vector<std::string>& all);
void add_motion_warnings(const Problem& problem, const StartRegion* start, std::vector<std::string>& all);
void add_fluid_warnings(const Problem& problem, const StartRegion& start, std::vector<std::string>& all);
void add_probe_warnings(const Problem& problem, const StartRegion& start, std::vector<std::string>& all);

// The centre of a site.
Point centre_in_metres(const Case& c, const Site& site);
// A point in m, for a sentence: "(0.1, 0.2) m".
std::string text_of(const Case& c, const Point& x);

// Whether one motion in the frame of the laboratory moves all walls, so that it could move the frame instead.
bool may_move_its_frame(const Case& c);
// Of such a case, the remedy in a sentence.
std::string how_to_move_the_frame(const Case& c);
// Whether the fluid starts with velocities that differ.
bool is_sheared(const Problem& problem);
// Whether a case without walls is periodic along all of its dimensions, and full of fluid.
bool fills_its_periods(const Problem& problem);

}  // namespace halfulp
