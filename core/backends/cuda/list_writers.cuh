// Writers of the lists of a target, each from its lane in the words of a warp (list_format.cuh).
#pragma once

#include "core/backends/cuda/list_format.cuh"

namespace halfulp::cuda {

// A list in the making, whose entries come in ascending order.
class ListWriter {
public:
    __device__ ListWriter(const ListTarget& lists, const ListPlace& place, int lane)
        : out_(reinterpret_cast<FourEntries*>(lists.words + place.begin) + lane)
    {
    }
    __device__ void enter(int /*slot*/) {}
    __device__ void put(std::uint32_t entry)
    {
        last_.append(entry);
        if (++written_ % 4 != 0) return;
        *out_ = last_;
        out_ += warp;
    }
    __device__ void end()
    {
        while (written_ % 4 != 0) put(0);
    }

private:
    FourEntries* out_;
    FourEntries last_{};
    std::uint32_t written_ = 0;
};

// The same of a compact list.
class CompactWriter {
public:
    __device__ CompactWriter(const ListTarget& lists, const ListPlace& place, int lane)
        : steps_(lists.words[place.begin + place.whole_entries].of_lane + lane),
          whole_(lists.words[place.begin].of_lane + lane)
    {
    }
    __device__ void enter(int slot)
    {
        if (slot != slot_) is_new_ = true;
        slot_ = slot;
    }
    __device__ void put(std::uint32_t entry)
    {
        std::uint32_t step = ListStep::between(before_, entry);
        if (is_new_ || !ListStep::is_possible(step)) {
            *whole_ = ListStep::kept_apart(entry);
            whole_ += warp;
            step = ListStep::to_whole_entry;
            is_new_ = false;
        }
        before_ = entry;
        put_step(step);
    }
    __device__ void end()
    {
        while (written_ % 4 != 0) put_step(0);
    }

private:
    __device__ void put_step(std::uint32_t step)
    {
        four_ = __byte_perm(four_, step, 0x4321);  // behind three others
        if (++written_ % 4 != 0) return;
        *steps_ = four_;
        steps_ += warp;
    }

    std::uint32_t* steps_;
    std::uint32_t* whole_;
    std::uint32_t four_ = 0;
    std::uint32_t written_ = 0;
    std::uint32_t before_ = 0;
    int slot_ = -1;
    bool is_new_ = false;  // the next entry is the first in its slot
};

// Counts the whole entries of a compact list, of whose neighbours the bits come word by word.
class WholeEntries {
public:
    __device__ void count(bool begins_slot, std::uint32_t begin, std::uint32_t bits)
    {
        if (bits == 0) return;
        // The places that a step reaches from one with a bit.
        std::uint32_t near = bits << 1U;
        near |= near << 1U;
        near |= near << 2U;
        near |= near << 4U;
        near |= near << 7U;
        count_ += static_cast<std::uint32_t>(__popc(bits & ~near));
        const std::uint32_t first = begin + static_cast<std::uint32_t>(__ffs(static_cast<int>(bits)) - 1);
        if (!begins_slot && first - last_ <= ListStep::most_indices) --count_;
        last_ = begin + static_cast<std::uint32_t>(31 - __clz(static_cast<int>(bits)));
    }
    __device__ void count_one() { ++count_; }
    [[nodiscard]] __device__ std::uint32_t counted() const { return count_; }

private:
    std::uint32_t last_ = 0;
    std::uint32_t count_ = 0;
};

// Whether the half cell may rise too far for a step in a slot, which it does once at most: from a cell to the fourth
// behind it or farther, where hardly a particle lies between them. cells: from the slot's first occupied one to its
// last; between: particles in those between these two.
__device__ inline bool may_rise_too_far(int search_cells, int cells, std::uint32_t between)
{
    return cells >= 4 && (search_cells > 2 || between < ListStep::most_indices);
}

}  // namespace halfulp::cuda
