// The choice of lists of particles on the device: each warp counts and then lists those of its part, once the numbers
// of the parts before it are added up. Included where marks are known.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include <cub/block/block_scan.cuh>

#include "core/backends/cuda/choice.cuh"

namespace halfulp::cuda {

namespace detail {

inline constexpr int threads_of_choice = 256;
inline constexpr int threads_of_sums = 1024;

// The particles 0 to most - 1, or those of a list, of which no more than `most` have had room.
struct ChoiceFrom {
    const std::uint32_t* particles = nullptr;
    const std::uint32_t* number = nullptr;
    std::uint32_t most = 0;

    // Calls act(marks, particle) in every lane of this warp for its part of them, 32 at once; marks: 0 beyond the last.
    template <class Mark, class Act>
    __device__ void for_part_of_warp(const Mark& mark, const Act& act) const
    {
        const std::uint32_t all = number == nullptr ? most : min(*number, most);
        const std::uint32_t warps = gridDim.x * (threads_of_choice / warp);
        const std::uint32_t share = ((all + warps - 1) / warps + warp - 1) / warp * warp;
        const std::size_t begin = thread_index() / warp * share;
        for (std::size_t first = begin; first < begin + share && first < all; first += warp) {
            const std::size_t k = first + threadIdx.x % warp;
            const bool there = k < all;
            const std::uint32_t particle = !there                 ? 0
                                           : particles == nullptr ? static_cast<std::uint32_t>(k)
                                                                  : particles[k];
            act(there ? mark(particle) : 0U, particle);
        }
    }
};

struct ChoiceInto {
    std::uint32_t* particles[most_lists];
    std::uint32_t room[most_lists];
    int lists;
};

// For each list, the number of particles that each warp of the grid finds; lane l counts those of list l.
template <class Mark>
__global__ void count_chosen(ChoiceFrom from, Mark mark, int lists, std::uint32_t* counts)
{
    const int lane = static_cast<int>(threadIdx.x) % warp;
    std::uint32_t found = 0;
    from.for_part_of_warp(mark, [&](std::uint32_t marks, std::uint32_t /*particle*/) {
        for (int l = 0; l < lists; ++l) {
            const unsigned those = __ballot_sync(every_lane, (marks >> l & 1U) != 0);
            if (lane == l) found += __popc(those);
        }
    });
    const std::size_t warps = std::size_t{gridDim.x} * (threads_of_choice / warp);
    if (lane < lists) counts[lane * warps + thread_index() / warp] = found;
}

// One block per list: replaces the count of each warp by the sum over the warps before it, and stores the total.
static __global__ void add_up_chosen(std::uint32_t* counts, std::uint32_t warps, std::uint32_t* number,
                                     std::uint32_t* number_here)
{
    using Scan = cub::BlockScan<std::uint32_t, threads_of_sums>;
    __shared__ typename Scan::TempStorage storage;
    std::uint32_t* const own = counts + std::size_t{blockIdx.x} * warps;
    const std::uint32_t share = (warps + threads_of_sums - 1) / threads_of_sums;
    const std::uint32_t begin = min(threadIdx.x * share, warps);
    const std::uint32_t end = min(begin + share, warps);
    std::uint32_t sum = 0;
    for (std::uint32_t w = begin; w < end; ++w) sum += own[w];
    std::uint32_t before = 0;
    std::uint32_t all = 0;
    Scan(storage).ExclusiveSum(sum, before, all);
    for (std::uint32_t w = begin; w < end; ++w) {
        const std::uint32_t found = own[w];
        own[w] = before;
        before += found;
    }
    if (threadIdx.x == 0) number[blockIdx.x] = number_here[blockIdx.x] = all;
}

template <class Mark>
__global__ void list_chosen(ChoiceFrom from, Mark mark, const std::uint32_t* counts, ChoiceInto into)
{
    const int lane = static_cast<int>(threadIdx.x) % warp;
    const std::size_t warps = std::size_t{gridDim.x} * (threads_of_choice / warp);
    std::uint32_t next = lane < into.lists ? counts[lane * warps + thread_index() / warp] : 0;
    from.for_part_of_warp(mark, [&](std::uint32_t marks, std::uint32_t particle) {
        for (int l = 0; l < into.lists; ++l) {
            const bool chosen = (marks >> l & 1U) != 0;
            const unsigned those = __ballot_sync(every_lane, chosen);
            const std::uint32_t place =
                __shfl_sync(every_lane, next, l) + __popc(those & ((1U << static_cast<unsigned>(lane)) - 1U));
            if (chosen && place < into.room[l]) into.particles[l][place] = particle;
            if (lane == l) next += __popc(those);
        }
    });
}

inline std::uint32_t room_of(const ChosenParticles& list)
{
    return static_cast<std::uint32_t>(
        std::min<std::size_t>(list.particles.capacity(), std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace detail

template <class Mark>
void Choice::choose_from(const detail::ChoiceFrom& from, const Mark& mark, std::span<ChosenParticles* const> lists,
                         cudaStream_t stream)
{
    detail::ChoiceInto into{.particles = {}, .room = {}, .lists = static_cast<int>(lists.size())};
    for (std::size_t l = 0; l < lists.size(); ++l) {
        lists_[chosen_ + l] = lists[l];
        if (lists[l] == nullptr) continue;
        lists[l]->place = chosen_ + l;
        into.particles[l] = lists[l]->particles.data();
        into.room[l] = detail::room_of(*lists[l]);
    }
    constexpr int threads = detail::threads_of_choice;
    const unsigned blocks = std::min(8 * multiprocessors(), blocks_for(from.most, threads));
    const unsigned warps = blocks * (threads / warp);
    counts_.grow(lists.size() * warps, purpose_);
    detail::count_chosen<<<blocks, threads, 0, stream>>>(from, mark, into.lists, counts_.data());
    detail::add_up_chosen<<<into.lists, detail::threads_of_sums, 0, stream>>>(
        counts_.data(), warps, numbers_.data() + chosen_, numbers_here_.data() + chosen_);
    detail::list_chosen<<<blocks, threads, 0, stream>>>(from, mark, counts_.data(), into);
    chosen_ += lists.size();
}

template <class Mark>
void Choice::choose(std::size_t count, const Mark& mark, std::span<ChosenParticles* const> lists, cudaStream_t stream)
{
    choose_from({nullptr, nullptr, static_cast<std::uint32_t>(count)}, mark, lists, stream);
}

template <class Mark>
void Choice::choose(const ChosenParticles& from, const Mark& mark, std::span<ChosenParticles* const> lists,
                    cudaStream_t stream)
{
    choose_from({from.particles.data(), numbers_.data() + from.place, detail::room_of(from)}, mark, lists, stream);
}

}  // namespace halfulp::cuda
