// The kernels that look at pairs, as a table of functions that launch them: compiled once for every policy with pair
// loops of its own.
#pragma once

#include "core/backends/cuda/neighbours.cuh"
#include "core/operations/pair_data.hpp"
#include "core/schemes/operation_list.hpp"

namespace halfulp::cuda {

// What the passes look at: lists, or, where `list.entries` is null, the ranges themselves in every pass.
struct NeighboursView {
    RangesView ranges;
    Reach reach;
    std::uint32_t largest_words;
    CellBounds bounds;  // of the particles when the ranges were made
    ListView list;
    std::uint32_t count;  // of particles
};

// Where lists are written to.
struct ListTarget {
    std::uint32_t* entries;
    std::uint64_t capacity;
    std::uint64_t* base;
    std::uint32_t* size;
    unsigned long long* used;  // entries that all lists take, counted also beyond the capacity
    std::uint32_t* too_far;    // raised to the indices from one layer of cells to the next where an entry is too small
    EntryFormat format;
};

template <class Policy, int D>
struct PairKernels {
    using Real = typename Policy::Real;
    using Data = PairData<Real>;
    // Of every particle within reach_squared; nothing is written beyond the capacity.
    void (*make_lists)(const Data& data, const NeighboursView& neighbours, const ListTarget& lists,
                       cudaStream_t stream);
    // What each operation over pairs does, at its place in the list of operations; null for the others, and for those
    // that the policy does not compile. `largest`, where it is not null, is raised to at least the maximum that its
    // descriptor names, as the bits of a double.
    void (*passes[operation_count])(const Data& data, const NeighboursView& neighbours, unsigned long long* largest,
                                    cudaStream_t stream);
};

template <class Policy, int D>
const PairKernels<Policy, D>& pair_kernels();

}  // namespace halfulp::cuda
