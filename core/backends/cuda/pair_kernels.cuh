// The kernels that look at pairs, as a table of functions that launch them: compiled once for every policy with pair
// loops of its own.
#pragma once

#include "core/backends/cuda/neighbours.cuh"
#include "core/backends/pair_data.hpp"

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
    // As PairLoops has them; the largest of each (signal speed, |du/dt|^2) is raised to at least the pass's own, as the
    // bits of a double.
    void (*smooth_velocity)(const Data& data, const NeighboursView& neighbours, cudaStream_t stream);
    void (*shift_particles)(const Data& data, const NeighboursView& neighbours, cudaStream_t stream);
    void (*density_gradient)(const Data& data, const NeighboursView& neighbours, cudaStream_t stream);
    void (*filter_density)(const Data& data, const NeighboursView& neighbours, cudaStream_t stream);
    void (*extrapolate_walls)(const Data& data, const NeighboursView& neighbours, cudaStream_t stream);
    void (*density_rate)(const Data& data, const NeighboursView& neighbours, unsigned long long* largest,
                         cudaStream_t stream);
    void (*forces)(const Data& data, const NeighboursView& neighbours, unsigned long long* largest,
                   cudaStream_t stream);
};

template <class Policy, int D>
const PairKernels<Policy, D>& pair_kernels();

}  // namespace halfulp::cuda
