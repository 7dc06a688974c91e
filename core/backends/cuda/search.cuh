// Neighbour search: each thread sets a bit for each candidate of its particle, then writes them into a list or visits
// them at once.
#pragma once

#include <type_traits>

#include "core/backends/cuda/candidate_bits.cuh"
#include "core/backends/cuda/candidate_tests.cuh"
#include "core/backends/cuda/list_writers.cuh"
#include "core/backends/cuda/pair_kernels.cuh"
#include "core/operations/pair_pass.hpp"

namespace halfulp::cuda {

// Calls make(slot, row) for every slot, distributed to the threads of a block: builds tables that save them divisions.
inline constexpr int largest_slots = 2 * 7 * 7;
template <class Make>
__device__ void for_each_slot(const Reach& reach, Make make)
{
    for (int slot = static_cast<int>(threadIdx.x); slot < reach.slots(); slot += static_cast<int>(blockDim.x))
        make(slot, slot / reach.images);
    __syncthreads();
}

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

// Searches the neighbours of particle i in the ranges of its cell that can have some, whose bits it puts one after
// another.
template <class Test, class Bits>
__device__ FoundBits find_bits(Test test, const NeighboursView& neighbours, std::uint32_t i, std::int32_t x, bool wall,
                               Bits found_bits)
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
            found_bits.put(bits, candidates);
            ++found.words;
            found.neighbours += __popc(bits);
        }
    }
    found_bits.end();
    return found;
}

// The first of the bits, of which there are some. By one slow instruction, where __ffs takes two; volatile, as
// compilers repeat it to save a register.
__device__ inline std::uint32_t first_of(std::uint32_t bits)
{
    std::uint32_t first = 0;
    asm volatile("bfind.u32 %0, %1;" : "=r"(first) : "r"(bits & -bits));
    return first;
}

// Calls visit(slot, first candidate, bits) for every 32 candidates whose bits find_bits has put. The threads of a warp
// go from slot to slot together.
template <class Visit>
__device__ void for_each_word(const NeighboursView& neighbours, std::uint32_t i, bool wall, PackedBitsReader bits,
                              Visit visit)
{
    const RangesView& ranges = neighbours.ranges;
    const std::uint32_t cell = ranges.cell_of[i];
    const int slots = neighbours.reach.slots();
    for (int slot = 0; slot < slots; ++slot) {
        const CellRun run = ranges.run(slot, cell);
        if (!run.concerns(wall)) continue;
        const ParticleRange range = ranges.particles(run);
        for (std::uint32_t begin = range.begin; begin < range.end; begin += 32) {
            visit(slot, begin, bits.take(min(range.end - begin, 32U)));
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
            const std::uint32_t b = begin + first_of(bits);
            bits &= bits - 1;
            visit(b);
        }
    }
}

// The most whole entries that the compact list of particle i may have.
template <class Test>
__device__ std::uint32_t count_whole_entries(const Test& test, const NeighboursView& neighbours, std::uint32_t i,
                                             bool wall, const PackedBitsReader& found)
{
    const RangesView& ranges = neighbours.ranges;
    WholeEntries whole;
    int slot_before = -1;
    for_each_word(neighbours, i, wall, found, [&](int slot, std::uint32_t begin, std::uint32_t bits) {
        if (bits == 0) return;
        whole.count(slot != slot_before, begin, bits);
        if (slot == slot_before) return;
        slot_before = slot;
        const CellRun run = ranges.run(slot, ranges.cell_of[i]);
        const ParticleRange range = ranges.particles(run);
        if (run.count() == 1) return;
        const auto cells =
            static_cast<int>(Test::Tag::cells_between(test.tag(range.end - 1), test.tag(range.begin), 0));
        const std::uint32_t between = ranges.first[run.end() - 1] - ranges.first[run.first() + 1];
        if (may_rise_too_far(neighbours.reach.search_cells, cells, between)) whole.count_one();
    });
    return whole.counted();
}

// The list or mask of target t, by all threads of a block.
template <class Test, bool compact, class Real>
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
    if (wanted) found = find_bits(Test(data, kept, index), neighbours, index, x, wall, PackedBits(words, stride));
    std::uint32_t whole_entries = 0;
    if constexpr (compact) {
        if (wanted)
            whole_entries =
                count_whole_entries(Test(data, kept, index), neighbours, index, wall, PackedBitsReader(words, stride));
        whole_entries = __reduce_max_sync(every_lane, whole_entries);
    }
    const bool masks = !compact && lists.kept == KeptNeighbours::masks;
    const std::uint32_t length = masks ? found.words : (found.neighbours + 3) / 4;
    const std::uint32_t wanted_words =
        whole_entries + __reduce_max_sync(every_lane, length) * (compact || masks ? 1 : 4);
    const int lane = static_cast<int>(threadIdx.x) % warp;
    unsigned long long base = 0;
    if (lane == 0 && wanted_words > 0) base = atomicAdd(lists.used, static_cast<unsigned long long>(wanted_words));
    base = __shfl_sync(every_lane, base, 0);
    if (!wanted) return;
    lists.lengths[t] = found.neighbours;
    const ListPlace place{static_cast<std::uint32_t>(base), whole_entries};
    if (lane == 0) lists.place[t / warp] = place;  // the kinds begin with a warp
    if (base + wanted_words > lists.capacity) return;
    const PackedBitsReader found_bits(words, stride);
    if (masks) {
        BitWords mask(lists.words[place.begin].of_lane + lane, warp);
        for_each_word(neighbours, index, wall, found_bits,
                      [&](int /*slot*/, std::uint32_t /*begin*/, std::uint32_t bits) { mask.put(bits, 32); });
        return;
    }
    std::uint32_t stride_of_layers = 0;
    const Real own = kept.records[index].w;
    std::conditional_t<compact, CompactWriter, ListWriter> writer(lists, place, lane);
    for_each_word(neighbours, index, wall, found_bits, [&](int slot, std::uint32_t begin, std::uint32_t bits) {
        const EntryFormat::Row row = rows[slot];
        const auto image = static_cast<typename Test::Tag::Image>(reach.image(x, slot));
        writer.enter(slot);
        if (bits == 0) return;
        std::uint32_t common = 0;
        if (!lists.format.begin(index, begin, row, common)) {
            const std::uint32_t apart = begin > index ? begin - index : index - begin;
            stride_of_layers = max(stride_of_layers, apart / static_cast<std::uint32_t>(max(abs(row.dz), 1)));
        }
        std::uint32_t k = first_of(bits);
        Real tag = kept.records[begin + k].w;
        while (true) {
            bits &= bits - 1;
            static_assert(32 * sizeof(Four<double>) <= padding_of_allocations);
            const std::uint32_t coming = first_of(bits | 1U << 31);  // the last candidate, if there is none
            const Real coming_tag = kept.records[begin + coming].w;  // read while the entry is made
            const auto dx = static_cast<float>(Test::Tag::cells_between(own, tag, image));
            writer.put(EntryFormat::entry(common, k, dx, Test::Tag::is_wall(tag)));
            if (bits == 0) return;
            k = coming;
            tag = coming_tag;
        }
    });
    writer.end();
    if (stride_of_layers > 0) atomicMax(lists.too_far, stride_of_layers);
}

template <class Test, bool compact, class Real>
__global__ void make_lists_of(const PairData<Real> data, const NeighboursView neighbours,
                              const SearchRecords<Real> kept, const ListTarget lists)
{
    make_list<Test, compact>(data, neighbours, kept, lists, static_cast<std::uint32_t>(thread_index()));
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
    const ListTarget lists{.kept = KeptNeighbours::lists,
                           .words = runs.words + runs.words_of[run].begin,
                           .capacity = runs.words_of[run].capacity,
                           .place = runs.list_places + own.begin / warp,
                           .lengths = runs.list_lengths + own.begin,
                           .used = &report.list_words,
                           .too_far = &report.too_far,
                           .format = {.layer = 0}};
    make_list<Test, false>(data, neighbours, SearchRecords<Real>{common.rate, nullptr}, lists, place - own.begin);
}

}  // namespace halfulp::cuda
