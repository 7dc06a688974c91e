// Exact sums on the device (precision/exact_sum.hpp): digits are integers, so the order of atomics changes no bit.
#pragma once

#include "core/backends/cuda/device.cuh"
#include "precision/exact_sum.hpp"

namespace halfulp::cuda {

// The sum of a number, below 2^32 in magnitude, over threads of a warp: as two halves, each added in one instruction.
__device__ inline long long sum_over(unsigned threads, long long number)
{
    const unsigned low = __reduce_add_sync(threads, static_cast<unsigned>(number) & 0xffffU);
    const int high = __reduce_add_sync(threads, static_cast<int>(number >> 16));
    return static_cast<long long>(high) * 0x10000 + low;
}

// Initially all zeros.
template <int Count>
struct ExactBuffer {
    long long digits[Count][ExactSum::digit_count];
    unsigned not_finite[Count];

    // Adds in a block's shared memory. The threads of a warp that add at once combine their terms first: those of one
    // sum that begin in the highest digit or in the one below it, then those that are left.
    __device__ void add(int sum, double term)
    {
        if (term == 0) return;  // most works of most particles
        ExactTerm split{};
        if (!ExactSum::split(term, split)) {
            not_finite[sum] = 1;
            return;
        }
        bool added = false;
        for (unsigned left = __activemask(); !added; left = __ballot_sync(left, !added)) {
            const int of = __shfl_sync(left, sum, __ffs(static_cast<int>(left)) - 1);
            const int lowest = __reduce_max_sync(left, sum == of ? split.digit : -1) - 1;
            added = sum == of && split.digit >= lowest;
            const bool higher = split.digit > lowest;
            long long totals[4];
#pragma unroll
            for (int k = 0; k < 4; ++k) {
                const long long part = higher ? (k > 0 ? split.parts[k - 1] : 0) : (k < 3 ? split.parts[k] : 0);
                totals[k] = sum_over(left, added ? part : 0);
            }
            const int before = __popc(left & ((1U << threadIdx.x % warp) - 1U));
            const int threads = __popc(left);
#pragma unroll
            for (int k = 0; k < 4; ++k) {  // a digit each; of fewer threads the first has the rest
                if (before == (k < threads ? k : 0) && totals[k] != 0)
                    atomicAdd(reinterpret_cast<unsigned long long*>(&digits[of][lowest + k]),
                              static_cast<unsigned long long>(totals[k]));
            }
        }
    }

    // Adds a block's sums to the totals, by all threads of the block.
    __device__ void add_to(ExactBuffer& total) const
    {
        for (int k = static_cast<int>(threadIdx.x); k < Count * ExactSum::digit_count;
             k += static_cast<int>(blockDim.x)) {
            const long long digit = (&digits[0][0])[k];
            if (digit != 0)
                atomicAdd(reinterpret_cast<unsigned long long*>(&total.digits[0][0]) + k,
                          static_cast<unsigned long long>(digit));
        }
        for (int k = static_cast<int>(threadIdx.x); k < Count; k += static_cast<int>(blockDim.x)) {
            if (not_finite[k] != 0) total.not_finite[k] = 1;
        }
    }

    [[nodiscard]] ExactSum sum(std::size_t which) const
    {
        ExactSum::Digits copy{};
        for (std::size_t k = 0; k < copy.size(); ++k) copy[k] = digits[which][k];
        return ExactSum(copy, not_finite[which] == 0);
    }
};

// Sets an object in shared memory to zero, by all threads of the block.
template <class Object>
__device__ void clear(Object& shared)
{
    constexpr int words = sizeof(Object) / sizeof(unsigned);
    auto* const raw = reinterpret_cast<unsigned*>(&shared);
    for (int k = static_cast<int>(threadIdx.x); k < words; k += static_cast<int>(blockDim.x)) raw[k] = 0;
    __syncthreads();
}

}  // namespace halfulp::cuda
