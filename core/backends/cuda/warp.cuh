// The threads that a device runs together.
#pragma once

namespace halfulp::cuda {

inline constexpr int warp = 32;

}  // namespace halfulp::cuda
