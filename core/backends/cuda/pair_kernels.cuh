// The kernels of passes over pairs, as a table of launching functions, compiled once for every policy with pair loops
// of its own.
#pragma once

#include "core/backends/cuda/list_format.cuh"
#include "core/backends/cuda/neighbours.cuh"
#include "core/backends/cuda/runs.cuh"
#include "core/backends/cuda/step_report.cuh"
#include "core/operations/pair_data.hpp"
#include "core/schemes/operation_list.hpp"

namespace halfulp::cuda {

// The targets that a launch visits.
struct TargetSpan {
    std::uint32_t first = 0;
    std::uint32_t end = ~0U;
};

// The neighbours seen by passes: lists, masks of the ranges, or the ranges alone, searched in every pass.
struct NeighboursView {
    RangesView ranges;
    TargetsView targets;
    Reach reach;
    std::uint32_t largest_words;  // of Ranges, as the next
    std::uint32_t packed_words;
    CellBounds bounds;  // of the particles when the ranges were built
    ListView list;
    std::uint32_t count;                 // of particles
    TargetSpan within{};                 // a pass visits no others
    const StepReport* report = nullptr;  // which may stop passes
};

// The runs of a batch, as passes over pairs see them; arrays by run.
template <class Real>
struct PairRuns {
    unsigned blocks;                // of places, of all runs
    const std::uint32_t* of_block;  // the run of each
    const PlaceOfRun* places;
    const StepOfRun* steps;
    const PairConstantsOfRun<Real>* constants;
    const InertialForce* inertial;
    StepReport* reports;
    const RunTargets* targets;
    const std::uint32_t* target;  // particles, from each run's first place
    ListPlace* list_places;       // of each warp of targets, from the run's first words
    std::uint32_t* list_lengths;  // in neighbours, of each target's list
    WarpWords* words;             // of all runs
    const RunWords* words_of;

    // Neighbour lists only.
    __device__ NeighboursView neighbours(std::uint32_t run) const
    {
        const std::uint32_t begin = places[run].begin;
        NeighboursView view{};
        view.targets = {target + begin, targets[run].fluid_end, targets[run].walls_begin, targets[run].walls_end,
                        targets[run].dry_end};
        view.list = {KeptNeighbours::lists,
                     words + words_of[run].begin,
                     list_places + begin / warp,
                     list_lengths + begin,
                     {.layer = 0}};
        return view;
    }
    __device__ PairData<Real> data(const PairData<Real>& common, std::uint32_t run) const
    {
        PairData<Real> own = common;
        own.parameters = constants[run].parameters;
        own.reach_squared = constants[run].reach_squared;
        own.centre = constants[run].centre;
        own.period = constants[run].period;
        own.poses = constants[run].poses;
        if (common.physics.moving_frame) own.inertial = inertial[run];
        return own;
    }
};

// The runs of a batch whose lists are made, and the ranges in which to search.
template <class Real>
struct RebuiltRuns {
    PairRuns<Real> runs;
    RebuiltBlocks blocks;
    RangesView ranges;
    std::uint32_t packed_words;  // of Ranges
    CellBounds widest;           // has the largest extent along each axis of any run
    Real reach_squared;          // with a margin, where the test of candidates needs one; or 0
};

template <class Policy, int D>
struct PairKernels {
    using Real = typename Policy::Real;
    using Data = PairData<Real>;
    // For every particle within reach_squared; nothing is written beyond the capacity. moves: null or, where
    // follows_courses, those of the particles' courses, along which a pair may come within reach_squared.
    void (*make_lists)(const Data& data, const NeighboursView& neighbours, const ListTarget& lists,
                       const Four<Real>* moves, cudaStream_t stream);
    bool (*follows_courses)(const CellBounds& bounds);
    // The pass of each operation over pairs, at its index in the list of operations; null for other operations and
    // those not compiled for the policy. `largest`, where not null, are raised to at least the maxima that its
    // descriptor names, as the bits of doubles. dry: over dry walls only; otherwise over the other targets.
    using Pass = void (*)(const Data& data, const NeighboursView& neighbours, bool dry, const LargestOf& largest,
                          cudaStream_t stream);
    Pass passes[operation_count];

    // The same for the runs of a batch; `common` has what they share. Passes visit all targets, dry walls included.
    void (*make_lists_of_runs)(const Data& common, const RebuiltRuns<Real>& rebuilt, cudaStream_t stream);
    using PassOfRuns = void (*)(const Data& common, const PairRuns<Real>& runs, const Maxima& maxima,
                                cudaStream_t stream);
    PassOfRuns passes_of_runs[operation_count];
};

template <class Policy, int D>
const PairKernels<Policy, D>& pair_kernels();

}  // namespace halfulp::cuda
