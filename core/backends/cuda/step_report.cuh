#pragma once

#include "core/backends/cuda/order.cuh"
#include "core/operations/operation.hpp"

namespace halfulp::cuda {

// Results of a step for the host, gathered by the kernels.
struct StepReport {
    unsigned long long signal_speed;  // bits of doubles that are not negative
    unsigned long long acceleration2;
    unsigned long long residual;
    unsigned long long displacement2;  // largest coming distance of a particle from its position in the lists
    unsigned long long move2;          // largest displacement in the coming step
    unsigned long long coordinate;     // largest, of global coordinates
    unsigned long long deviation;      // largest coming one of a particle from its course (core/neighbours/course.hpp)
    unsigned long long broken_in;      // the complement of the number of the operation that broke the first rule; or 0
    unsigned broken;                   // bit_of every rule that some particle broke
    unsigned moved;                    // some particle is in another cell
    unsigned too_far;                  // see ListTarget
    CellBounds bounds;
    unsigned long long list_words;  // see ListTarget
    unsigned long long work;        // neighbours in the lists of a rank
};

// The member for a maximum left by a pass.
__host__ __device__ inline unsigned long long* maximum_of(Maximum maximum, StepReport* report)
{
    switch (maximum) {
    case Maximum::none: return nullptr;
    case Maximum::signal_speed: return &report->signal_speed;
    case Maximum::acceleration_squared: return &report->acceleration2;
    case Maximum::residual: return &report->residual;
    }
    return nullptr;
}

inline constexpr int kinds_of_maxima = 1 + static_cast<int>(Maximum::residual);

// The values with which the maxima that passes raise begin, on the device, by Maximum; null leaves a maximum as it is.
struct StartOfMaxima {
    const unsigned long long* value[kinds_of_maxima];
};

// The displacements beyond which the neighbour lists are no longer valid, as the device decides when it writes a
// report. Passes and operations that change the state are then held: they do nothing until the host has had the lists
// made anew, as if an operation before all others had broken a rule.
struct HoldBeyond {
    bool asked = false;
    double displacement2 = 0;  // more than that; or
    double deviation = 0;
};

inline constexpr unsigned long long holding = ~0ULL;  // as StepReport::broken_in
// Passes and operations that change the state do nothing after a broken rule, or while they are held.
__device__ inline bool stops_passes(const StepReport& report) { return report.broken_in != 0; }

// Where an operation leaves its maxima; null for those that it does not have.
struct LargestOf {
    unsigned long long* value[most_maxima];
};
__host__ __device__ inline LargestOf largest_of(const Maxima& maxima, StepReport* report)
{
    return {maximum_of(maxima.value[0], report), maximum_of(maxima.value[1], report)};
}

}  // namespace halfulp::cuda
