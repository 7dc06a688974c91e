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

// The problems, none of which goes alone, by batch: each as indices, in order, as many as the memory of the device and
// the number of runs allow. The device must be able to run each of them.
std::vector<std::vector<std::size_t>> batches_of(const std::vector<const Problem*>& problems,
                                                 const CudaOptions& options, std::size_t most_runs);

}  // namespace halfulp
