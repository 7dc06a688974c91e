#include "core/backends/cuda/order.cuh"

#include <bit>

#include <thrust/iterator/counting_iterator.h>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>

#include "core/backends/cuda/scratch.cuh"

namespace halfulp::cuda {

namespace {

constexpr int threads = 256;

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

__global__ void make_keys(PackedKey packed, const Four<std::int32_t>* cell, const Kind* kind, std::size_t count,
                          bool with_row, std::uint64_t* keys, std::uint32_t* indices)
{
    const std::size_t i = thread_index();
    if (i >= count) return;
    keys[i] = packed(cell[i], kind[i], with_row, true);
    indices[i] = static_cast<std::uint32_t>(i);
}

// The keys of rows, for particles already ordered within them.
__global__ void make_row_keys(PackedKey packed, const Four<std::int32_t>* cell, const Kind* kind, std::size_t count,
                              const std::uint32_t* indices, std::uint64_t* keys)
{
    const std::size_t k = thread_index();
    if (k < count) keys[k] = packed(cell[indices[k]], kind[indices[k]], true, false);
}

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

void Order::sort_keys(std::size_t count, int bits, cudaStream_t stream)
{
    cub::DoubleBuffer<std::uint64_t> keys(keys_[current_].data(), keys_[1 - current_].data());
    cub::DoubleBuffer<std::uint32_t> indices(indices_[current_].data(), indices_[1 - current_].data());
    with_scratch(scratch_, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, indices, static_cast<std::int64_t>(count), 0, bits,
                                               stream);
    });
    if (keys.Current() != keys_[current_].data()) current_ = 1 - current_;
    order_ = indices.Current();
}

void Order::sort(const Four<std::int32_t>* cell, const Kind* kind, std::size_t count, const CellBounds& bounds,
                 std::int32_t largest_id, cudaStream_t stream)
{
    for (int k = 0; k < 2; ++k) {
        keys_[k].resize(count, "sorting");
        indices_[k].resize(count, "sorting");
    }
    PackedKey packed{bounds, {0, 0, 0, 1, static_cast<int>(std::bit_width(static_cast<std::uint32_t>(largest_id)))}};
    for (int k = 0; k < 3; ++k) {
        const int axis = 2 - k;
        packed.bits[k] = bounds.bits(axis);
    }
    const int row = packed.bits[0] + packed.bits[1];
    const int low = packed.bits[2] + packed.bits[3] + packed.bits[4];
    const bool together = row + low <= 64;
    const unsigned blocks = blocks_for(count, threads);
    current_ = 0;
    make_keys<<<blocks, threads, 0, stream>>>(packed, cell, kind, count, together, keys_[0].data(), indices_[0].data());
    sort_keys(count, together ? row + low : low, stream);
    // Cells too far apart for one key: the sort is stable, so the rows are sorted second.
    if (together || row == 0) return;
    make_row_keys<<<blocks, threads, 0, stream>>>(packed, cell, kind, count, order_, keys_[current_].data());
    sort_keys(count, row, stream);
}

void Directory::build(const Four<std::int32_t>* cell, std::size_t count, cudaStream_t stream)
{
    first_.resize(count + 1, "the cells");
    row_first_.resize(count + 1, "the rows of cells");
    counts_.resize(2, "the cells");
    const auto all = thrust::counting_iterator<std::uint32_t>(0);
    const auto number = static_cast<std::int64_t>(count);
    with_scratch(scratch_, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceSelect::If(scratch, bytes, all, first_.data(), counts_.data(), number, BeginsCell{cell},
                                     stream);
    });
    with_scratch(scratch_, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceSelect::If(scratch, bytes, all, row_first_.data(), counts_.data() + 1, number,
                                     BeginsRow{cell}, stream);
    });
    std::uint32_t found[2];
    check(cudaMemcpyAsync(found, counts_.data(), sizeof found, cudaMemcpyDeviceToHost, stream), "counting cells");
    check(cudaStreamSynchronize(stream), "counting cells");
    const auto last = static_cast<std::uint32_t>(count);
    check(cudaMemcpyAsync(first_.data() + found[0], &last, sizeof last, cudaMemcpyHostToDevice, stream),
          "counting cells");
    find_first_cells<<<blocks_for(found[1] + 1, threads), threads, 0, stream>>>(first_.data(), found[0],
                                                                                row_first_.data(), found[1]);
    view_ = {cell, first_.data(), row_first_.data(), found[0], found[1]};
}

}  // namespace halfulp::cuda
