// The sums of the energy ledger on the device, exactly: integers, so that atomics change no bit.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "core/backends/cuda/device.cuh"
#include "core/particles/report.hpp"

namespace halfulp::cuda {

struct LedgerBuffer {
    long long digits[LedgerSum::count][ExactSum::digit_count];
    unsigned not_finite[LedgerSum::count];
    unsigned long long speed2;
    unsigned long long density;
    unsigned long long front;  // ordered_bits
};

// Bits of a double in ascending order of the numbers.
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

// Adds up in a block's shared memory. Threads of a warp whose terms touch the same digits add them first.
struct BlockLedger {
    LedgerBuffer* shared;

    __device__ void add(int sum, double term) const
    {
        namespace cg = cooperative_groups;
        ExactTerm split{};
        if (!ExactSum::split(term, split)) {
            shared->not_finite[sum] = 1;
            return;
        }
        const auto together = cg::labeled_partition(cg::coalesced_threads(), split.digit);
        for (int k = 0; k < 3; ++k) {
            const long long total = cg::reduce(together, static_cast<long long>(split.parts[k]), cg::plus<long long>());
            if (together.thread_rank() == 0 && total != 0)
                atomicAdd(reinterpret_cast<unsigned long long*>(&shared->digits[sum][split.digit + k]),
                          static_cast<unsigned long long>(total));
        }
    }
    __device__ void raise_speed(double value) const { raise_bits(&shared->speed2, value); }
    __device__ void raise_density(double value) const { raise_bits(&shared->density, value); }
    __device__ void raise_front(double value) const { raise_bits(&shared->front, value); }

private:
    // NaN counts for nothing.
    __device__ static void raise_bits(unsigned long long* largest, double value)
    {
        if (!(value == value)) return;
        const unsigned long long bits = ordered_bits(value);
        if (bits > *static_cast<volatile unsigned long long*>(largest)) atomicMax(largest, bits);
    }
};

template <class Policy, int D>
__global__ void sum_ledger(ParticleView<Policy> particles, Frame frame, LedgerConstants<D> constants,
                           LedgerBuffer* total)
{
    __shared__ LedgerBuffer shared;
    constexpr int words = sizeof(LedgerBuffer) / sizeof(unsigned);
    auto* const raw = reinterpret_cast<unsigned*>(&shared);
    for (int k = static_cast<int>(threadIdx.x); k < words; k += static_cast<int>(blockDim.x)) raw[k] = 0;
    __syncthreads();
    BlockLedger sink{&shared};
    for (std::size_t i = thread_index(); i < particles.count; i += std::size_t(gridDim.x) * blockDim.x)
        add_to_ledger<Policy, D>(particles, frame, constants, i, sink);
    __syncthreads();
    for (int k = static_cast<int>(threadIdx.x); k < LedgerSum::count * ExactSum::digit_count;
         k += static_cast<int>(blockDim.x)) {
        const long long digit = (&shared.digits[0][0])[k];
        if (digit != 0)
            atomicAdd(reinterpret_cast<unsigned long long*>(&total->digits[0][0]) + k,
                      static_cast<unsigned long long>(digit));
    }
    for (int k = static_cast<int>(threadIdx.x); k < LedgerSum::count; k += static_cast<int>(blockDim.x)) {
        if (shared.not_finite[k] != 0) total->not_finite[k] = 1;
    }
    if (threadIdx.x != 0) return;
    atomicMax(&total->speed2, shared.speed2);
    atomicMax(&total->density, shared.density);
    atomicMax(&total->front, shared.front);
}

LedgerTotals totals_of(const LedgerBuffer& buffer);

}  // namespace halfulp::cuda
