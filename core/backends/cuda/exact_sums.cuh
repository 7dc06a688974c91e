// Exact sums on the device (precision/exact_sum.hpp): digits are integers, so the order of atomics changes no bit.
#pragma once

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include "core/backends/cuda/device.cuh"
#include "precision/exact_sum.hpp"

namespace halfulp::cuda {

// Initially all zeros.
template <int Count>
struct ExactBuffer {
    long long digits[Count][ExactSum::digit_count];
    unsigned not_finite[Count];

    // Adds in a block's shared memory. Threads of a warp whose terms touch the same digits of a sum combine them first.
    __device__ void add(int sum, double term)
    {
        namespace cg = cooperative_groups;
        if (term == 0) return;  // most works of most particles
        ExactTerm split{};
        if (!ExactSum::split(term, split)) {
            not_finite[sum] = 1;
            return;
        }
        const auto together =
            cg::labeled_partition(cg::coalesced_threads(), sum * static_cast<int>(ExactSum::digit_count) + split.digit);
        for (int k = 0; k < 3; ++k) {
            const long long total = cg::reduce(together, static_cast<long long>(split.parts[k]), cg::plus<long long>());
            if (together.thread_rank() == 0 && total != 0)
                atomicAdd(reinterpret_cast<unsigned long long*>(&digits[sum][split.digit + k]),
                          static_cast<unsigned long long>(total));
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
