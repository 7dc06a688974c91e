// Exact sums of probes on the device.
#pragma once

#include <vector>

#include "core/backends/cuda/device.cuh"
#include "core/backends/cuda/exact_sums.cuh"
#include "core/backends/cuda/owned.cuh"
#include "core/particles/probe_terms.hpp"

namespace halfulp::cuda {

using ProbeBuffer = ExactBuffer<ProbeSum::count>;

// The blocks in a row of the grid divide the particles among them for one point; totals has a buffer for each.
template <class Policy, int D>
__global__ void sum_probes(ParticleView<Policy> particles, OwnedView owned, Domain domain, ProbeConstants<D> constants,
                           const ProbePlace* places, ProbeBuffer* totals)
{
    __shared__ ProbeBuffer shared;
    clear(shared);
    const ProbePlace place = places[blockIdx.y];
    for (std::size_t i = thread_index(); i < particles.count; i += std::size_t(gridDim.x) * blockDim.x) {
        if (owned.has(i)) add_to_probe<Policy, D>(particles, domain, constants, place, i, shared);
    }
    __syncthreads();
    shared.add_to(totals[blockIdx.y]);
}

// The device memory of places and sums, kept between samples.
class ProbeSampler {
public:
    // `blocks` for each place.
    template <class Policy, int D>
    std::vector<ProbeTotals> sample(const ParticleView<Policy>& particles, const OwnedView& owned, const Domain& domain,
                                    const std::vector<ProbePlace>& places, unsigned blocks, cudaStream_t stream)
    {
        const char* const doing = "sampling probes";
        const std::size_t count = places.size();
        places_.resize(count, "probes");
        totals_.resize(count, "probes");
        check(
            cudaMemcpyAsync(places_.data(), places.data(), count * sizeof(ProbePlace), cudaMemcpyHostToDevice, stream),
            doing);
        check(cudaMemsetAsync(totals_.data(), 0, count * sizeof(ProbeBuffer), stream), doing);
        sum_probes<Policy, D><<<dim3(blocks, static_cast<unsigned>(count)), 256, 0, stream>>>(
            particles, owned, domain, ProbeConstants<D>(domain), places_.data(), totals_.data());
        check(cudaGetLastError(), doing);
        std::vector<ProbeBuffer> here(count);
        check(cudaMemcpyAsync(here.data(), totals_.data(), count * sizeof(ProbeBuffer), cudaMemcpyDeviceToHost, stream),
              doing);
        check(cudaStreamSynchronize(stream), doing);
        std::vector<ProbeTotals> totals(count);
        for (std::size_t k = 0; k < count; ++k) {
            for (std::size_t sum = 0; sum < totals[k].exact.size(); ++sum) totals[k].exact[sum] = here[k].sum(sum);
        }
        return totals;
    }

private:
    DeviceVector<ProbePlace> places_;
    DeviceVector<ProbeBuffer> totals_;
};

}  // namespace halfulp::cuda
