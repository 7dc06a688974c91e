// Neighbours on the device, in the order of core/neighbours: for each occupied cell the ranges of particles within
// reach, and for each particle a list of those within support + skin, if memory allows.
//
// A list entry has 4 bytes: the neighbour's cell and its index, both relative to the particle's. The lists of the 32
// particles of a warp are interleaved, so that the warp reads whole cache lines.
#pragma once

#include "core/backends/cuda/order.cuh"
#include "core/neighbours/reach.hpp"

namespace halfulp::cuda {

// The rows of cells around a cell. Row k lies at offset dy(k), dz(k), in ascending order; along a periodic x every row
// has two slots, as it can occur twice.
struct Reach {
    int search_cells;
    int rows;    // (2n+1)^(D-1)
    int images;  // slots per row
    int dimensions;
    std::int32_t origin[3];
    std::int32_t period[3];  // cells; 0: not periodic

    [[nodiscard]] __host__ __device__ int slots() const { return rows * images; }
    __device__ int dz(int row) const { return dimensions == 3 ? row / (2 * search_cells + 1) - search_cells : 0; }
    __device__ int dy(int row) const
    {
        return dimensions == 3 ? row % (2 * search_cells + 1) - search_cells : row - search_cells;
    }
    // A cell's periodic image, if the axis is periodic.
    __device__ std::int64_t wrapped(std::int64_t cell, int axis) const
    {
        return halfulp::wrapped(cell, origin[axis], period[axis]);
    }
    // The offset along x of the image in a slot, for a cell at x.
    __device__ std::int64_t image(std::int32_t x, int slot) const
    {
        if (period[0] == 0) return 0;
        const std::int64_t low = std::int64_t(x) - search_cells;
        return low - wrapped(low, 0) + std::int64_t(slot % images) * period[0];
    }
};

// The ranges of particles within reach of each occupied cell, slot by slot, and their number of 32-candidate words.
struct RangesView {
    const ParticleRange* ranges;   // [slot * cells + cell]
    const std::uint32_t* cell_of;  // of each particle
    std::uint32_t cells;
};

class Ranges {
public:
    void build(const DirectoryView& directory, const Reach& reach, std::size_t count, cudaStream_t stream);
    [[nodiscard]] RangesView view() const { return {ranges_.data(), cell_of_.data(), cells_}; }
    // For the cell with the most words.
    [[nodiscard]] std::uint32_t largest_words() const { return largest_words_; }

private:
    DeviceVector<std::uint32_t> neighbour_rows_;
    DeviceVector<ParticleRange> ranges_;
    DeviceVector<std::uint32_t> cell_of_;
    DeviceVector<std::uint32_t> words_;
    std::uint32_t cells_ = 0;
    std::uint32_t largest_words_ = 0;
};

// Block size and shared memory of a search, in which every thread keeps a bit for each of its candidates.
struct SearchShape {
    int threads;
    std::size_t shared_bytes;
};
SearchShape search_shape(std::uint32_t largest_words);

// The 32-bit format of a list entry: three fields of three bits for the cell differences along x, y and z, each plus n,
// and above them the index relative to the particle's, less `layer` for every cell along z. Particles of one layer of
// cells are contiguous, so with their number as `layer` the coded index is small: it has 23 bits. Fields become numbers
// without a conversion: in the mantissa of 2^23 they are exact, and one fma removes the rest.
struct EntryFormat {
    static constexpr int field_bits = 3;
    static constexpr int index_shift = 3 * field_bits;

    int search_cells;
    std::int32_t layer;

    // Common data of all neighbours in one row of cells.
    struct Row {
        std::uint32_t fields;
        std::int32_t shift;  // of the index
        std::int32_t dz;
    };
    __device__ Row row(int dy, int dz) const
    {
        return {static_cast<std::uint32_t>(dy + search_cells) << field_bits |
                    static_cast<std::uint32_t>(dz + search_cells) << (2 * field_bits),
                dz * layer, dz};
    }

    // False, with `entry` undefined, if the index is out of range.
    __device__ bool pack(std::uint32_t particle, std::uint32_t neighbour, int dx, const Row& row,
                         std::uint32_t& entry) const
    {
        const auto coded = static_cast<std::int32_t>(neighbour - particle) + row.shift;
        const auto high = static_cast<std::int32_t>(static_cast<std::uint32_t>(coded) << index_shift);
        entry = static_cast<std::uint32_t>(high) | row.fields | static_cast<std::uint32_t>(dx + search_cells);
        return high >> index_shift == coded;
    }

    // first: particle + search_cells * layer, modulo 2^32.
    __device__ std::uint32_t index(std::uint32_t first, std::uint32_t entry) const
    {
        constexpr std::uint32_t z_field = 7U << (2 * field_bits);
        return first + static_cast<std::uint32_t>(static_cast<std::int32_t>(entry) >> index_shift) -
               (entry & z_field) * static_cast<std::uint32_t>(layer >> (2 * field_bits));
    }

    // Difference of cells along an axis: the particle's minus the neighbour's.
    template <int axis>
    __device__ float difference(std::uint32_t entry) const
    {
        constexpr std::uint32_t field = 7U << (axis * field_bits);
        constexpr float unit = 1.0F / static_cast<float>(1U << (axis * field_bits));
        return fma(__uint_as_float((entry & field) | 0x4b000000U), unit,
                   -(8388608.0F * unit + static_cast<float>(search_cells)));
    }
};

struct ListView {
    const std::uint32_t* entries;
    const std::uint64_t* base;  // of each warp's lists
    const std::uint32_t* size;  // of each particle's list
    EntryFormat format;
};

}  // namespace halfulp::cuda
