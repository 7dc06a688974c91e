#include "core/backends/cuda/order.cuh"

#include <bit>

#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>

#include "core/backends/cuda/runs.cuh"
#include "core/backends/cuda/scratch.cuh"

namespace halfulp::cuda {

namespace {

// A particle's position in the order as one number: z, y, x (each from its smallest), kind, id, with as few bits as
// each needs.
struct PackedKey {
    CellBounds bounds;
    int bits[5];  // z, y, x, kind, id

    __device__ std::uint64_t operator()(const Four<std::int32_t>& cell, Kind kind, bool with_row, bool with_rest) const
    {
        std::uint64_t key = 0;
        const auto append = [&](std::uint64_t value, int width) { key = width == 0 ? key : key << width | value; };
        const auto offset = [&](std::int32_t value, int axis) {
            return static_cast<std::uint64_t>(std::int64_t(value) - bounds.low[axis]);
        };
        if (with_row) {
            append(offset(cell.z, 2), bits[0]);
            append(offset(cell.y, 1), bits[1]);
        }
        if (with_rest) {
            append(offset(cell.x, 0), bits[2]);
            append(kind == Kind::wall ? 1 : 0, bits[3]);
            append(static_cast<std::uint32_t>(cell.w), bits[4]);
        }
        return key;
    }
};

__global__ void make_keys(PackedKey packed, const Four<std::int32_t>* cell, const Kind* kind, PresentParticles present,
                          std::size_t count, bool with_row, std::uint64_t* keys, std::uint32_t* indices)
{
    const std::size_t k = thread_index();
    if (k >= count) return;
    const std::uint32_t i = present[k];
    keys[k] = packed(cell[i], kind[i], with_row, true);
    indices[k] = i;
}

// The keys of rows, for particles already ordered within them.
__global__ void make_row_keys(PackedKey packed, const Four<std::int32_t>* cell, const Kind* kind, std::size_t count,
                              const std::uint32_t* indices, std::uint64_t* keys)
{
    const std::size_t k = thread_index();
    if (k < count) keys[k] = packed(cell[indices[k]], kind[indices[k]], true, false);
}

// The same for the runs of a batch that are rebuilt: the rank of the run, then the position within its own bounds.
// Places without a particle come last in their run.
struct KeyOfRun {
    RebuiltBlocks blocks;
    PackedKey packed;

    __device__ std::uint64_t operator()(const Four<std::int32_t>* cell, const Kind* kind, std::uint32_t i,
                                        bool with_row, bool with_rest) const
    {
        const std::uint32_t rank = blocks.rank_at(i);
        PackedKey own = packed;
        own.bounds = blocks.runs[rank].bounds;
        int width = 0;
        for (int k = 0; k < 5; ++k) width += (k < 2 ? with_row : with_rest) ? packed.bits[k] : 0;
        const std::uint64_t last = width == 0 ? 0 : ~std::uint64_t(0) >> (64 - width);
        const std::uint64_t key = cell[i].w < 0 ? last : own(cell[i], kind[i], with_row, with_rest);
        return with_row && width < 64 ? std::uint64_t(rank) << width | key : key;
    }
};

__global__ void make_keys_of_runs(KeyOfRun key, const Four<std::int32_t>* cell, const Kind* kind, bool with_row,
                                  std::uint64_t* keys, std::uint32_t* indices)
{
    const std::size_t k = thread_index();
    const std::uint32_t i = key.blocks.place(k);
    keys[k] = key(cell, kind, i, with_row, true);
    indices[k] = i;
}

__global__ void make_row_keys_of_runs(KeyOfRun key, const Four<std::int32_t>* cell, const Kind* kind,
                                      const std::uint32_t* indices, std::uint64_t* keys)
{
    const std::size_t k = thread_index();
    keys[k] = key(cell, kind, indices[k], true, false);
}

struct PlaceOf {
    RebuiltBlocks blocks;
    __host__ __device__ std::uint32_t operator()([[maybe_unused]] std::uint32_t k) const
    {
#ifdef __CUDA_ARCH__
        return blocks.place(k);
#else
        return 0;  // never called: the pointers are the device's
#endif
    }
};

struct BeginsRow {
    const Four<std::int32_t>* cell;
    __host__ __device__ bool operator()(std::uint32_t i) const
    {
        return i == 0 || cell[i].z != cell[i - 1].z || cell[i].y != cell[i - 1].y;
    }
};
struct BeginsCell {
    const Four<std::int32_t>* cell;
    __host__ __device__ bool operator()(std::uint32_t i) const
    {
        return BeginsRow{cell}(i) || cell[i].x != cell[i - 1].x;
    }
};

// Maps the first particle of a row to its first cell.
__global__ void find_first_cells(const std::uint32_t* first, std::uint32_t cells, std::uint32_t* row_first,
                                 std::uint32_t rows)
{
    const std::size_t row = thread_index();
    if (row > rows) return;
    if (row == rows) {
        row_first[row] = cells;
        return;
    }
    const std::uint32_t particle = row_first[row];
    std::uint32_t low = 0;
    std::uint32_t high = cells;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (first[middle] < particle) low = middle + 1;
        else high = middle;
    }
    row_first[row] = low;
}

}  // namespace

void Order::sort_keys(const LentKeys& lent_keys, const LentIndices& lent_indices, std::size_t count, int bits,
                      cudaStream_t stream)
{
    cub::DoubleBuffer<std::uint64_t> keys(lent_keys[current_], lent_keys[1 - current_]);
    cub::DoubleBuffer<std::uint32_t> indices(lent_indices[current_], lent_indices[1 - current_]);
    with_scratch(scratch_, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, indices, static_cast<std::int64_t>(count), 0, bits,
                                               stream);
    });
    if (keys.Current() != lent_keys[current_]) current_ = 1 - current_;
    order_ = indices.Current();
}

void Order::sort(const Four<std::int32_t>* cell, const Kind* kind, const PresentParticles& present, std::size_t count,
                 const CellBounds& bounds, std::int32_t largest_id, const LentKeys& keys, const LentIndices& indices,
                 cudaStream_t stream)
{
    PackedKey packed{bounds, {0, 0, 0, 1, static_cast<int>(std::bit_width(static_cast<std::uint32_t>(largest_id)))}};
    for (int k = 0; k < 3; ++k) {
        const int axis = 2 - k;
        packed.bits[k] = bounds.bits(axis);
    }
    const int row = packed.bits[0] + packed.bits[1];
    const int low = packed.bits[2] + packed.bits[3] + packed.bits[4];
    const bool together = row + low <= 64;
    const unsigned blocks = blocks_for(count, usual_threads);
    current_ = 0;
    make_keys<<<blocks, usual_threads, 0, stream>>>(packed, cell, kind, present, count, together, keys[0], indices[0]);
    sort_keys(keys, indices, count, together ? row + low : low, stream);
    // Cells too far apart for one key: the sort is stable, so the rows are sorted second.
    if (together || row == 0) return;
    make_row_keys<<<blocks, usual_threads, 0, stream>>>(packed, cell, kind, count, order_, keys[current_]);
    sort_keys(keys, indices, count, row, stream);
}

void Order::sort(const Four<std::int32_t>* cell, const Kind* kind, const RebuiltBlocks& blocks, const int (&bits)[3],
                 std::int32_t largest_id, const LentKeys& keys, const LentIndices& indices, cudaStream_t stream)
{
    const std::size_t count = std::size_t(blocks.count) * run_block;
    const KeyOfRun key{
        blocks,
        {{}, {bits[2], bits[1], bits[0], 1, static_cast<int>(std::bit_width(static_cast<std::uint32_t>(largest_id)))}}};
    const int rank = static_cast<int>(std::bit_width(blocks.ranks - 1));
    const int row = rank + bits[2] + bits[1];
    const int low = bits[0] + key.packed.bits[3] + key.packed.bits[4];
    const bool together = row + low <= 64;
    current_ = 0;
    make_keys_of_runs<<<blocks.count, run_block, 0, stream>>>(key, cell, kind, together, keys[0], indices[0]);
    sort_keys(keys, indices, count, together ? row + low : low, stream);
    if (together || row == 0) return;
    make_row_keys_of_runs<<<blocks.count, run_block, 0, stream>>>(key, cell, kind, order_, keys[current_]);
    sort_keys(keys, indices, count, row, stream);
}

void Directory::build(const Four<std::int32_t>* cell, std::size_t count, const LentIndices& room, cudaStream_t stream)
{
    find_cells(cell, thrust::counting_iterator<std::uint32_t>(0), count, static_cast<std::uint32_t>(count), room,
               stream);
}

void Directory::build(const Four<std::int32_t>* cell, const RebuiltBlocks& blocks, const LentIndices& room,
                      cudaStream_t stream)
{
    const auto places = thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(0), PlaceOf{blocks});
    // The last cell has no particles, so its end does not matter.
    find_cells(cell, places, std::size_t(blocks.count) * run_block, 0, room, stream);
}

template <class Indices>
void Directory::find_cells(const Four<std::int32_t>* cell, const Indices& all, std::size_t count, std::uint32_t end,
                           const LentIndices& room, cudaStream_t stream)
{
    counts_.resize(1, "the cells");
    const auto number = static_cast<std::int64_t>(count);
    with_scratch(scratch_, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceSelect::If(scratch, bytes, all, room[0], &counts_.data()->cells, number, BeginsCell{cell},
                                     stream);
    });
    with_scratch(scratch_, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceSelect::If(scratch, bytes, all, room[1], &counts_.data()->rows, number, BeginsRow{cell},
                                     stream);
    });
    check(cudaMemcpyAsync(counts_here_.get(), counts_.data(), sizeof(Counts), cudaMemcpyDeviceToHost, stream),
          "counting cells");
    check(cudaStreamSynchronize(stream), "counting cells");
    const auto [cells, rows] = *counts_here_.get();
    const auto keep = [&](DeviceVector<std::uint32_t>& vector, const std::uint32_t* found, std::size_t wanted) {
        vector.grow(wanted + 1, "the cells");
        check(cudaMemcpyAsync(vector.data(), found, wanted * sizeof *found, cudaMemcpyDeviceToDevice, stream),
              "counting cells");
    };
    keep(first_, room[0], cells);
    keep(row_first_, room[1], rows);
    check(cudaMemcpyAsync(first_.data() + cells, &end, sizeof end, cudaMemcpyHostToDevice, stream), "counting cells");
    find_first_cells<<<blocks_for(rows + 1, usual_threads), usual_threads, 0, stream>>>(first_.data(), cells,
                                                                                        row_first_.data(), rows);
    view_ = {cell, first_.data(), row_first_.data(), cells, rows};
}

}  // namespace halfulp::cuda
