// The parts of the page of `halfulp validate operators`, a function each. Each measures, prints, draws and judges.
#pragma once

#include "validation/page.hpp"
#include "validation/study_options.hpp"

namespace halfulp {

// Errors of every policy over the displacement from the origin and over |s|, and where they come from.
void sweep_operators(Page& page, const StudyOptions& options, int dimensions);

// The pressure term of a pair, over |s|, in six ways.
void compare_pressure_pairs(Page& page, const StudyOptions& options);

// Techniques that bring nothing alone: with neither, with each and with both.
void show_techniques_together(Page& page, const StudyOptions& options);

// An error over its scale in float ulps of the scale: multiples of 2^-23 of it.
inline double in_ulps(double relative_error) { return relative_error * 0x1p23; }

}  // namespace halfulp
