#include "core/backends/cuda/neighbours.cuh"

#include <algorithm>

#include "core/error.hpp"

namespace halfulp::cuda {

namespace {

constexpr int threads = 256;

__global__ void find_neighbour_rows(DirectoryView directory, Reach reach, std::uint32_t* neighbour_rows)
{
    const std::size_t index = thread_index();
    if (index >= std::size_t(directory.rows) * reach.rows) return;
    const auto row = static_cast<std::uint32_t>(index / reach.rows);
    const int k = static_cast<int>(index % reach.rows);
    const auto& own = directory.of_cell(directory.row_first[row]);
    const std::int64_t z = reach.wrapped(std::int64_t(own.z) + reach.dz(k), 2);
    const std::int64_t y = reach.wrapped(std::int64_t(own.y) + reach.dy(k), 1);
    neighbour_rows[index] = directory.find_row(z, y);
}

__global__ void find_ranges(DirectoryView directory, Reach reach, const std::uint32_t* neighbour_rows,
                            ParticleRange* ranges, std::uint32_t* cell_of)
{
    const std::size_t index = thread_index();
    if (index >= std::size_t(directory.cells) * reach.slots()) return;
    const auto cell = static_cast<std::uint32_t>(index % directory.cells);
    const int slot = static_cast<int>(index / directory.cells);
    if (slot == 0) {
        for (std::uint32_t i = directory.first[cell]; i < directory.first[cell + 1]; ++i) cell_of[i] = cell;
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
    ParticleRange range{0, 0};
    if (row != DirectoryView::no_row) {
        const std::int32_t own = directory.of_cell(cell).x;
        const std::int64_t x = std::int64_t(own) - reach.image(own, slot);
        range = directory.particles(row, x - reach.search_cells, x + reach.search_cells);
    }
    ranges[index] = range;
}

__global__ void count_words(const ParticleRange* ranges, std::uint32_t cells, int slots, std::uint32_t* largest)
{
    const std::size_t cell = thread_index();
    std::uint32_t words = 0;
    if (cell < cells) {
        for (int slot = 0; slot < slots; ++slot) {
            const ParticleRange range = ranges[std::size_t(slot) * cells + cell];
            words += (range.end - range.begin + 31) / 32;
        }
    }
    words = __reduce_max_sync(every_lane, words);
    if (threadIdx.x % warp == 0 && words > *static_cast<volatile std::uint32_t*>(largest)) atomicMax(largest, words);
}

}  // namespace

void Ranges::build(const DirectoryView& directory, const Reach& reach, std::size_t count, cudaStream_t stream)
{
    cells_ = directory.cells;
    const std::size_t rows = std::size_t(directory.rows) * reach.rows;
    const std::size_t slots = std::size_t(directory.cells) * reach.slots();
    // With room for growth, so that a spreading flow does not allocate at every rebuild.
    if (rows > neighbour_rows_.capacity()) neighbour_rows_.resize(rows + rows / 4, "the cells");
    if (slots > ranges_.capacity()) ranges_.resize(slots + slots / 16, "the cells");
    cell_of_.resize(count, "the cells");
    words_.resize(1);
    find_neighbour_rows<<<blocks_for(rows, threads), threads, 0, stream>>>(directory, reach, neighbour_rows_.data());
    find_ranges<<<blocks_for(slots, threads), threads, 0, stream>>>(directory, reach, neighbour_rows_.data(),
                                                                    ranges_.data(), cell_of_.data());
    check(cudaMemsetAsync(words_.data(), 0, sizeof(std::uint32_t), stream), "counting candidates");
    count_words<<<blocks_for(cells_, threads), threads, 0, stream>>>(ranges_.data(), cells_, reach.slots(),
                                                                     words_.data());
    check(cudaMemcpyAsync(&largest_words_, words_.data(), sizeof largest_words_, cudaMemcpyDeviceToHost, stream),
          "counting candidates");
    check(cudaStreamSynchronize(stream), "counting candidates");
}

SearchShape search_shape(std::uint32_t largest_words)
{
    constexpr std::size_t comfortable = 64 * 1024;  // leaves room for a few blocks on a multiprocessor
    constexpr std::size_t most = 224 * 1024;        // of the 227 KiB available to a block
    const std::size_t words = std::max(largest_words, 1U) * sizeof(std::uint32_t);
    int threads_used = 128;
    while (threads_used > warp && words * static_cast<std::size_t>(threads_used) > comfortable) threads_used /= 2;
    const std::size_t bytes = words * static_cast<std::size_t>(threads_used);
    if (bytes > most) {
        throw Error(ExitCode::unsupported,
                    "more than 57000 particles lie within reach of one cell, which the CUDA back end has no room for: "
                    "the particles have clustered; try --backend cpu or a smaller time.cfl");
    }
    return {threads_used, bytes};
}

}  // namespace halfulp::cuda
