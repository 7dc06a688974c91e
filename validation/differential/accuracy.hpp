// The sections of `halfulp validate differential` on accuracy, each with tables of its own, and what they share.
#pragma once

#include "validation/differential/arrangement.hpp"
#include "validation/differential/discretisation.hpp"
#include "validation/experiment.hpp"

namespace halfulp::differential {

constexpr double reach = 3.1;  // spacings

// One number of each quantity, in a row.
std::string cells_of(const std::array<double, quantity_count>& numbers);
// Names of columns, then those of the quantities.
std::vector<std::string> header_with(std::vector<std::string> first);

// A dam break as it breaks, and its water; free surface by the number density (Koshizuka and Oka 1996: below 97 % of
// that of the lattice).
Case snapshot_case(const StudyOptions& options);
Arrangement<2> broken_dam(const Case& c);

// (g) Digits of single precision.
void find_rounding_errors(const StudyOptions& options, Page& page, Study& study);
// (h) Condition of the matrices of fits.
void find_conditions(const StudyOptions& options, Page& page, Study& study);

}  // namespace halfulp::differential
