// Copies of parts of fields between particles and messages, many in one launch.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "core/backends/cuda/device.cuh"

namespace halfulp::cuda {

// A copy of `bytes` bytes of one field per particle, where elements lie `stride` bytes apart.
struct PartCopy {
    const std::byte* from = nullptr;  // null: zeros
    std::byte* to = nullptr;
    const std::uint32_t* particles = nullptr;  // which; null: as they come
    std::uint32_t count = 0;
    std::uint32_t stride = 0;
    std::uint32_t bytes = 0;
};

enum class CopyTo : std::uint8_t { message, particles };

namespace detail {

inline constexpr int threads_of_copies = 256;

struct PartCopies {
    PartCopy part[32];
};

template <CopyTo where, class Word>
__device__ void copy_word(const PartCopy& part, std::size_t k)
{
    const std::uint32_t words = part.bytes / sizeof(Word);
    const std::size_t one = k / words;
    if (one >= part.count) return;
    const std::size_t particle = part.particles == nullptr ? one : part.particles[one];
    const std::size_t among = particle * (part.stride / sizeof(Word)) + k % words;
    const std::size_t in_message = k;
    const auto* const from = reinterpret_cast<const Word*>(part.from);
    auto* const to = reinterpret_cast<Word*>(part.to);
    if constexpr (where == CopyTo::message) to[in_message] = from[among];
    else to[among] = from == nullptr ? Word{} : from[in_message];
}

// The largest word size that divides the addresses, the stride and the bytes.
inline __host__ __device__ std::uint32_t word_of(const PartCopy& part)
{
    const auto all = reinterpret_cast<std::uintptr_t>(part.from) | reinterpret_cast<std::uintptr_t>(part.to) |
                     part.stride | part.bytes;
    return all % 16 == 0 ? 16 : all % 8 == 0 ? 8 : all % 4 == 0 ? 4 : 1;
}

// One row of blocks per part.
template <CopyTo where>
__global__ void copy_parts(PartCopies copies)
{
    const PartCopy& part = copies.part[blockIdx.y];
    const std::size_t k = thread_index();
    switch (word_of(part)) {
    case 16: copy_word<where, uint4>(part, k); break;
    case 8: copy_word<where, std::uint64_t>(part, k); break;
    case 4: copy_word<where, std::uint32_t>(part, k); break;
    default: copy_word<where, std::uint8_t>(part, k);
    }
}

}  // namespace detail

// Copies that are collected, and started when there are many or at start().
template <CopyTo where>
class PartCopier {
public:
    explicit PartCopier(cudaStream_t stream) : stream_(stream) {}
    void add(const PartCopy& part)
    {
        if (part.count == 0 || part.bytes == 0) return;
        copies_.part[count_++] = part;
        most_ = std::max(most_, part.count * std::size_t{part.bytes / detail::word_of(part)});
        if (count_ == std::size(copies_.part)) start();
    }
    void start()
    {
        if (count_ == 0) return;
        const dim3 grid(blocks_for(most_, detail::threads_of_copies), static_cast<unsigned>(count_));
        detail::copy_parts<where><<<grid, detail::threads_of_copies, 0, stream_>>>(copies_);
        count_ = most_ = 0;
    }

private:
    cudaStream_t stream_;
    detail::PartCopies copies_{};
    std::size_t count_ = 0;
    std::size_t most_ = 0;
};

}  // namespace halfulp::cuda
