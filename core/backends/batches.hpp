// Batches: the problems whose runs may share one on a device, and how many fit.
#pragma once

#include <string>
#include <vector>

#include "core/backends/batch.hpp"
#include "core/backends/cuda/cuda_backend.hpp"

namespace halfulp {

// Reason why a problem's run goes alone, whatever the device: a clause without a full stop. Empty if there is none.
std::string why_alone(const Problem& problem);

// Whether two such problems have the same dimensions, precision, physics and integrator, so that the same kernels carry
// out the same operations. Constants, sizes and motions may differ.
bool share_a_batch(const Problem& a, const Problem& b);

// The problems grouped into batches, each as ascending indices, of as many runs as the device's memory and most_runs
// allow. The device must be able to run each problem, and none may have to run alone.
std::vector<std::vector<std::size_t>> batches_of(const std::vector<const Problem*>& problems,
                                                 const CudaOptions& options, std::size_t most_runs);

}  // namespace halfulp
