// Neighbour search: each thread sets a bit for each candidate of its particle, then writes them into a list or visits
// them at once.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>

#include "core/backends/cuda/pair_kernels.cuh"
#include "core/operations/pair_pass.hpp"

namespace halfulp::cuda {

template <class Real>
__device__ Four<Real> cell_difference(const Reach& reach, int row, std::int32_t dx)
{
    return {Real(dx), Real(-reach.dy(row)), Real(-reach.dz(row)), Real(0)};
}

// Calls make(slot, row) for every slot, distributed to the threads of a block: builds tables that save them divisions.
inline constexpr int largest_slots = 2 * 7 * 7;
template <class Make>
__device__ void for_each_slot(const Reach& reach, Make make)
{
    for (int slot = static_cast<int>(threadIdx.x); slot < reach.slots(); slot += static_cast<int>(blockDim.x))
        make(slot, slot / reach.images);
    __syncthreads();
}

__device__ inline TargetRange target_of(std::uint32_t i, Kind kind)
{
    return {i, 1, static_cast<std::uint16_t>(kind == Kind::fluid ? 1 : 0)};
}

// A candidate as read by the search in one load: its position, and in w a tag with its cell along x and whether it is a
// wall. As a number, counted from the first cell and negative for walls, the tag costs one subtraction per candidate;
// where that many cells are not exact numbers, it has the bits of an integer.
template <class Real>
struct NumberTag {
    static __device__ Real of(std::int32_t x, std::int32_t first, Kind kind)
    {
        const auto cells = static_cast<Real>(static_cast<std::uint32_t>(x) - static_cast<std::uint32_t>(first) + 1U);
        return kind == Kind::wall ? -cells : cells;
    }
    // The difference of cells along x from the image of b to a, for cells near each other.
    using Image = Real;
    static __device__ Real cells_between(Real a, Real b, Image image)
    {
        return (magnitude(a) - image) - magnitude(b);  // the difference in brackets is the same for all b
    }
    static __device__ bool is_wall(Real tag) { return tag < Real(0); }
    static bool holds(const CellBounds& bounds)
    {
        const std::int64_t cells = std::int64_t(bounds.high[0]) - bounds.low[0] + 1;
        return cells < std::int64_t(1) << std::min(std::numeric_limits<Real>::digits, 32);
    }
};
template <class Real>
struct BitsTag {
    using Word = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;

    static __device__ Real of(std::int32_t x, std::int32_t /*first*/, Kind kind)
    {
        const Word word = static_cast<std::uint32_t>(x) << 1U | (kind == Kind::wall ? 1U : 0U);
        Real tag = 0;
        std::memcpy(&tag, &word, sizeof word);
        return tag;
    }
    static __device__ std::uint32_t word_of(Real tag)
    {
        Word word = 0;
        std::memcpy(&word, &tag, sizeof word);
        return static_cast<std::uint32_t>(word);
    }
    using Image = std::int32_t;
    static __device__ Real cells_between(Real a, Real b, Image image)
    {
        return Real((static_cast<std::int32_t>((word_of(a) & ~1U) - (word_of(b) & ~1U)) >> 1) - image);
    }
    static __device__ bool is_wall(Real tag) { return (word_of(tag) & 1U) != 0; }
};

// Read from the output of make_records, or composed on the fly.
template <class Real>
struct KeptRecords {
    const Four<Real>* records;
    __device__ Four<Real> operator()(std::size_t b) const { return records[b]; }
};
template <class Tag, class Real>
struct FreshRecords {
    const PairData<Real>& data;
    __device__ Four<Real> operator()(std::size_t b) const
    {
        Four<Real> record = data.offset[b];
        record.w = Tag::of(data.cell[b].x, 0, data.kind[b]);
        return record;
    }
};

// Stored in the buffer of rates, which are invalid between the sorting of particles and the next pass.
template <class Tag, class Real>
__global__ void make_records(PairData<Real> data, std::uint32_t count, std::int32_t first)
{
    const std::size_t i = thread_index();
    if (i >= count) return;
    Four<Real> record = data.offset[i];
    record.w = Tag::of(data.cell[i].x, first, data.kind[i]);
    data.rate[i] = record;
}

// Searches the neighbours of particle i in the ranges of its cell: one bit per candidate, 32 to a word, words[k *
// stride] for the ranges one after another. Returns the number of bits set.
template <class Policy, int D, class Tag, class Real, class Records>
__device__ std::uint32_t find_bits(const PairData<Real>& data, const NeighboursView& neighbours,
                                   const Records& record_of, std::uint32_t i, std::uint32_t* words, int stride)
{
    const Reach& reach = neighbours.reach;
    const RangesView& ranges = neighbours.ranges;
    const std::uint32_t cell = ranges.cell_of[i];
    const std::int32_t x = data.cell[i].x;
    const Real own = record_of(i).w;
    const bool wall = data.kind[i] == Kind::wall;
    const Targets<Policy, D, Real> target(data, Real(data.parameters.cell_side), target_of(i, data.kind[i]));
    std::uint32_t found = 0;
    int word = 0;
    for (int slot = 0; slot < reach.slots(); ++slot) {
        const ParticleRange range = ranges.ranges[std::size_t(slot) * ranges.cells + cell];
        const auto image = static_cast<typename Tag::Image>(reach.image(x, slot));
        const Four<Real> row = cell_difference<Real>(reach, slot / reach.images, 0);
        for (std::uint32_t begin = range.begin; begin < range.end; begin += 32) {
            const std::uint32_t candidates = min(range.end - begin, 32U);
            const std::size_t first = begin;
            std::uint32_t bits = 0;
#pragma unroll 8
            for (std::uint32_t k = 0; k < candidates; ++k) {
                const Four<Real> there = record_of(first + k);
                const Four<Real> shift{Tag::cells_between(own, there.w, image), row.y, row.z, row.w};
                const Vec<D, Real> r = target.separation(data, begin + k, there, shift);
                // Without branches: a wall has fluid neighbours only.
                const bool counts = !wall | !Tag::is_wall(there.w);
                const bool near = (dot(r, r) < data.reach_squared) & counts;
                bits |= static_cast<std::uint32_t>(near) << k;
            }
            if (i - begin < candidates) bits &= ~(1U << (i - begin));
            words[word++ * stride] = bits;
            found += __popc(bits);
        }
    }
    return found;
}

// Calls visit(neighbour) for every bit that is set, in order, and enter(slot) before the first of each slot. The lanes
// of `together`, which all call this, proceed together: each reads one more word if it has no bit left and visits one
// neighbour if it has one, so that the visits of a warp coincide.
template <class Enter, class Visit>
__device__ void for_each_bit(unsigned together, const NeighboursView& neighbours, std::uint32_t i,
                             const std::uint32_t* words, int stride, Enter enter, Visit visit)
{
    const RangesView& ranges = neighbours.ranges;
    const ParticleRange* next = ranges.ranges + ranges.cell_of[i];
    const int slots = neighbours.reach.slots();
    int slot = -1;
    std::uint32_t end = 0;
    std::uint32_t begin = 0;
    std::uint32_t bits = 0;
    while (__any_sync(together, slot < slots)) {
        if (bits == 0 && slot < slots) {
            begin += 32;
            if (begin >= end && ++slot < slots) {
                const ParticleRange range = *next;
                next += ranges.cells;
                begin = range.begin;
                end = range.end;
                enter(slot);
            }
            if (begin < end) {
                bits = *words;
                words += stride;
            }
        }
        if (bits != 0) {
            const std::uint32_t b = begin + static_cast<std::uint32_t>(__ffs(static_cast<int>(bits)) - 1);
            bits &= bits - 1;
            visit(b);
        }
    }
}

template <class Policy, int D, class Tag, class Real>
__global__ void make_lists_of(const PairData<Real> data, const NeighboursView neighbours, const Four<Real>* records,
                              const ListTarget lists)
{
    extern __shared__ std::uint32_t all_words[];
    std::uint32_t* const words = all_words + threadIdx.x;
    const auto stride = static_cast<int>(blockDim.x);
    const Reach& reach = neighbours.reach;
    __shared__ EntryFormat::Row rows[largest_slots];
    for_each_slot(reach, [&](int slot, int k) { rows[slot] = lists.format.row(-reach.dy(k), -reach.dz(k)); });
    const std::size_t i = thread_index();
    const auto index = static_cast<std::uint32_t>(i);
    const bool wanted = i < neighbours.count;
    const std::uint32_t size =
        wanted ? find_bits<Policy, D, Tag>(data, neighbours, KeptRecords<Real>{records}, index, words, stride) : 0;
    const std::uint32_t longest = __reduce_max_sync(every_lane, size);
    const int lane = static_cast<int>(threadIdx.x) % warp;
    unsigned long long base = 0;
    if (lane == 0 && longest > 0) base = atomicAdd(lists.used, static_cast<unsigned long long>(longest) * warp);
    base = __shfl_sync(every_lane, base, 0);
    const unsigned together = __ballot_sync(every_lane, wanted);
    if (!wanted) return;
    lists.size[i] = size;
    if (lane == 0) lists.base[i / warp] = base;
    if (base + static_cast<unsigned long long>(longest) * warp > lists.capacity) return;
    const std::int32_t x = data.cell[i].x;
    const Real own = records[i].w;
    typename Tag::Image image{};
    EntryFormat::Row row{};
    std::uint32_t stride_of_layers = 0;
    std::uint32_t* out = lists.entries + base + lane;
    for_each_bit(
        together, neighbours, index, words, stride,
        [&](int slot) {
            image = static_cast<typename Tag::Image>(reach.image(x, slot));
            row = rows[slot];
        },
        [&](std::uint32_t b) {
            const int dx = static_cast<int>(Tag::cells_between(own, records[b].w, image));
            if (!lists.format.pack(index, b, dx, row, *out)) {
                const std::uint32_t apart = b > index ? b - index : index - b;
                stride_of_layers = max(stride_of_layers, apart / static_cast<std::uint32_t>(max(abs(row.dz), 1)));
            }
            out += warp;
        });
    if (stride_of_layers > 0) atomicMax(lists.too_far, stride_of_layers);
}

}  // namespace halfulp::cuda
