// Neighbours on the device, in the order of core/neighbours: for each occupied cell the ranges of particles within
// reach, in which those of each particle are searched for.
#pragma once

#include "core/backends/cuda/order.cuh"
#include "core/backends/cuda/owned.cuh"
#include "kernels/periodic_image.hpp"

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

// An occupied cell: where its fluid ends, and then its walls.
struct CellSpan {
    std::uint32_t fluid_end;
    std::uint32_t end;
};

// Consecutive occupied cells of a row whose particles may be neighbours, in one word: a word for each row around each
// cell is most of what cells take.
class CellRun {
public:
    static constexpr int count_bits = 3;  // 7 cells at most, as 3 are searched on each side
    static constexpr std::size_t most_cells = std::size_t(1) << (32 - count_bits - 1);

    CellRun() = default;
    // has_fluid: otherwise walls need not look at it. first: below most_cells.
    __device__ CellRun(std::uint32_t first, std::uint32_t count, bool has_fluid)
        : bits_(first << (count_bits + 1) | (has_fluid ? 1U << count_bits : 0U) | count)
    {
    }
    __device__ std::uint32_t first() const { return bits_ >> (count_bits + 1); }
    __device__ std::uint32_t count() const { return bits_ & ((1U << count_bits) - 1); }
    __device__ std::uint32_t end() const { return first() + count(); }
    __device__ bool has_fluid() const { return (bits_ >> count_bits & 1U) != 0; }
    // Whether a target has to look at it: not, where it is empty, and a wall not, where it has no fluid.
    __device__ bool concerns(bool wall) const { return wall ? has_fluid() : bits_ != 0; }

private:
    std::uint32_t bits_;
};

// The ranges of particles within reach of each occupied cell, slot by slot.
struct RangesView {
    const CellRun* runs;           // [slot * cells + cell]
    const std::uint32_t* first;    // particle of each cell, then the number of particles
    const std::uint32_t* cell_of;  // of each particle
    std::uint32_t cells;
    // Of each particle, where there are no lists: twice its cell's x modulo 2^32, plus 1 for a wall.
    const std::uint32_t* tags;

    __device__ CellRun run(int slot, std::uint32_t cell) const { return runs[std::size_t(slot) * cells + cell]; }
    __device__ ParticleRange particles(CellRun run) const { return {first[run.first()], first[run.end()]}; }
};

// The targets of passes over pairs, in the order in which threads take them: the fluid from `fluid_begin`, from
// `walls_begin` the walls with fluid within reach of their cell, then dry walls. Within each kind the order follows a
// space-filling curve through the cells, so that the threads of a block share neighbours; targets that other ranks wait
// for come first, alone from the kind's first target to its edge_end, a multiple of a warp or the kind's end, before
// which a few others may lie. No bit depends on it.
struct TargetsView {
    const std::uint32_t* particle;  // at each target; undefined between fluid_end and walls_begin, where lists align
    std::uint32_t fluid_end;
    std::uint32_t walls_begin;
    std::uint32_t walls_end;
    std::uint32_t dry_end;
    std::uint32_t fluid_edge_end = 0;
    std::uint32_t walls_edge_end = 0;
};

// The ends of a run's targets of each kind (TargetsView), from its first place.
struct RunTargets {
    std::uint32_t fluid_end;
    std::uint32_t walls_begin;
    std::uint32_t walls_end;
    std::uint32_t dry_end;
};

// The ends of the targets that other ranks wait for.
struct EdgeTargets {
    std::uint32_t fluid_end;
    std::uint32_t walls_end;
};

class Ranges {
public:
    // The bytes that build() needs temporarily in `ordering`, which begins at a multiple of 16.
    static std::size_t bytes_to_order(std::size_t cells);
    // The particles are in the canonical order, within the bounds. The directory's memory is in use until the next
    // build(). owned: a cell belongs to one rank, and only own particles are targets.
    void build(const DirectoryView& directory, const Reach& reach, const Kind* kind, const OwnedView& owned,
               std::size_t count, const CellBounds& bounds, std::byte* ordering, cudaStream_t stream);
    // Of the runs of a batch that are rebuilt, in whose places the particles and targets of `count` places lie;
    // targets: of all runs. rows, images: of their reach; bits: of the cells of a run along the axis with the most.
    void build(const DirectoryView& directory, const RebuiltBlocks& blocks, int rows, int images, const Kind* kind,
               std::size_t count, int bits, RunTargets* targets, std::byte* ordering, cudaStream_t stream);
    // Tags the particles, for whoever visits neighbours without lists.
    void tag(const Four<std::int32_t>* cell, const Kind* kind, std::size_t count, cudaStream_t stream);
    [[nodiscard]] RangesView view() const { return {runs_.data(), first_, cell_of_.data(), cells_, tags_.data()}; }
    // Of one run, or the particles at the targets of all runs.
    [[nodiscard]] const TargetsView& targets() const { return targets_; }
    [[nodiscard]] const std::uint32_t* target_particles() const { return particle_.data(); }
    // Words of the bits of all candidates (candidate_bits.cuh), in the cell with the most.
    [[nodiscard]] std::uint32_t largest_words() const { return found_here_->largest_words; }
    [[nodiscard]] std::uint32_t packed_words() const { return found_here_->packed_words; }

private:
    struct OrderingMemory;
    template <class Owners>
    void build_for(const DirectoryView& directory, const Owners& owners, int rows_around, int images, const Kind* kind,
                   const OwnedView& owned, std::size_t count, int bits, int bits_of_rank, std::byte* ordering,
                   cudaStream_t stream);
    template <class Owners>
    void order_targets(const DirectoryView& directory, const Owners& owners, const OwnedView& owned, std::size_t count,
                       int bits, int bits_of_rank, const OrderingMemory& memory, cudaStream_t stream);

    DeviceVector<std::uint32_t> neighbour_rows_;
    DeviceVector<CellRun> runs_;
    const std::uint32_t* first_ = nullptr;  // of the directory
    DeviceVector<std::uint32_t> cell_of_;
    DeviceVector<std::uint32_t> tags_;
    DeviceVector<std::uint8_t> scratch_;
    DeviceVector<std::uint32_t> particle_;
    // Counted on the device, for the host.
    struct Found {
        RunTargets targets;  // of one run, as the next
        EdgeTargets edge;
        std::uint32_t largest_words;
        std::uint32_t packed_words;
    };
    DeviceVector<Found> found_;
    Pinned<Found> found_here_;
    TargetsView targets_{};
    std::uint32_t cells_ = 0;
};

// Block size and shared memory of a search, in which every thread keeps a bit for each of its candidates.
struct SearchShape {
    int threads;
    std::size_t shared_bytes;
};
SearchShape search_shape(std::uint32_t largest_words);
// Leaves room for a few blocks on a multiprocessor; more only where there are too many candidates for that.
inline constexpr std::size_t comfortable_shared_bytes = 64 * 1024;

}  // namespace halfulp::cuda
