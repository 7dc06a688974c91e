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

__host__ __device__ inline TargetRange target_of(std::uint32_t i, Kind kind)
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

    static __device__ Real of(std::uint32_t tag_of_particle)
    {
        const Word word = tag_of_particle;
        Real tag = 0;
        std::memcpy(&tag, &word, sizeof word);
        return tag;
    }
    static __device__ Real of(std::int32_t x, std::int32_t /*first*/, Kind kind)
    {
        return of(static_cast<std::uint32_t>(x) << 1U | (kind == Kind::wall ? 1U : 0U));
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

// Output of make_records, and what it was made from; or what records are composed of on the fly.
template <class Real>
struct SearchRecords {
    const Four<Real>* records;
    const Four<Real>* moves;              // of a course (core/neighbours/course.hpp); or null
    const std::uint32_t* tags = nullptr;  // of RangesView
};

// Records of candidates, position and tag: read from the output of make_records, or composed on the fly.
template <class Real>
struct KeptRecords {
    const Four<Real>* records;
    __device__ KeptRecords(const PairData<Real>& /*data*/, const SearchRecords<Real>& kept) : records(kept.records) {}
    __device__ Four<Real> operator()(std::size_t b) const { return records[b]; }
};
template <class Tag, class Real>
struct FreshRecords {
    const PairData<Real>& data;
    const std::uint32_t* tags;
    __device__ FreshRecords(const PairData<Real>& particles, const SearchRecords<Real>& kept)
        : data(particles), tags(kept.tags)
    {
    }
    __device__ Four<Real> operator()(std::size_t b) const
    {
        Four<Real> record = data.offset[b];
        record.w = Tag::of(tags[b]);
        return record;
    }
};

// Tests candidates with the separation that passes use.
template <class Policy, int D, class TagOf, class Real, class Records>
struct ExactTest {
    using Tag = TagOf;
    static constexpr bool folded = false;

    const PairData<Real>& data;
    Records record_of;
    Targets<Policy, D, Real> target;
    Real own;
    typename Tag::Image image{};
    Four<Real> row{};

    __device__ ExactTest(const PairData<Real>& particles, const SearchRecords<Real>& kept, std::uint32_t i)
        : data(particles), record_of(particles, kept),
          target(particles, Real(particles.parameters.cell_side), target_of(i, particles.kind[i])), own(record_of(i).w)
    {
    }
    __device__ void enter(const Reach& reach, int slot, std::int64_t image_offset)
    {
        image = static_cast<typename Tag::Image>(image_offset);
        row = cell_difference<Real>(reach, slot / reach.images, 0);
    }
    template <bool wall>
    __device__ bool near(std::uint32_t b) const
    {
        const Four<Real> there = record_of(b);
        const Four<Real> shift{Tag::cells_between(own, there.w, image), row.y, row.z, row.w};
        const Vec<D, Real> r = target.separation(data, b, there, shift);
        return (dot(r, r) < data.reach_squared) & (!wall | !Tag::is_wall(there.w));
    }
};

// Tests candidates with coordinates that are counted along x from the first cell, and along y and z from the middle of
// their own: a subtraction an axis. They are rounded once more than those of the passes, so the reach has a margin; a
// particle that enters a list for it alone is beyond the support and adds an exact zero.
template <class Policy, int D, class Real>
struct FoldedTest {
    using Tag = NumberTag<Real>;
    static constexpr bool folded = true;
    static constexpr bool possible = Policy::Position::relative_to_cell && Policy::Units::cell_is_one;
    static constexpr std::int64_t most_cells = std::int64_t(1) << (std::numeric_limits<Real>::digits - 11);

    static bool holds(const CellBounds& bounds)
    {
        return possible && std::int64_t(bounds.high[0]) - bounds.low[0] < most_cells;
    }
    const Four<Real>* records;
    Real reach_squared;  // with the margin
    Four<Real> own;
    Real x{};
    Real y{};
    Real z{};

    __device__ FoldedTest(const PairData<Real>& data, const SearchRecords<Real>& kept, std::uint32_t i)
        : records(kept.records), reach_squared(data.reach_squared), own(kept.records[i])
    {
    }
    // Five roundings of coordinates of this many cells are less than 2.5 epsilon of them.
    static Real with_margin(Real reach_squared, const CellBounds& bounds)
    {
        const Real cells = static_cast<Real>(bounds.high[0] - bounds.low[0] + 8);
        const Real reach = square_root(reach_squared) + 4 * std::numeric_limits<Real>::epsilon() * cells;
        return reach * reach;
    }
    __device__ void enter(const Reach& reach, int slot, std::int64_t image)
    {
        x = own.x - static_cast<Real>(image);
        y = own.y - static_cast<Real>(reach.dy(slot / reach.images));
        if constexpr (D == 3) z = own.z - static_cast<Real>(reach.dz(slot / reach.images));
    }
    template <bool wall>
    __device__ bool near(std::uint32_t b) const
    {
        const Four<Real> there = records[b];
        const Real dx = x - there.x;
        const Real dy = y - there.y;
        Real square = fma(dy, dy, dx * dx);
        if constexpr (D == 3) square = fma(z - there.z, z - there.z, square);
        return (square < reach_squared) & (!wall | !Tag::is_wall(there.w));
    }
};

// Tests candidates of ballistic lists: with coordinates as above, halfway along the course, and the moves of the whole
// course with each particle's tolerance. Of two particles that move by m relative to each other, d apart halfway, the
// square of the shortest distance is at least d^2 - |d m|.
template <class Policy, int D, class Real>
struct BallisticTest : FoldedTest<Policy, D, Real> {
    using Base = FoldedTest<Policy, D, Real>;
    using typename Base::Tag;
    const Four<Real>* moves;
    Four<Real> own_move;
    Real own_reach;

    __device__ BallisticTest(const PairData<Real>& data, const SearchRecords<Real>& kept, std::uint32_t i)
        : Base(data, kept, i), moves(kept.moves), own_move(kept.moves[i]),
          own_reach(square_root(data.reach_squared) + own_move.w)
    {
    }
    template <bool wall>
    __device__ bool near(std::uint32_t b) const
    {
        const Four<Real> there = this->records[b];
        const Four<Real> move = moves[b];
        const Real dx = this->x - there.x;
        const Real dy = this->y - there.y;
        Real square = fma(dy, dy, dx * dx);
        Real along = fma(dy, own_move.y - move.y, dx * (own_move.x - move.x));
        if constexpr (D == 3) {
            const Real dz = this->z - there.z;
            square = fma(dz, dz, square);
            along = fma(dz, own_move.z - move.z, along);
        }
        const Real reach = own_reach + move.w;
        return (square - magnitude(along) < reach * reach) & (!wall | !Tag::is_wall(there.w));
    }
    static __device__ Four<Real> halfway(Four<Real> place, const Four<Real>& move)
    {
        for (int c = 0; c < D; ++c) place[c] += Real(0.5) * move[c];
        return place;
    }
};

// Records are stored in the buffer of rates, which are invalid between the sorting of particles and the next pass.
template <class Test, class Real>
__device__ void make_record(const PairData<Real>& data, std::size_t i, std::int32_t first, const Four<Real>* moves)
{
    Four<Real> record = data.offset[i];
    if constexpr (requires { &Test::halfway; }) record = Test::halfway(record, moves[i]);
    const std::int32_t x = data.cell[i].x;
    if (Test::folded) record.x += static_cast<Real>(static_cast<std::uint32_t>(x) - static_cast<std::uint32_t>(first));
    record.w = Test::Tag::of(x, first, data.kind[i]);
    data.rate[i] = record;
}
template <class Test, class Real>
__global__ void make_records(PairData<Real> data, std::uint32_t count, std::int32_t first, const Four<Real>* moves)
{
    const std::size_t i = thread_index();
    if (i < count) make_record<Test>(data, i, first, moves);
}
template <class Test, class Real>
__global__ void make_records_of_runs(PairData<Real> common, RebuiltRuns<Real> rebuilt)
{
    const std::uint32_t i = rebuilt.blocks.begin[blockIdx.x] + threadIdx.x;
    make_record<Test, Real>(common, i, rebuilt.blocks.run_at(i).bounds.low[0], nullptr);
}

// A bit for each candidate of a word, in groups of eight: those beyond the last are tested, too, and dropped.
template <bool wall, class Test>
__device__ std::uint32_t test_word(const Test& test, std::uint32_t begin, std::uint32_t candidates)
{
    static_assert(8 * sizeof(Four<double>) <= padding_of_allocations);
    std::uint32_t bits = 0;
    for (std::uint32_t group = 0; group < candidates; group += 8) {
        std::uint32_t eight = 0;
#pragma unroll
        for (std::uint32_t k = 0; k < 8; ++k) eight |= test.template near<wall>(begin + group + k) ? 1U << k : 0U;
        bits |= eight << group;
    }
    return candidates < 32 ? bits & ((1U << candidates) - 1) : bits;
}

struct FoundBits {
    std::uint32_t neighbours;
    std::uint32_t words;
};

// Searches the neighbours of particle i in the ranges of its cell that can have some: one bit per candidate, 32 to a
// word, words[k * stride] for these ranges one after another.
template <class Test>
__device__ FoundBits find_bits(Test test, const NeighboursView& neighbours, std::uint32_t i, std::int32_t x, bool wall,
                               std::uint32_t* words, int stride)
{
    const Reach& reach = neighbours.reach;
    const RangesView& ranges = neighbours.ranges;
    const std::uint32_t cell = ranges.cell_of[i];
    FoundBits found{};
    for (int slot = 0; slot < reach.slots(); ++slot) {
        const CellRun run = ranges.run(slot, cell);
        if (!run.concerns(wall)) continue;
        test.enter(reach, slot, reach.image(x, slot));
        const ParticleRange range = ranges.particles(run);
        for (std::uint32_t begin = range.begin; begin < range.end; begin += 32) {
            const std::uint32_t candidates = min(range.end - begin, 32U);
            // A wall has fluid neighbours only.
            std::uint32_t bits =
                wall ? test_word<true>(test, begin, candidates) : test_word<false>(test, begin, candidates);
            if (i - begin < candidates) bits &= ~(1U << (i - begin));
            *words = bits;
            words += stride;
            ++found.words;
            found.neighbours += __popc(bits);
        }
    }
    return found;
}

// Calls visit(slot, first candidate, bits) for every word that find_bits has set. The threads of a warp go from slot to
// slot together.
template <class Visit>
__device__ void for_each_word(const NeighboursView& neighbours, std::uint32_t i, bool wall, const std::uint32_t* words,
                              int stride, Visit visit)
{
    const RangesView& ranges = neighbours.ranges;
    const std::uint32_t cell = ranges.cell_of[i];
    const int slots = neighbours.reach.slots();
    for (int slot = 0; slot < slots; ++slot) {
        const CellRun run = ranges.run(slot, cell);
        if (!run.concerns(wall)) continue;
        const ParticleRange range = ranges.particles(run);
        for (std::uint32_t begin = range.begin; begin < range.end; begin += 32) {
            visit(slot, begin, *words);
            words += stride;
        }
    }
}

// Calls visit(neighbour) for every bit that find_bits has set, in order, and enter(slot, first candidate) before each
// slot. The lanes of `together`, which all call this, proceed together: each reads one more word if it has no bit left
// and visits one neighbour if it has one, so that the visits of a warp coincide.
template <class Enter, class Visit>
__device__ void for_each_bit(unsigned together, const NeighboursView& neighbours, std::uint32_t i, bool wall,
                             const std::uint32_t* words, int stride, Enter enter, Visit visit)
{
    const RangesView& ranges = neighbours.ranges;
    const std::uint32_t cell = ranges.cell_of[i];
    const int slots = neighbours.reach.slots();
    int slot = -1;
    std::uint32_t end = 0;
    std::uint32_t begin = 0;
    std::uint32_t bits = 0;
    while (__any_sync(together, slot < slots)) {
        if (bits == 0 && slot < slots) {
            begin += 32;
            if (begin >= end && ++slot < slots) {
                const CellRun run = ranges.run(slot, cell);
                if (run.concerns(wall)) {
                    const ParticleRange range = ranges.particles(run);
                    begin = range.begin;
                    end = range.end;
                    enter(slot, begin);
                } else {
                    end = begin;
                }
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

// The list or mask of target t, by all threads of a block.
template <class Test, class Real>
__device__ void make_list(const PairData<Real>& data, const NeighboursView& neighbours, const SearchRecords<Real>& kept,
                          const ListTarget& lists, std::uint32_t t)
{
    extern __shared__ std::uint32_t all_words[];
    const auto stride = static_cast<int>(blockDim.x);
    std::uint32_t* const words = all_words + threadIdx.x;
    const Reach& reach = neighbours.reach;
    __shared__ EntryFormat::Row rows[largest_slots];
    for_each_slot(reach, [&](int slot, int k) { rows[slot] = lists.format.row(-reach.dy(k), -reach.dz(k)); });
    const TargetsView& targets = neighbours.targets;
    const bool wall = t >= targets.walls_begin;
    const bool wanted = t < targets.fluid_end || (wall && t < targets.walls_end);
    const std::uint32_t index = wanted ? targets.particle[t] : 0;
    const std::int32_t x = wanted ? data.cell[index].x : 0;
    FoundBits found{};
    if (wanted) found = find_bits(Test(data, kept, index), neighbours, index, x, wall, words, stride);
    const std::uint32_t length = lists.masks ? found.words : found.neighbours;
    const std::uint32_t fours = (__reduce_max_sync(every_lane, length) + 3) / 4;
    const int lane = static_cast<int>(threadIdx.x) % warp;
    unsigned long long base = 0;
    if (lane == 0 && fours > 0) base = atomicAdd(lists.used, static_cast<unsigned long long>(fours) * warp);
    base = __shfl_sync(every_lane, base, 0);
    if (!wanted) return;
    lists.lengths[t] = found.neighbours;
    if (lane == 0) lists.base[t / warp] = base;  // the kinds begin with a warp
    if (base + std::uint64_t(fours) * warp > lists.capacity) return;
    if (lists.masks) {
        auto* const mask = reinterpret_cast<std::uint32_t*>(lists.entries + base) + lane;
        for (std::uint32_t k = 0; k < found.words; ++k) mask[k * warp] = words[k * static_cast<std::uint32_t>(stride)];
        return;
    }
    std::uint32_t stride_of_layers = 0;
    FourEntries* out = lists.entries + base + lane;
    FourEntries last{};
    std::uint32_t written = 0;
    const auto put = [&](std::uint32_t entry) {
        last.append(entry);
        if (++written % 4 != 0) return;
        *out = last;
        out += warp;
    };
    const Four<Real>* const records = kept.records;
    const Real own = records[index].w;
    for_each_word(neighbours, index, wall, words, stride, [&](int slot, std::uint32_t begin, std::uint32_t bits) {
        const EntryFormat::Row row = rows[slot];
        const auto image = static_cast<typename Test::Tag::Image>(reach.image(x, slot));
        for (; bits != 0; bits &= bits - 1) {
            const std::uint32_t b = begin + static_cast<std::uint32_t>(__ffs(static_cast<int>(bits)) - 1);
            const Real tag = records[b].w;
            const auto dx = static_cast<int>(Test::Tag::cells_between(own, tag, image));
            std::uint32_t entry = 0;
            if (!lists.format.pack(index, b, dx, Test::Tag::is_wall(tag), row, entry)) {
                const std::uint32_t apart = b > index ? b - index : index - b;
                stride_of_layers = max(stride_of_layers, apart / static_cast<std::uint32_t>(max(abs(row.dz), 1)));
            }
            put(entry);
        }
    });
    while (written % 4 != 0) put(0);
    if (stride_of_layers > 0) atomicMax(lists.too_far, stride_of_layers);
}

template <class Test, class Real>
__global__ void make_lists_of(const PairData<Real> data, const NeighboursView neighbours,
                              const SearchRecords<Real> kept, const ListTarget lists)
{
    make_list<Test>(data, neighbours, kept, lists, static_cast<std::uint32_t>(thread_index()));
}

// The same for the rebuilt runs of a batch. A block of threads is a part of a block of places.
template <class Test, class Real>
__global__ void make_lists_of_runs(const PairData<Real> common, const RebuiltRuns<Real> rebuilt)
{
    const auto thread = static_cast<std::uint32_t>(thread_index());
    const std::uint32_t place = rebuilt.blocks.begin[thread / run_block] + thread % run_block;
    const RebuiltRun& own = rebuilt.blocks.run_at(place);
    const std::uint32_t run = own.run;
    const PairRuns<Real>& runs = rebuilt.runs;
    NeighboursView neighbours = runs.neighbours(run);
    neighbours.ranges = rebuilt.ranges;
    neighbours.reach = rebuilt.blocks.reach[rebuilt.blocks.rank_at(place)];
    PairData<Real> data = runs.data(common, run);
    if (rebuilt.reach_squared > Real(0)) data.reach_squared = rebuilt.reach_squared;
    StepReport& report = runs.reports[run];
    const ListTarget lists{.entries = runs.entries + runs.entries_of[run].begin,
                           .capacity = runs.entries_of[run].capacity,
                           .base = runs.list_base + own.begin / warp,
                           .lengths = runs.list_lengths + own.begin,
                           .used = &report.list_fours,
                           .too_far = &report.too_far,
                           .format = {.layer = 0},
                           .masks = false};
    make_list<Test>(data, neighbours, SearchRecords<Real>{common.rate, nullptr}, lists, place - own.begin);
}

}  // namespace halfulp::cuda
