// Reader of the stored list of a target, entry by entry (list_format.cuh).
#pragma once

#include <cstddef>
#include <type_traits>

#include "core/backends/cuda/list_format.cuh"

namespace halfulp::cuda {

// Reads without displacing the contents of the caches, which are to hold neighbours.
__device__ inline std::uint32_t read_once(const std::uint32_t* from) { return __ldcs(from); }
__device__ inline FourEntries read_once(const FourEntries* from)
{
    const uint4 four = __ldcs(reinterpret_cast<const uint4*>(from));
    return {four.x, four.y, four.z, four.w};
}
// Into the L2 cache; beyond the last list lies the padding of the allocation.
__device__ inline void prefetch([[maybe_unused]] const void* from)
{
#ifdef __CUDA_ARCH__  // not where a test runs this on the host
    asm volatile("prefetch.global.L2 [%0];" : : "l"(from));
#endif
}

// The kinds of lists that a kernel reads.
enum class ReadLists : std::uint8_t { with_entries, compact, either };

// The entries of a target's list, four at a time. In a kernel for either kind, what compact lists need besides lies in
// local memory: with registers of their own, the pass would read fewer neighbours at once over the other lists.
template <ReadLists which>
class ListReader {
public:
    // any: whether target t's list has entries.
    __device__ ListReader(const ListView& list, std::uint32_t t, bool any)
        : found_compact_(list.kept == KeptNeighbours::compact),
          next_(any ? list.begin_of(t, is_compact() ? 1 : 4) : nullptr)
    {
        if (!is_compact() || !any) return;
        whole_ = next_;
        read_ = 0;
        entry_ = 0;
        next_ += std::size_t(warp) * list.whole_entries_of(t);
    }

    // fetches_next: what coming calls read is brought into the L2 cache.
    template <bool fetches_next>
    __device__ FourEntries read()
    {
        const std::uint32_t* const from = next_;
        if (!is_compact()) [[likely]] {
            next_ += 4 * warp;
            const FourEntries entries = read_once(reinterpret_cast<const FourEntries*>(from));
            if (fetches_next) prefetch(next_);
            return entries;
        }
        next_ += warp;
        const std::uint32_t four = read_once(from);
        if (fetches_next) prefetch(from + 4 * warp);
        Compact at{whole_, read_, entry_};
        __builtin_assume(__isGlobal(at.whole));
        FourEntries entries{};
        entries.next = at.after<0>(four);
        entries.second = at.after<1>(four);
        entries.third = at.after<2>(four);
        entries.fourth = at.after<3>(four);
        read_ = at.read;
        entry_ = at.entry;
        return entries;
    }

private:
    struct Compact {
        const std::uint32_t* whole;  // entries
        std::uint32_t read;          // of these
        std::uint32_t entry;

        // Proceeds by step k of a word.
        template <int k>
        __device__ std::uint32_t after(std::uint32_t four)
        {
            if ((four & ListStep::to_whole_entry << 8 * k) != 0) {
                entry = whole[std::size_t(warp) * read];
                ++read;
            }
            constexpr int shift = 8 * k - ListStep::shift;
            if constexpr (shift < 0) entry += __byte_perm(four, 0, 0x4440) << -shift;
            else entry += (four & 0xFFU << 8 * k) >> shift;
            return entry;
        }
    };

    __device__ bool is_compact() const
    {
        return which == ReadLists::compact || (which == ReadLists::either && found_compact_);
    }
    template <class T>
    using Kept = std::conditional_t<which == ReadLists::either, volatile T, T>;

    bool found_compact_;
    const std::uint32_t* next_;
    Kept<const std::uint32_t*> whole_;
    Kept<std::uint32_t> read_;
    Kept<std::uint32_t> entry_;
};

}  // namespace halfulp::cuda
