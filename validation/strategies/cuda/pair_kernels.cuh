// Common parts of kernels that sum over pairs: the dam break's smoothing kernel, launches and checks.
#pragma once

#include "core/error.hpp"
#include "precision/sums.hpp"
#include "validation/device/timing.cuh"
#include "validation/strategies/pair_physics.hpp"

namespace halfulp::strategies {

using cuda::blocks_for;
using cuda::check;
using cuda::DeviceVector;
using Kernel = FactoredKernels::Of<CubicSpline>;

}  // namespace halfulp::strategies
