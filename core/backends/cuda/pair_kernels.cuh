// The kernels of passes over pairs, as a table of launching functions, compiled once for every policy with pair loops
// of its own.
#pragma once

#include "core/backends/cuda/neighbours.cuh"
#include "core/operations/pair_data.hpp"
#include "core/schemes/operation_list.hpp"

namespace halfulp::cuda {

// The neighbours seen by passes: lists or, where `list.entries` is null, the ranges, searched in every pass.
struct NeighboursView {
    RangesView ranges;
    TargetsView targets;
    Reach reach;
    std::uint32_t largest_words;
    CellBounds bounds;  // of the particles when the ranges were built
    ListView list;
    std::uint32_t count;  // of particles
};

// The destination of neighbour lists.
struct ListTarget {
    FourEntries* entries;
    std::uint64_t capacity;
    std::uint64_t* base;
    std::uint32_t* size;
    unsigned long long* used;  // of the entries required by all lists in fours, counted also beyond the capacity
    std::uint32_t* too_far;    // raised to the index distance of adjacent layers of cells where an entry is too small
    EntryFormat format;
};

template <class Policy, int D>
struct PairKernels {
    using Real = typename Policy::Real;
    using Data = PairData<Real>;
    // For every particle within reach_squared; nothing is written beyond the capacity.
    void (*make_lists)(const Data& data, const NeighboursView& neighbours, const ListTarget& lists,
                       cudaStream_t stream);
    // The pass of each operation over pairs, at its index in the list of operations; null for other operations and
    // those not compiled for the policy. `largest`, if not null, is raised to at least the maximum that its descriptor
    // names, as the bits of a double. dry: over dry walls only; otherwise over the other targets.
    void (*passes[operation_count])(const Data& data, const NeighboursView& neighbours, bool dry,
                                    unsigned long long* largest, cudaStream_t stream);
};

template <class Policy, int D>
const PairKernels<Policy, D>& pair_kernels();

}  // namespace halfulp::cuda
