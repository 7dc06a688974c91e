// A spacing with which the faces of boxes lie on planes of the lattice.
#pragma once

#include <optional>

#include "core/setup/case.hpp"

namespace halfulp {

// The one nearest to resolution.spacing, a quarter to four times of it, that divides all coordinates of the faces of
// all boxes, and the periods, m; none if there is no such. Of two as near, the finer.
std::optional<double> fitting_spacing(const Case& c);

}  // namespace halfulp
