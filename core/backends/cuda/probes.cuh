// Exact sums of probes on the device.
#pragma once

#include "core/backends/cuda/exact_sums.cuh"
#include "core/particles/probe_terms.hpp"

namespace halfulp::cuda {

using ProbeBuffer = ExactBuffer<ProbeSum::count>;

// The blocks in a row of the grid divide the particles among them for one point; totals has a buffer for each.
template <class Policy, int D>
__global__ void sum_probes(ParticleView<Policy> particles, Domain domain, ProbeConstants<D> constants,
                           const ProbePlace* places, ProbeBuffer* totals)
{
    __shared__ ProbeBuffer shared;
    clear(shared);
    const ProbePlace place = places[blockIdx.y];
    for (std::size_t i = thread_index(); i < particles.count; i += std::size_t(gridDim.x) * blockDim.x)
        add_to_probe<Policy, D>(particles, domain, constants, place, i, shared);
    __syncthreads();
    shared.add_to(totals[blockIdx.y]);
}

}  // namespace halfulp::cuda
