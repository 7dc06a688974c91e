// The formats of stored neighbours: lists with an entry of 4 bytes for each, compact lists, or masks.
//
// The lists of the 32 targets of a warp are interleaved by four entries, which a thread writes and reads at once, so
// that the warp reads whole cache lines. A compact list, in a quarter to a third of the memory, leads from one
// neighbour to the next by steps of a byte each. Where a step is too large, as at the start of every row of cells, a
// whole entry is next, which lies apart: for about a sixteenth of a fluid particle's neighbours in 3D. Steps are
// interleaved by words of four, and so are whole entries. Masks have a bit for each particle in the ranges of the
// target's cell, in words of 32, those of the targets of a warp interleaved word by word.
#pragma once

#include <bit>
#include <cstdint>

#include "core/backends/cuda/warp.cuh"

namespace halfulp::cuda {

// An entry names a neighbour in 32 bits: two fields of three bits for the difference of cells along y and z, the
// particle's minus the neighbour's plus 3; the half cell, of four bits: a bit that tells walls from fluid, and above it
// the cell along x, the neighbour's minus the particle's plus 3, so that half cells ascend along a row, in which each
// cell's walls follow its fluid; and above them the index relative to the particle's, less `layer` for every cell along
// z. Particles of one layer of cells are contiguous, so with their number as `layer` the coded index is small: it has
// 22 bits.
struct EntryFormat {
    static constexpr int bias = 3;  // at least the cells searched
    static constexpr int y_shift = 0;
    static constexpr int z_shift = 3;
    static constexpr int wall_shift = 6;
    static constexpr int x_shift = 7;
    static constexpr int index_shift = 10;
    static constexpr std::uint32_t layer_unit = 1U << z_shift;

    std::int32_t layer;  // a multiple of layer_unit

    // A field and a number are converted into each other by one addition: in the mantissa of a power of two whose last
    // bits it is, the field is exact.
    template <int shift>
    static constexpr std::uint32_t in_place = 7U << shift;
    template <int shift>
    static constexpr float power = static_cast<float>(1U << (23 - shift));
    template <int shift>
    static constexpr float biased = power<shift> + bias;

    // Common data of all neighbours in one row of cells.
    struct Row {
        std::uint32_t fields;
        std::int32_t shift;  // of the index
        std::int32_t dz;
    };
    __device__ Row row(int dy, int dz) const
    {
        return {static_cast<std::uint32_t>(dy + bias) << y_shift | static_cast<std::uint32_t>(dz + bias) << z_shift,
                dz * layer, dz};
    }

    // What the entries of particles `begin` to begin + 31 have in common, all in one row. False, with `common`
    // undefined, if an index is out of range.
    __device__ bool begin(std::uint32_t particle, std::uint32_t begin, const Row& row, std::uint32_t& common) const
    {
        constexpr std::int32_t limit = 1 << (31 - index_shift);
        const auto coded = static_cast<std::int32_t>(begin - particle) + row.shift;
        common = static_cast<std::uint32_t>(coded) << index_shift | row.fields;
        return coded >= -limit && coded <= limit - 32;
    }
    // The entry of particle begin + k. dx: the particle's cell minus the neighbour's.
    static __device__ std::uint32_t entry(std::uint32_t common, std::uint32_t k, float dx, bool wall)
    {
        const std::uint32_t x_field = __float_as_uint(biased<x_shift> - dx) & in_place<x_shift>;
        return (common + (k << index_shift)) | static_cast<std::uint32_t>(wall) << wall_shift | x_field;
    }
};

// The neighbours of a particle, from entries.
class EntryDecoder {
public:
    __device__ EntryDecoder(const EntryFormat& format, std::uint32_t particle)
        : first_(particle + static_cast<std::uint32_t>(EntryFormat::bias * format.layer)), layer_(format.layer)
    {
    }

    __device__ std::uint32_t index(std::uint32_t entry) const
    {
        const std::uint32_t z_field = entry & EntryFormat::in_place<EntryFormat::z_shift>;
        return first_ + static_cast<std::uint32_t>(static_cast<std::int32_t>(entry) >> EntryFormat::index_shift) +
               z_field * static_cast<std::uint32_t>(-(layer_ >> EntryFormat::z_shift));
    }
    static __device__ bool is_wall(std::uint32_t entry) { return (entry & (1U << EntryFormat::wall_shift)) != 0; }

    // Differences of cells: the particle's minus the neighbour's.
    static __device__ float x_difference(std::uint32_t entry)
    {
        return EntryFormat::biased<EntryFormat::x_shift> - raised<EntryFormat::x_shift>(entry);
    }
    static __device__ float y_difference(std::uint32_t entry)
    {
        return raised<EntryFormat::y_shift>(entry) - EntryFormat::biased<EntryFormat::y_shift>;
    }
    static __device__ float z_difference(std::uint32_t entry)
    {
        return raised<EntryFormat::z_shift>(entry) - EntryFormat::biased<EntryFormat::z_shift>;
    }

private:
    // A field plus the power of its place.
    template <int shift>
    static __device__ float raised(std::uint32_t entry)
    {
        return __uint_as_float((entry & EntryFormat::in_place<shift>) |
                               std::bit_cast<std::uint32_t>(EntryFormat::power<shift>));
    }

    std::uint32_t first_;
    std::int32_t layer_;
};

// A step from an entry to the next one in the same row: added at its place, it raises the half cell by its low three
// bits, up to 7, and the index by its high four, up to 15. Bit 3 says that the entry is one of those apart instead,
// which have this bit taken off beforehand, so that it, too, is added.
struct ListStep {
    static constexpr int shift = EntryFormat::wall_shift;
    static constexpr std::uint32_t to_whole_entry = 8;
    static constexpr std::uint32_t most_indices = 15;

    static __device__ std::uint32_t between(std::uint32_t before, std::uint32_t entry)
    {
        return (entry - before) >> shift;
    }
    static __device__ bool is_possible(std::uint32_t step) { return (step & (~0xFFU | to_whole_entry)) == 0; }
    static __device__ std::uint32_t kept_apart(std::uint32_t entry) { return entry - (to_whole_entry << shift); }
};

// Words of the 32 targets of a warp, one of each.
struct alignas(4 * warp) WarpWords {
    std::uint32_t of_lane[warp];
};

// Where the stored neighbours of the targets of a warp begin, in WarpWords; of compact lists first whole entries, so
// many for each target, and then steps.
struct ListPlace {
    std::uint32_t begin;
    std::uint32_t whole_entries;
};

// Four entries of a list; the first is next.
struct alignas(16) FourEntries {
    std::uint32_t next, second, third, fourth;

    __device__ void drop_first()
    {
        next = second;
        second = third;
        third = fourth;
    }
    __device__ void append(std::uint32_t entry)
    {
        drop_first();
        fourth = entry;
    }
};

enum class KeptNeighbours : std::uint8_t { lists, compact, masks, none };

struct ListView {
    KeptNeighbours kept;
    const WarpWords* words;
    const ListPlace* place;        // of each warp of targets
    const std::uint32_t* lengths;  // of each target's list, in neighbours
    EntryFormat format;

    // Target t's lane of the words of its warp, of a compact list from the first whole entry on; the next words follow
    // at a distance of a warp. together: words of a target that lie together, four of a list of entries.
    __device__ const std::uint32_t* begin_of(std::uint32_t t, std::uint32_t together = 1) const
    {
        return words[place[t / warp].begin].of_lane + together * (t % warp);
    }
    __device__ std::uint32_t whole_entries_of(std::uint32_t t) const { return place[t / warp].whole_entries; }
};

// The destination of neighbour lists.
struct ListTarget {
    KeptNeighbours kept;
    WarpWords* words;
    std::uint64_t capacity;
    ListPlace* place;
    std::uint32_t* lengths;
    unsigned long long* used;  // of the words required by all lists, counted also beyond the capacity
    std::uint32_t* too_far;    // raised to the index distance of adjacent layers of cells where an entry is too small
    EntryFormat format;
};

}  // namespace halfulp::cuda
