// A spacing with which the faces of boxes lie on planes of the lattice.
#pragma once

#include <optional>

#include "core/setup/case.hpp"

namespace halfulp {

// The spacing nearest to resolution.spacing, from a quarter to four times of it, that divides the coordinates of all
// faces of boxes, and the periods, m; none if there is none. Of two that are equally near, the finer one.
std::optional<double> fitting_spacing(const Case& c);

}  // namespace halfulp
