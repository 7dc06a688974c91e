// The canonical order of particles (core/particles/order.hpp) on the device, and the occupied cells in it.
#pragma once

#include <array>
#include <bit>

#include "core/backends/cuda/device.cuh"
#include "core/particles/buffers.hpp"

namespace halfulp::cuda {

// The smallest and largest cell index of all particles along each axis.
struct CellBounds {
    std::int32_t low[3];
    std::int32_t high[3];

    void include(const Four<std::int32_t>& cell)
    {
        for (int c = 0; c < 3; ++c) {
            low[c] = std::min(low[c], cell[c]);
            high[c] = std::max(high[c], cell[c]);
        }
    }
    // Number of bits of a cell counted from the smallest.
    [[nodiscard]] int bits(int axis) const
    {
        return static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::int64_t(high[axis]) - low[axis])));
    }
};
// Of no particle.
inline constexpr CellBounds nowhere{{INT32_MAX, INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN, INT32_MIN}};

struct RebuiltBlocks;

// Where this rank's particles lie before they are sorted: the first `kept` of them at `indices`, the others
// consecutively from `behind` on. By default none is kept: they are all consecutive.
struct PresentParticles {
    const std::uint32_t* indices = nullptr;
    std::uint32_t kept = 0;
    std::uint32_t behind = 0;

    __device__ std::uint32_t operator[](std::size_t k) const
    {
        return k < kept ? indices[k] : behind + static_cast<std::uint32_t>(k - kept);
    }
};

// Borrowed memory for two indices and two keys per particle.
using LentIndices = std::array<std::uint32_t*, 2>;
using LentKeys = std::array<std::uint64_t*, 2>;

// Sorts: order()[k] is the present index of the particle that belongs at k. No id exceeds largest_id. Keys are in use
// in sort() only, indices for as long as the order is.
class Order {
public:
    void sort(const Four<std::int32_t>* cell, const Kind* kind, const PresentParticles& present, std::size_t count,
              const CellBounds& bounds, std::int32_t largest_id, const LentKeys& keys, const LentIndices& indices,
              cudaStream_t stream);
    // The runs of a batch that are rebuilt, each within its own places: the particle that belongs at the k-th of them.
    // bits: of the cells along each axis, for the run with the most.
    void sort(const Four<std::int32_t>* cell, const Kind* kind, const RebuiltBlocks& blocks, const int (&bits)[3],
              std::int32_t largest_id, const LentKeys& keys, const LentIndices& indices, cudaStream_t stream);
    [[nodiscard]] const std::uint32_t* order() const { return order_; }

private:
    void sort_keys(const LentKeys& keys, const LentIndices& indices, std::size_t count, int bits, cudaStream_t stream);

    DeviceVector<std::uint8_t> scratch_;
    std::uint32_t* order_ = nullptr;
    int current_ = 0;
};

struct ParticleRange {
    std::uint32_t begin;
    std::uint32_t end;
};

namespace detail {

// The smallest index in [0, count) from which on a condition holds throughout; count if there is none.
template <class Holds>
HALFULP_INLINE std::uint32_t first_from(std::uint32_t count, const Holds& holds)
{
    std::uint32_t low = 0;
    std::uint32_t high = count;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (holds(middle)) high = middle;
        else low = middle + 1;
    }
    return low;
}

}  // namespace detail

// The occupied cells and rows of cells of particles in the canonical order, like CellDirectory on the host.
struct DirectoryView {
    const Four<std::int32_t>* cell;  // of the particles
    const std::uint32_t* first;      // particle of each occupied cell, then the number of particles
    const std::uint32_t* row_first;  // cell of each row, then the number of cells
    std::uint32_t cells;
    std::uint32_t rows;

    static constexpr std::uint32_t no_row = 0xffffffffU;

    HALFULP_INLINE const Four<std::int32_t>& of_cell(std::uint32_t k) const { return cell[first[k]]; }

    HALFULP_INLINE std::uint32_t first_particle(std::uint32_t k) const { return first[k]; }  // k <= cells

    // The first of the rows [low, end) at (z, y) or beyond, in ascending order of z and y; `end` if there is none.
    HALFULP_INLINE std::uint32_t lower_row(std::int64_t z, std::int64_t y) const { return lower_row(z, y, 0, rows); }
    HALFULP_INLINE std::uint32_t lower_row(std::int64_t z, std::int64_t y, std::uint32_t low, std::uint32_t end) const
    {
        std::uint32_t high = end;
        while (low < high) {
            const std::uint32_t middle = low + (high - low) / 2;
            const auto& there = of_cell(row_first[middle]);
            if (there.z < z || (there.z == z && there.y < y)) low = middle + 1;
            else high = middle;
        }
        return low;
    }
    HALFULP_INLINE bool is_at(std::uint32_t row, std::int64_t z, std::int64_t y) const
    {
        if (row >= rows) return false;
        const auto& there = of_cell(row_first[row]);
        return there.z == z && there.y == y;
    }
    // The row at (z, y) of the rows [low, end), or no_row.
    HALFULP_INLINE std::uint32_t find_row(std::int64_t z, std::int64_t y, std::uint32_t low, std::uint32_t end) const
    {
        const std::uint32_t row = lower_row(z, y, low, end);
        return row != end && is_at(row, z, y) ? row : no_row;
    }

    // The first row, or cell, whose first particle is at or after an index.
    HALFULP_INLINE std::uint32_t first_row_from(std::uint32_t particle) const
    {
        return detail::first_from(rows, [&](std::uint32_t row) { return first[row_first[row]] >= particle; });
    }
    HALFULP_INLINE std::uint32_t first_cell_from(std::uint32_t particle) const
    {
        return detail::first_from(cells, [&](std::uint32_t k) { return first[k] >= particle; });
    }

    // The first cell of a row at x or beyond, or the next row's. Rows mostly have no gaps, so that guess is tried
    // first.
    HALFULP_INLINE std::uint32_t lower_cell(std::uint32_t row, std::int64_t x) const
    {
        std::uint32_t low = row_first[row];
        std::uint32_t high = row_first[row + 1];
        const std::int64_t guess = low + (x - of_cell(low).x);
        if (guess > low && guess < high) {
            const auto at = static_cast<std::uint32_t>(guess);
            const std::int32_t there = of_cell(at).x;
            if (there >= x) high = at;
            else low = at + 1;
            if (there >= x && of_cell(at - 1).x < x) return at;
        }
        while (low < high) {
            const std::uint32_t middle = low + (high - low) / 2;
            if (of_cell(middle).x < x) low = middle + 1;
            else high = middle;
        }
        return low;
    }
};

class Directory {
public:
    // room: for as many particles, in use only here.
    void build(const Four<std::int32_t>* cell, std::size_t count, const LentIndices& room, cudaStream_t stream);
    // Of the runs of a batch that are rebuilt, one after another. The places without particles after each are a cell
    // and a row of their own.
    void build(const Four<std::int32_t>* cell, const RebuiltBlocks& blocks, const LentIndices& room,
               cudaStream_t stream);
    [[nodiscard]] DirectoryView view() const { return view_; }

private:
    template <class Indices>
    void find_cells(const Four<std::int32_t>* cell, const Indices& indices, std::size_t count, std::uint32_t end,
                    const LentIndices& room, cudaStream_t stream);

    DeviceVector<std::uint32_t> first_;
    DeviceVector<std::uint32_t> row_first_;
    struct Counts {
        std::uint32_t cells;
        std::uint32_t rows;
    };
    DeviceVector<Counts> counts_;
    Pinned<Counts> counts_here_;
    DeviceVector<std::uint8_t> scratch_;
    DirectoryView view_{};
};

}  // namespace halfulp::cuda
