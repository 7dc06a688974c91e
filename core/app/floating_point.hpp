// Is this machine set up as the promises need it?
#pragma once

namespace halfulp {

// Throws an Error (unsupported) if rounding is not to nearest, if subnormal numbers are flushed to zero, or if the
// compiler fused or reordered arithmetic. Asked at start: a library loaded before us may have changed the modes.
void check_floating_point();

}  // namespace halfulp
