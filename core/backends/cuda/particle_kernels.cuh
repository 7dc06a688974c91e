// The loops over particles: one thread does to one particle what core/particles/particle_operations.hpp says.
#pragma once

#include <cstring>

#include "core/backends/breakdown.hpp"
#include "core/backends/cuda/order.cuh"
#include "core/backends/cuda/step_report.cuh"
#include "core/backends/mirrored_walls.hpp"

namespace halfulp::cuda {

namespace detail {

__device__ inline void report_broken(StepReport* report, Rule rule)
{
    atomicOr(&report->broken, 1U << static_cast<unsigned>(rule));
}

// A kernel that changes the state does nothing once a rule is broken, so that the host finds it as it broke.
__device__ inline bool is_broken(const StepReport* report)
{
    return *static_cast<const volatile unsigned*>(&report->broken) != 0;
}

// A device runs as many threads in a block; a kernel with too many registers for that would not start.
constexpr int largest_block = 1024;

template <class Operations, class Real>
__global__ void __launch_bounds__(largest_block) kick(Operations operations, Real interval, StepReport* report)
{
    const std::size_t i = thread_index();
    if (i >= operations.particles.count || is_broken(report) || !operations.moves(i)) return;
    operations.kick(i, interval);
    if (breaks(operations, Rule::finite_velocity, i, interval)) report_broken(report, Rule::finite_velocity);
}

template <class Operations, class Real>
__global__ void __launch_bounds__(largest_block) drift(Operations operations, Real interval, const StepReport* report)
{
    const std::size_t i = thread_index();
    if (i < operations.particles.count && !is_broken(report) && operations.is_fluid(i)) operations.drift(i, interval);
}

template <class Operations>
__global__ void __launch_bounds__(largest_block)
    move_walls(Operations operations, const Pose* poses, const StepReport* report)
{
    const std::size_t i = thread_index();
    if (i < operations.particles.count && !is_broken(report) && operations.is_prescribed(i))
        operations.place_wall(i, poses);
}

template <class Operations, class Real>
__global__ void __launch_bounds__(largest_block)
    book_transport(Operations operations, Real interval, const StepReport* report)
{
    const std::size_t i = thread_index();
    if (i < operations.particles.count && !is_broken(report)) operations.book_transport(i, interval);
}

template <class Operations, class Real>
__global__ void __launch_bounds__(largest_block)
    update_density(Operations operations, Real interval, StepReport* report)
{
    const std::size_t i = thread_index();
    if (i >= operations.particles.count || is_broken(report)) return;
    operations.update_density(i, interval);
    if (breaks(operations, Rule::density_bound, i, interval)) report_broken(report, Rule::density_bound);
}

template <class Operations, class Real>
__global__ void __launch_bounds__(largest_block)
    filter_density(Operations operations, Real interval, const StepReport* report)
{
    const std::size_t i = thread_index();
    if (i < operations.particles.count && !is_broken(report)) operations.filter_density(i, interval);
}

template <class Operations, class Real>
__global__ void __launch_bounds__(largest_block)
    set_wall(Operations operations, Real interval, const StepReport* report)
{
    const std::size_t i = thread_index();
    if (i < operations.particles.count && !is_broken(report)) operations.set_wall(i, interval);
}

template <class Mirrored>
__global__ void mirror_walls(Mirrored walls, DirectoryView directory, const StepReport* report)
{
    const std::size_t i = thread_index();
    if (i >= walls.operations.particles.count || is_broken(report) || walls.operations.is_fluid(i)) return;
    walls.extrapolate(i, [&](const auto& image, auto visit) { walls.search(image, directory, visit); });
}

// Of the fluid, or of walls that move, which takes twice the registers.
template <int D, bool walls, class Operations, class Real>
__global__ void __launch_bounds__(largest_block)
    measure_moves(Operations operations, Real interval, bool global, StepReport* report)
{
    const std::size_t i = thread_index();
    double displacement2 = 0;
    double move2 = 0;
    double coordinate = 0;
    if (i < operations.particles.count) {
        if (walls ? operations.is_prescribed(i) : operations.is_fluid(i)) {
            const auto coming =
                walls ? operations.coming_move_of_wall(i) : operations.coming_move_of_fluid(i, interval);
            displacement2 = coming.displacement2;
            move2 = coming.move2;
            if (!(move2 <= operations.allowed_displacement_squared())) report_broken(report, Rule::short_move);
        }
        if (global) {
            for (int c = 0; c < D; ++c)
                coordinate = larger(coordinate, magnitude(static_cast<double>(operations.particles.offset[i][c])));
        }
    }
    raise(&report->displacement2, displacement2);
    raise(&report->move2, move2);
    if (global) raise(&report->coordinate, coordinate);
}

template <class Operations>
__global__ void __launch_bounds__(largest_block) settle(Operations operations, StepReport* report)
{
    const std::size_t i = thread_index();
    std::int32_t low[3] = {INT32_MAX, INT32_MAX, INT32_MAX};
    std::int32_t high[3] = {INT32_MIN, INT32_MIN, INT32_MIN};
    if (i < operations.particles.count) {
        bool moved = false;
        if (!operations.settle(i, moved)) report_broken(report, Rule::cell_range);
        if (moved && report->moved == 0) report->moved = 1;
        const Four<std::int32_t> cell = operations.particles.cell[i];
        for (int c = 0; c < 3; ++c) low[c] = high[c] = cell[c];
    }
    for (int c = 0; c < 3; ++c) {
        const int smallest = __reduce_min_sync(every_lane, low[c]);
        const int largest = __reduce_max_sync(every_lane, high[c]);
        if (threadIdx.x % warp != 0) continue;
        if (smallest < *static_cast<volatile std::int32_t*>(&report->bounds.low[c]))
            atomicMin(&report->bounds.low[c], smallest);
        if (largest > *static_cast<volatile std::int32_t*>(&report->bounds.high[c]))
            atomicMax(&report->bounds.high[c], largest);
    }
}

template <class T>
__global__ void __launch_bounds__(largest_block)
    gather(const T* from, const std::uint32_t* order, T* to, std::size_t count)
{
    const std::size_t k = thread_index();
    if (k < count) to[k] = from[order[k]];
}

inline double number_of(unsigned long long bits)
{
    double value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

}  // namespace detail

}  // namespace halfulp::cuda
