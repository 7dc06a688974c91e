#include "core/backends/cuda/neighbours.cuh"

#include <algorithm>
#include <bit>
#include <string>

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "core/backends/cuda/candidate_bits.cuh"
#include "core/backends/cuda/runs.cuh"
#include "core/backends/cuda/scratch.cuh"
#include "core/error.hpp"

namespace halfulp::cuda {

namespace {

// Whose particles a directory holds: those of one run, or of the runs of a batch that are rebuilt. A run's rows and
// cells in the directory, its reach, and its part of the lists of targets belong to a particle of it.
struct Span {
    std::uint32_t first;
    std::uint32_t end;
};
struct OneRun {
    Reach own_reach;
    CellBounds own_bounds;
    RunTargets* own_targets;
    OwnedView owned;
    EdgeTargets* edge_targets;

    __device__ static bool is_there(const DirectoryView& /*directory*/, std::uint32_t /*cell*/) { return true; }
    __device__ const Reach& reach(std::uint32_t /*particle*/) const { return own_reach; }
    __device__ const CellBounds& bounds(std::uint32_t /*particle*/) const { return own_bounds; }
    // Targets that other ranks wait for come first.
    __device__ std::uint64_t rank(std::uint32_t particle) const { return owned.is_edge(particle) ? 0 : 1; }
    __device__ static Span rows(const DirectoryView& directory, std::uint32_t /*particle*/)
    {
        return {0, directory.rows};
    }
    __device__ static Span cells(const DirectoryView& directory, std::uint32_t /*particle*/)
    {
        return {0, directory.cells};
    }
    __device__ static std::uint32_t begin(std::uint32_t /*particle*/) { return 0; }
    __device__ RunTargets& targets(std::uint32_t /*particle*/) const { return *own_targets; }
    // After the targets of a cell, if no other cell of an edge follows.
    __device__ void end_edge(std::uint32_t particle, bool last, std::uint32_t kind, std::uint32_t end) const
    {
        if (!last || !owned.is_edge(particle) || kind > 1) return;
        (kind == 0 ? edge_targets->fluid_end : edge_targets->walls_end) = end;
    }
};
struct RunsOfBatch {
    RebuiltBlocks blocks;
    RunTargets* all_targets;

    // Whether the cell is one of particles.
    __device__ static bool is_there(const DirectoryView& directory, std::uint32_t cell)
    {
        return directory.of_cell(cell).w >= 0;
    }
    __device__ const Reach& reach(std::uint32_t particle) const { return blocks.reach[blocks.rank_at(particle)]; }
    __device__ const CellBounds& bounds(std::uint32_t particle) const { return blocks.run_at(particle).bounds; }
    __device__ std::uint64_t rank(std::uint32_t particle) const { return blocks.rank_at(particle); }
    // Without those of places that hold no particle.
    __device__ Span rows(const DirectoryView& directory, std::uint32_t particle) const
    {
        const RebuiltRun& own = blocks.run_at(particle);
        return {directory.first_row_from(own.begin), directory.first_row_from(own.begin + own.count)};
    }
    // With them.
    __device__ Span cells(const DirectoryView& directory, std::uint32_t particle) const
    {
        const RebuiltRun& own = blocks.run_at(particle);
        return {directory.first_cell_from(own.begin), directory.first_cell_from(own.begin + own.count) + 1};
    }
    __device__ std::uint32_t begin(std::uint32_t particle) const { return blocks.run_at(particle).begin; }
    __device__ RunTargets& targets(std::uint32_t particle) const { return all_targets[blocks.run_at(particle).run]; }
    __device__ static void end_edge(std::uint32_t /*particle*/, bool /*last*/, std::uint32_t /*kind*/,
                                    std::uint32_t /*end*/)
    {
    }
};

template <class Owners>
__global__ void find_neighbour_rows(DirectoryView directory, Owners owners, int rows, std::uint32_t* neighbour_rows)
{
    const std::size_t index = thread_index();
    if (index >= std::size_t(directory.rows) * rows) return;
    const auto row = static_cast<std::uint32_t>(index / rows);
    const int k = static_cast<int>(index % rows);
    const std::uint32_t cell = directory.row_first[row];
    if (!owners.is_there(directory, cell)) return;
    const auto& own = directory.of_cell(cell);
    const Reach& reach = owners.reach(directory.first[cell]);
    const Span among = owners.rows(directory, directory.first[cell]);
    const std::int64_t z = reach.wrapped(std::int64_t(own.z) + reach.dz(k), 2);
    const std::int64_t y = reach.wrapped(std::int64_t(own.y) + reach.dy(k), 1);
    neighbour_rows[index] = directory.find_row(z, y, among.first, among.end);
}

template <class Owners>
__global__ void find_ranges(DirectoryView directory, Owners owners, int slots, const Kind* kind,
                            const std::uint32_t* neighbour_rows, CellRun* runs, std::uint32_t* cell_of, CellSpan* spans)
{
    const std::size_t index = thread_index();
    if (index >= std::size_t(directory.cells) * slots) return;
    const auto cell = static_cast<std::uint32_t>(index % directory.cells);
    const int slot = static_cast<int>(index / directory.cells);
    if (!owners.is_there(directory, cell)) {
        const std::uint32_t end = directory.first[cell];
        if (slot == 0) spans[cell] = {end, end};
        runs[index] = {0, 0, false};
        return;
    }
    const Reach& reach = owners.reach(directory.first[cell]);
    if (slot == 0) {
        const std::uint32_t end = directory.first[cell + 1];
        std::uint32_t fluid_end = directory.first[cell];
        for (std::uint32_t i = fluid_end; i < end; ++i) {
            cell_of[i] = cell;
            if (kind[i] == Kind::fluid) fluid_end = i + 1;  // the fluid precedes the walls
        }
        spans[cell] = {fluid_end, end};
    }
    // Binary search for the row of this cell.
    std::uint32_t low = 0;
    std::uint32_t high = directory.rows;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (directory.row_first[middle] <= cell) low = middle + 1;
        else high = middle;
    }
    const std::uint32_t row = neighbour_rows[std::size_t(low - 1) * reach.rows + slot / reach.images];
    CellRun run(0, 0, false);
    if (row != DirectoryView::no_row) {
        const std::int32_t own = directory.of_cell(cell).x;
        const std::int64_t x = std::int64_t(own) - reach.image(own, slot);
        const std::uint32_t first = directory.lower_cell(row, x - reach.search_cells);
        const std::uint32_t end = directory.lower_cell(row, x + reach.search_cells + 1);
        bool has_fluid = false;
        for (std::uint32_t k = first; k < end; ++k) has_fluid |= kind[directory.first[k]] == Kind::fluid;
        if (first < end) run = {first, end - first, has_fluid};
    }
    runs[index] = run;
}

// By all threads of a warp.
__device__ void raise(std::uint32_t* largest, std::uint32_t value)
{
    value = __reduce_max_sync(every_lane, value);
    if (threadIdx.x % warp == 0 && value > *static_cast<volatile std::uint32_t*>(largest)) atomicMax(largest, value);
}

__global__ void examine_cells(const RangesView ranges, int slots, std::uint32_t* largest_words,
                              std::uint32_t* packed_words, std::uint8_t* has_fluid_near)
{
    const std::size_t cell = thread_index();
    std::uint32_t words = 0;
    std::uint32_t bytes = 0;
    if (cell < ranges.cells) {
        bool fluid = false;
        for (int slot = 0; slot < slots; ++slot) {
            const CellRun run = ranges.run(slot, static_cast<std::uint32_t>(cell));
            const ParticleRange range = ranges.particles(run);
            words += (range.end - range.begin + 31U) / 32U;
            bytes += PackedBits::taken(range.end - range.begin) / 8;
            fluid |= run.has_fluid();
        }
        has_fluid_near[cell] = fluid ? 1 : 0;
    }
    raise(largest_words, words);
    raise(packed_words, PackedBits::words_for(bytes));
}

// The bits of a number, two zeros after each.
__device__ std::uint64_t spread(std::uint64_t bits)
{
    bits &= 0x1fffffU;
    bits = (bits | bits << 32U) & 0x1f00000000ffffU;
    bits = (bits | bits << 16U) & 0x1f0000ff0000ffU;
    bits = (bits | bits << 8U) & 0x100f00f00f00f00fU;
    bits = (bits | bits << 4U) & 0x10c30c30c30c30c3U;
    return (bits | bits << 2U) & 0x1249249249249249U;
}

// The position of each cell along its run's curve of this many bits, which beyond them repeats itself, one run after
// another: a Morton curve through bricks of four cells along x, the particles of which lie one after another in memory.
template <class Owners>
__global__ void place_on_curve(DirectoryView directory, Owners owners, int bits, std::uint64_t* curve,
                               std::uint32_t* cells)
{
    const std::size_t cell = thread_index();
    if (cell >= directory.cells) return;
    const std::uint32_t first = directory.first[cell];
    const auto& there = directory.cell[first];
    const CellBounds& bounds = owners.bounds(first);
    const auto along = [&](std::int32_t here, int axis) {
        return static_cast<std::uint32_t>(here) - static_cast<std::uint32_t>(bounds.low[axis]);
    };
    const std::uint32_t x = along(there.x, 0);
    const std::uint64_t brick = spread(along(there.z, 2)) << 2U | spread(along(there.y, 1)) << 1U | spread(x / 4);
    const std::uint64_t all = brick << 2U | x % 4;
    const std::uint64_t mask = (std::uint64_t(1) << bits) - 1;
    curve[cell] = owners.rank(first) << bits | (all & mask);
    cells[cell] = static_cast<std::uint32_t>(cell);
}

// The targets of the cells along the curve: sizes[kind * cells + k], of fluid, walls with fluid near, and dry walls.
__global__ void count_targets(DirectoryView directory, const CellSpan* spans, const std::uint8_t* has_fluid_near,
                              OwnedView owned, const std::uint32_t* cells_along, std::uint32_t* sizes)
{
    const std::size_t k = thread_index();
    if (k >= directory.cells) return;
    const std::uint32_t cell = cells_along[k];
    const CellSpan span = spans[cell];
    const bool own = owned.has(directory.first[cell]);
    const std::uint32_t walls = own ? span.end - span.fluid_end : 0;
    const bool dry = has_fluid_near[cell] == 0;
    sizes[k] = own ? span.fluid_end - directory.first[cell] : 0;
    sizes[directory.cells + k] = dry ? 0 : walls;
    sizes[2 * directory.cells + k] = dry ? walls : 0;
    if (k == 0) sizes[3 * directory.cells] = 0;
}

// Places left free after the fluid, so that the lists of walls begin with a warp.
__device__ std::uint32_t free_places(std::uint32_t fluid) { return (warp - fluid % warp) % warp; }

// begins: the sums of the sizes of all cells before, kind by kind.
template <class Owners>
__global__ void list_targets(DirectoryView directory, Owners owners, const std::uint32_t* cells_along,
                             const std::uint32_t* sizes, const std::uint32_t* begins, std::uint32_t* particle)
{
    const std::size_t k = thread_index();
    if (k >= directory.cells) return;
    std::uint32_t next = directory.first[cells_along[k]];
    const std::uint32_t own = next;
    const Span span = owners.cells(directory, own);
    const bool last_of_rank = k + 1 == span.end || owners.rank(directory.first[cells_along[k + 1]]) != owners.rank(own);
    std::uint32_t end = 0;  // of the targets of a kind, from the run's first
    RunTargets targets{};
    for (std::uint32_t kind = 0; kind < 3; ++kind) {
        const std::size_t of_kind = std::size_t(kind) * directory.cells;
        const std::uint32_t before = begins[of_kind + span.first];
        const std::uint32_t begin = end + (begins[of_kind + k] - before);
        for (std::uint32_t one = 0; one < sizes[of_kind + k]; ++one) particle[owners.begin(own) + begin + one] = next++;
        owners.end_edge(own, last_of_rank, kind, begin + sizes[of_kind + k]);
        end += begins[of_kind + span.end] - before;
        if (kind == 0) {
            targets.fluid_end = end;
            end += free_places(end);
            targets.walls_begin = end;
        } else if (kind == 1) {
            targets.walls_end = end;
        } else {
            targets.dry_end = end;
        }
    }
    if (k == span.first) owners.targets(own) = targets;
}

__global__ void tag_particles(const Four<std::int32_t>* cell, const Kind* kind, std::size_t count, std::uint32_t* tags)
{
    const std::size_t i = thread_index();
    if (i < count) tags[i] = static_cast<std::uint32_t>(cell[i].x) << 1U | (kind[i] == Kind::wall ? 1U : 0U);
}

}  // namespace

// What the order of targets needs of each cell. What it leaves there are finite numbers of any type, such as a saved
// field has to consist of.
struct Ranges::OrderingMemory {
    std::uint64_t* curve[2];  // position along the space-filling curve
    std::uint32_t* sizes;     // of the targets of a kind; in place of the curve, once the cells are in order
    CellSpan* spans;
    std::uint32_t* cells_along[2];
    std::uint32_t* begins;  // sums of the sizes before
    std::uint8_t* has_fluid_near;

    static std::size_t sums(std::size_t cells) { return 3 * cells + 1; }
    OrderingMemory(std::byte* memory, std::size_t cells)
    {
        std::byte* next = memory;
        const auto take = [&next]<class T>(T*& array, std::size_t count) {
            array = reinterpret_cast<T*>(next);
            next += count * sizeof(T);
        };
        for (std::uint64_t*& one : curve) take(one, cells);
        sizes = reinterpret_cast<std::uint32_t*>(memory);
        take(spans, cells);
        for (std::uint32_t*& one : cells_along) take(one, cells);
        take(begins, sums(cells));
        take(has_fluid_near, cells);
        bytes = static_cast<std::size_t>(next - memory);
    }
    std::size_t bytes;
};

std::size_t Ranges::bytes_to_order(std::size_t cells) { return OrderingMemory(nullptr, cells).bytes; }

void Ranges::tag(const Four<std::int32_t>* cell, const Kind* kind, std::size_t count, cudaStream_t stream)
{
    fit(tags_, count, "the cells");
    if (count > 0)
        tag_particles<<<blocks_for(count, usual_threads), usual_threads, 0, stream>>>(cell, kind, count, tags_.data());
}

void Ranges::build(const DirectoryView& directory, const Reach& reach, const Kind* kind, const OwnedView& owned,
                   std::size_t count, const CellBounds& bounds, std::byte* ordering, cudaStream_t stream)
{
    if (count == 0) {
        targets_ = {};
        *found_here_.get() = {};
        return;
    }
    found_.resize(1, "the targets");
    const int bits = std::max({bounds.bits(0), bounds.bits(1), bounds.bits(2), 1});
    build_for(directory, OneRun{reach, bounds, &found_.data()->targets, owned, &found_.data()->edge}, reach.rows,
              reach.images, kind, owned, count, std::min(3 * bits + 2, 62), owned.of_edge != nullptr ? 1 : 0, ordering,
              stream);
    const RunTargets& ends = found_here_->targets;
    const EdgeTargets& edges = found_here_->edge;
    const auto whole_warps = [](std::uint32_t targets) { return (targets + warp - 1) / warp * warp; };
    targets_ = {.particle = particle_.data(),
                .fluid_end = ends.fluid_end,
                .walls_begin = ends.walls_begin,
                .walls_end = ends.walls_end,
                .dry_end = ends.dry_end,
                .fluid_edge_end = std::min(whole_warps(edges.fluid_end), ends.fluid_end),
                .walls_edge_end = std::clamp(whole_warps(edges.walls_end), ends.walls_begin,
                                             std::max(ends.walls_begin, ends.walls_end))};
}

void Ranges::build(const DirectoryView& directory, const RebuiltBlocks& blocks, int rows, int images, const Kind* kind,
                   std::size_t count, int bits, RunTargets* targets, std::byte* ordering, cudaStream_t stream)
{
    const int of_rank = static_cast<int>(std::bit_width(blocks.ranks - 1));
    build_for(directory, RunsOfBatch{blocks, targets}, rows, images, kind, {}, count,
              std::min(3 * bits + 2, 63 - of_rank), of_rank, ordering, stream);
}

template <class Owners>
void Ranges::build_for(const DirectoryView& directory, const Owners& owners, int rows_around, int images,
                       const Kind* kind, const OwnedView& owned, std::size_t count, int bits, int bits_of_rank,
                       std::byte* ordering, cudaStream_t stream)
{
    cells_ = directory.cells;
    const std::size_t rows = std::size_t(directory.rows) * rows_around;
    const int slots_of_cell = rows_around * images;
    const std::size_t slots = std::size_t(directory.cells) * slots_of_cell;
    if (cells_ > CellRun::most_cells) {
        throw Error(ExitCode::unsupported,
                    "particles are in " + std::to_string(cells_) + " cells, and the CUDA back end has room for " +
                        std::to_string(CellRun::most_cells) +
                        " on a device: they have scattered; try --backend cpu or more devices (--devices)");
    }
    const OrderingMemory memory(ordering, cells_);
    neighbour_rows_.grow(rows, "the cells");
    runs_.grow(slots, "the cells");
    first_ = directory.first;
    fit(cell_of_, count, "the cells");
    found_.resize(1, "the targets");
    find_neighbour_rows<<<blocks_for(rows, usual_threads), usual_threads, 0, stream>>>(directory, owners, rows_around,
                                                                                       neighbour_rows_.data());
    find_ranges<<<blocks_for(slots, usual_threads), usual_threads, 0, stream>>>(
        directory, owners, slots_of_cell, kind, neighbour_rows_.data(), runs_.data(), cell_of_.data(), memory.spans);
    check(cudaMemsetAsync(found_.data(), 0, sizeof(Found), stream), "counting targets");
    examine_cells<<<blocks_for(cells_, usual_threads), usual_threads, 0, stream>>>(
        view(), slots_of_cell, &found_.data()->largest_words, &found_.data()->packed_words, memory.has_fluid_near);
    order_targets(directory, owners, owned, count, bits, bits_of_rank, memory, stream);
    check(cudaMemcpyAsync(found_here_.get(), found_.data(), sizeof(Found), cudaMemcpyDeviceToHost, stream),
          "counting targets");
    check(cudaStreamSynchronize(stream), "counting targets");
}

template <class Owners>
void Ranges::order_targets(const DirectoryView& directory, const Owners& owners, const OwnedView& owned,
                           std::size_t count, int bits, int bits_of_rank, const OrderingMemory& memory,
                           cudaStream_t stream)
{
    fit(particle_, count + warp, "the targets");
    const unsigned blocks = blocks_for(cells_, usual_threads);
    place_on_curve<<<blocks, usual_threads, 0, stream>>>(directory, owners, bits, memory.curve[0],
                                                         memory.cells_along[0]);
    cub::DoubleBuffer<std::uint64_t> curve(memory.curve[0], memory.curve[1]);
    cub::DoubleBuffer<std::uint32_t> cells_along(memory.cells_along[0], memory.cells_along[1]);
    with_scratch(scratch_, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortPairs(scratch, bytes, curve, cells_along, static_cast<std::int64_t>(cells_), 0,
                                               bits + bits_of_rank, stream);
    });
    check(cudaMemsetAsync(memory.curve[0], 0, 2 * std::size_t(cells_) * sizeof *memory.curve[0], stream),
          "counting targets");
    count_targets<<<blocks, usual_threads, 0, stream>>>(directory, memory.spans, memory.has_fluid_near, owned,
                                                        cells_along.Current(), memory.sizes);
    with_scratch(scratch_, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveSum(scratch, bytes, memory.sizes, memory.begins,
                                             static_cast<std::int64_t>(OrderingMemory::sums(cells_)), stream);
    });
    list_targets<<<blocks, usual_threads, 0, stream>>>(directory, owners, cells_along.Current(), memory.sizes,
                                                       memory.begins, particle_.data());
}

SearchShape search_shape(std::uint32_t largest_words)
{
    constexpr std::size_t most = 224 * 1024;  // of the 227 KiB available to a block
    const std::size_t words = std::max(largest_words, 1U) * sizeof(std::uint32_t);
    int threads_used = 128;
    while (threads_used > warp && words * static_cast<std::size_t>(threads_used) > comfortable_shared_bytes)
        threads_used /= 2;
    const std::size_t bytes = words * static_cast<std::size_t>(threads_used);
    if (bytes > most) {
        throw Error(ExitCode::unsupported,
                    "more than 57000 particles lie within reach of one cell, which the CUDA back end has no room for: "
                    "the particles have clustered; try --backend cpu or a smaller time.cfl");
    }
    return {threads_used, bytes};
}

}  // namespace halfulp::cuda
