// The law of what plain updates of coordinates lose (core/setup/rounding_loss.hpp), along a measured oscillation.
#pragma once

#include "core/setup/rounding_loss.hpp"
#include "validation/decisive/flows.hpp"

namespace halfulp {

// The coordinates of a precision that updates them plainly; none of one that does not.
std::optional<Coordinates> plain_coordinates(const std::string& precision);

// The error of amplitude and phase together in the middle of each window, where the reference has these amplitudes
// there. The flow starts at the speed of its case and slows down with the amplitude.
std::vector<double> error_by_law(const RoundingLoss& loss, const Flow& flow, const std::vector<double>& amplitudes);

}  // namespace halfulp
