#pragma once

#include "core/backends/cuda/order.cuh"
#include "core/operations/operation.hpp"

namespace halfulp::cuda {

// What a step tells the host, gathered by the kernels.
struct StepReport {
    unsigned long long signal_speed;  // bits of doubles that are not negative
    unsigned long long acceleration2;
    unsigned long long residual;
    unsigned long long displacement2;  // farthest a particle will be from where the lists were made
    unsigned long long move2;          // longest way of the coming step
    unsigned long long coordinate;     // largest, of global coordinates
    unsigned broken;                   // bit 1 << rule for every rule that some particle broke
    unsigned moved;                    // some particle is in another cell
    unsigned too_far;                  // see ListTarget
    CellBounds bounds;
    unsigned long long list_entries;
};

// Where a maximum that a pass leaves stands in it.
inline unsigned long long* maximum_of(Maximum maximum, StepReport* report)
{
    switch (maximum) {
    case Maximum::none: return nullptr;
    case Maximum::signal_speed: return &report->signal_speed;
    case Maximum::acceleration_squared: return &report->acceleration2;
    case Maximum::residual: return &report->residual;
    }
    return nullptr;
}

}  // namespace halfulp::cuda
