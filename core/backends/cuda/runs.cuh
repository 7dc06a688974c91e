// The runs of a batch on the device: their places in common arrays, their own constants, steps and reports, and those
// of them whose neighbour lists are rebuilt.
//
// The particles of each run lie together, from a multiple of run_block on, so that a block of threads belongs to one
// run and reads its constants once; likewise its targets. After them come places without a particle, whose cell is
// beyond all others and whose id is -1: they end the run's last row of cells, and a warp may end with them.
#pragma once

#include "core/backends/cuda/order.cuh"
#include "core/setup/cell_position.hpp"
#include "kernels/parameters.hpp"

namespace halfulp {
struct Pose;
}

namespace halfulp::cuda {

struct Reach;

inline constexpr std::uint32_t run_block = 128;

// The number of places of a run with `count` particles: a warp more, since its targets may leave a gap between fluid
// and walls.
constexpr std::uint32_t places_for(std::size_t count)
{
    return static_cast<std::uint32_t>((count + warp + run_block - 1) / run_block) * run_block;
}

inline constexpr Four<std::int32_t> no_particle{INT32_MAX, INT32_MAX, INT32_MAX, -1};

struct PlaceOfRun {
    std::uint32_t begin;
    std::uint32_t count;  // of particles
};

// What a run does in the operations that are carried out at present.
struct StepOfRun {
    double length;          // time units
    std::uint32_t at_work;  // whether it takes part
};

// A run's part of the memory of lists, in WarpWords.
struct RunWords {
    std::uint64_t begin;
    std::uint64_t capacity;
};

// The constants of passes over pairs that differ between the runs of a batch.
template <class Real>
struct PairConstantsOfRun {
    Parameters<3, float> parameters;
    Real reach_squared;
    CellPosition centre;
    std::array<std::int32_t, 3> period;
    const Pose* poses;
};

struct RebuiltRun {
    std::uint32_t run;
    std::uint32_t begin;
    std::uint32_t count;
    CellBounds bounds;
};

// The blocks of places of all runs that are rebuilt, one after another, and these runs; `rank` is a run's index among
// them.
struct RebuiltBlocks {
    const std::uint32_t* begin;  // first place of each block
    std::uint32_t count;
    const RebuiltRun* runs;
    const Reach* reach;
    std::uint32_t ranks;
    const std::uint32_t* of_block;  // of each block of all runs: its run
    const std::uint32_t* rank;      // of each run, if it is rebuilt

    // The index of the k-th of these places.
    __device__ std::uint32_t place(std::size_t k) const
    {
        return begin[k / run_block] + static_cast<std::uint32_t>(k % run_block);
    }
    __device__ std::uint32_t rank_at(std::uint32_t place) const { return rank[of_block[place / run_block]]; }
    __device__ const RebuiltRun& run_at(std::uint32_t place) const { return runs[rank_at(place)]; }
};

}  // namespace halfulp::cuda
