// The loops over the particles of a batch: a block of threads for each block of places, with the constants of its run.
#pragma once

#include "core/backends/cuda/ledger.cuh"
#include "core/backends/cuda/particle_kernels.cuh"
#include "core/backends/cuda/runs.cuh"

namespace halfulp::cuda {

// The runs of a batch, as operations on particles see them; arrays by run.
template <class Policy, int D>
struct ParticleRuns {
    unsigned blocks;                // of places, of all runs
    const std::uint32_t* of_block;  // the run of each
    const PlaceOfRun* places;
    const StepOfRun* steps;
    const ParticleConstants<Policy, D>* constants;
    StepReport* reports;
};

// An element of a particle's state, for sorting: its array, its size, and the bytes of those before it.
struct StateArray {
    std::uint8_t* data;
    std::uint32_t size;
    std::uint32_t before;
};

namespace detail {

// The part of a step that an operation covers in a run (interval_of).
template <class Real>
__device__ Interval<Real> interval_in(const StepOfRun& step, double fraction, bool booked)
{
    return {static_cast<Real>(fraction * step.length), !(fraction < 1), booked};
}

template <class Op, class Policy, int D>
__global__ void __launch_bounds__(run_block)
    over_particles_of_runs(ParticleView<Policy> particles, ParticleRuns<Policy, D> runs, double fraction, bool booked,
                           unsigned long long number)
{
    const std::uint32_t run = runs.of_block[blockIdx.x];
    if (runs.steps[run].at_work == 0) return;
    const std::size_t i = thread_index();
    const PlaceOfRun place = runs.places[run];
    StepReport* const report = &runs.reports[run];
    if (i >= place.begin + place.count || is_stopped(report, number)) return;
    const auto interval = interval_in<typename Policy::Real>(runs.steps[run], fraction, booked);
    perform_by_rule<Op>(particles, runs.constants[run], i, interval, report, number);
}

template <bool walls, class Policy, int D>
__global__ void __launch_bounds__(run_block)
    measure_moves_of_runs(ParticleView<Policy> particles, ParticleRuns<Policy, D> runs, double fraction, bool global)
{
    const std::uint32_t run = runs.of_block[blockIdx.x];
    if (runs.steps[run].at_work == 0) return;
    const std::size_t i = thread_index();
    const PlaceOfRun place = runs.places[run];
    const auto interval = interval_in<typename Policy::Real>(runs.steps[run], fraction, true);
    measure_move<walls>(particles, runs.constants[run], i, i < place.begin + place.count, true, interval.length, global,
                        {}, &runs.reports[run]);
}

template <class Policy, int D>
__global__ void __launch_bounds__(run_block)
    settle_runs(ParticleView<Policy> particles, ParticleRuns<Policy, D> runs, RebuiltBlocks blocks)
{
    const std::uint32_t i = blocks.begin[blockIdx.x] + threadIdx.x;
    const RebuiltRun& own = blocks.run_at(blocks.begin[blockIdx.x]);
    settle_in_cell(particles, runs.constants[own.run], i, i < own.begin + own.count, &runs.reports[own.run]);
}

// The state of particles in their new order, array by array, and back into their places.
template <class Number>
__device__ void copy_as(const void* from, void* to)
{
    *static_cast<Number*>(to) = *static_cast<const Number*>(from);
}
__device__ inline void copy_element(std::uint32_t size, const std::uint8_t* from, std::uint8_t* to)
{
    switch (size) {
    case 1: return copy_as<std::uint8_t>(from, to);
    case 4: return copy_as<std::uint32_t>(from, to);
    case 8: return copy_as<std::uint64_t>(from, to);
    case 16: return copy_as<uint4>(from, to);
    case 32: copy_as<uint4>(from, to); return copy_as<uint4>(from + 16, to + 16);
    default: return;
    }
}
template <bool back>
__global__ void move_state(const StateArray* arrays, const std::uint32_t* order, RebuiltBlocks blocks,
                           std::uint8_t* sorted)
{
    const StateArray array = arrays[blockIdx.y];
    const std::size_t k = thread_index();
    const std::size_t count = std::size_t(blocks.count) * run_block;
    std::uint8_t* const there = sorted + array.before * count + k * array.size;
    if (back) copy_element(array.size, there, array.data + std::size_t(blocks.place(k)) * array.size);
    else copy_element(array.size, array.data + std::size_t(order[k]) * array.size, there);
}

template <class Element>
__global__ void copy_rebuilt(const Element* from, Element* to, RebuiltBlocks blocks)
{
    const std::uint32_t place = blocks.place(thread_index());
    to[place] = from[place];
}

// Before the cells of rebuilt runs are settled, or before their lists are made.
static __global__ void begin_rebuild(StepReport* reports, RebuiltBlocks blocks, bool settles)
{
    const std::size_t rank = thread_index();
    if (rank >= blocks.ranks) return;
    StepReport& report = reports[blocks.runs[rank].run];
    report.list_words = 0;
    report.too_far = 0;
    if (!settles) return;
    report.moved = 0;
    for (int c = 0; c < 3; ++c) {
        report.bounds.low[c] = INT32_MAX;
        report.bounds.high[c] = INT32_MIN;
    }
}

// The ledgers of some runs, a row of the grid for each; totals has a buffer for each.
template <class Policy, int D>
__global__ void sum_ledgers(ParticleView<Policy> particles, ParticleRuns<Policy, D> runs,
                            const LedgerConstants<D>* constants, const std::uint32_t* which, LedgerBuffer* totals)
{
    const std::uint32_t run = which[blockIdx.y];
    const PlaceOfRun place = runs.places[run];
    add_particles<Policy, D>(particles, place.begin, place.begin + place.count, {}, runs.constants[run].domain,
                             constants[run], &totals[blockIdx.y]);
}

}  // namespace detail

}  // namespace halfulp::cuda
