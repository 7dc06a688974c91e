// Exact sums of the energy ledger on the device: integers, so that the order of atomics changes no bit.
#pragma once

#include "core/backends/cuda/exact_sums.cuh"
#include "core/backends/cuda/owned.cuh"
#include "core/particles/report.hpp"

namespace halfulp::cuda {

struct LedgerBuffer {
    ExactBuffer<LedgerSum::count> exact;
    unsigned long long speed2;
    unsigned long long density;
    unsigned long long front;  // ordered_bits
};

// Maps doubles to integers in the same order.
__host__ __device__ inline unsigned long long ordered_bits(double value)
{
    unsigned long long bits = 0;
    std::memcpy(&bits, &value, sizeof bits);
    return bits >> 63U != 0 ? ~bits : bits | 0x8000000000000000ULL;
}
__host__ __device__ inline double from_ordered_bits(unsigned long long bits)
{
    bits = bits >> 63U != 0 ? bits & 0x7fffffffffffffffULL : ~bits;
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

// The sums of a block, in shared memory.
struct BlockLedger {
    LedgerBuffer* shared;

    __device__ void add(int sum, double term) const { shared->exact.add(sum, term); }
    __device__ void raise_speed(double value) const { raise_bits(&shared->speed2, value); }
    __device__ void raise_density(double value) const { raise_bits(&shared->density, value); }
    __device__ void raise_front(double value) const { raise_bits(&shared->front, value); }

private:
    // NaN is ignored.
    __device__ static void raise_bits(unsigned long long* largest, double value)
    {
        if (!(value == value)) return;
        const unsigned long long bits = ordered_bits(value);
        if (bits > *static_cast<volatile unsigned long long*>(largest)) atomicMax(largest, bits);
    }
};

// Of the own particles from `first` up to `end`, by the blocks in a row of the grid.
template <class Policy, int D>
__device__ void add_particles(const ParticleView<Policy>& particles, std::size_t first, std::size_t end,
                              const OwnedView& owned, const Domain& domain, const LedgerConstants<D>& constants,
                              LedgerBuffer* total)
{
    __shared__ LedgerBuffer shared;
    clear(shared);
    BlockLedger sink{&shared};
    for (std::size_t i = first + thread_index(); i < end; i += std::size_t(gridDim.x) * blockDim.x) {
        if (owned.has(i)) add_to_ledger<Policy, D>(particles, domain, constants, i, sink);
    }
    __syncthreads();
    shared.exact.add_to(total->exact);
    if (threadIdx.x != 0) return;
    atomicMax(&total->speed2, shared.speed2);
    atomicMax(&total->density, shared.density);
    atomicMax(&total->front, shared.front);
}

template <class Policy, int D>
__global__ void sum_ledger(ParticleView<Policy> particles, OwnedView owned, Domain domain, LedgerConstants<D> constants,
                           LedgerBuffer* total)
{
    add_particles<Policy, D>(particles, 0, particles.count, owned, domain, constants, total);
}

LedgerTotals totals_of(const LedgerBuffer& buffer);

}  // namespace halfulp::cuda
