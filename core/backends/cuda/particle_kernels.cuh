// The loops over particles: one thread applies an operation (core/operations) to one particle.
#pragma once

#include <cstring>

#include "core/backends/cuda/order.cuh"
#include "core/backends/cuda/owned.cuh"
#include "core/backends/cuda/step_report.cuh"
#include "core/neighbours/course.hpp"
#include "core/operations/operations.hpp"
#include "core/operations/perform.hpp"
#include "core/particles/particle_tracking.hpp"

namespace halfulp::cuda {

namespace detail {

// number: the operation's number in order, from 1; 0 if the host checks the report before the next operation.
__device__ inline void report_broken(StepReport* report, unsigned rules, unsigned long long number = 0)
{
    atomicOr(&report->broken, rules);
    atomicMax(&report->broken_in, ~number);
}

// Whether an operation that changes the state must do nothing: after an earlier one has broken a rule, so that the host
// finds the state as it broke (that operation itself is carried out for all particles), or while operations are held.
__device__ inline bool is_stopped(const StepReport* report, unsigned long long number)
{
    const unsigned long long broken_in = *static_cast<const volatile unsigned long long*>(&report->broken_in);
    return broken_in != 0 && ~broken_in < number;
}

// The maximum of threads per block on every device; a kernel with too many registers for that would not start.
constexpr int largest_block = 1024;

// An operation on a particle, and the rules that it keeps.
template <class Op, class Policy, int D>
__device__ void perform_by_rule(const ParticleView<Policy>& particles, const ParticleConstants<Policy, D>& constants,
                                std::size_t i, const Interval<typename Policy::Real>& interval, StepReport* report,
                                unsigned long long number)
{
    perform<Op>(particles, constants, i, interval);
    if constexpr (rules_of<Op> != 0) {
        const ParticleTracking<Policy, D> tracking(particles, constants);
        const unsigned broken = broken_after<Op>(tracking, i, interval.length);
        if (broken != 0) report_broken(report, broken, number);
    }
}

template <class Op, class Policy, int D>
__global__ void __launch_bounds__(largest_block)
    over_particles(ParticleView<Policy> particles, ParticleConstants<Policy, D> constants,
                   Interval<typename Policy::Real> interval, OwnedView owned, StepReport* report,
                   unsigned long long number)
{
    const std::size_t i = thread_index();
    if constexpr (Op::info.leaves(Maximum::residual)) {
        // Every thread of a warp takes part in the maximum.
        const bool there = i < particles.count && owned.has(i) && !is_stopped(report, number);
        raise(&report->residual, there ? perform<Op>(particles, constants, i, interval) : 0.0);
        return;
    }
    if (i >= particles.count || is_stopped(report, number)) return;
    if (owned.has(i)) {
        perform_by_rule<Op>(particles, constants, i, interval, report, number);
    } else {
        interval.booked = false;  // by the owner, who looks at the rule, too
        perform<Op>(particles, constants, i, interval);
    }
}

// An operation on walls alone: of own particles, or of copies, whose owner books the works and looks at the rule.
template <class Op, class Policy, int D>
__global__ void __launch_bounds__(largest_block)
    over_targets(ParticleView<Policy> particles, ParticleConstants<Policy, D> constants,
                 Interval<typename Policy::Real> interval, const std::uint32_t* targets, std::uint32_t count, bool own,
                 StepReport* report, unsigned long long number)
{
    const std::size_t t = thread_index();
    if (t >= count || is_stopped(report, number)) return;
    if (own) {
        perform_by_rule<Op>(particles, constants, targets[t], interval, report, number);
    } else {
        interval.booked = false;
        perform<Op>(particles, constants, targets[t], interval);
    }
}

// Measures the displacement of fluid or of moving walls, which take twice the registers. To be called by all threads of
// a warp; `there` if the particle exists. Copies are measured, too, since lists depend on the courses of others'
// particles.
template <bool walls, class Policy, int D>
__device__ void measure_move(const ParticleView<Policy>& particles, const ParticleConstants<Policy, D>& constants,
                             std::size_t i, bool there, bool own, typename Policy::Real interval, bool global,
                             const CourseView<typename Policy::Real>& course, StepReport* report)
{
    const ParticleTracking<Policy, D> tracking(particles, constants);
    double displacement2 = 0;
    double move2 = 0;
    double coordinate = 0;
    double deviation = 0;
    if (there) {
        if (walls ? tracking.is_prescribed(i) : tracking.is_fluid(i)) {
            const auto coming = walls ? tracking.coming_move_of_wall(i) : tracking.coming_move_of_fluid(i, interval);
            if (own) {
                displacement2 = coming.displacement2;
                move2 = coming.move2;
                if (!(move2 <= tracking.allowed_displacement_squared()))
                    report_broken(report, bit_of(Rule::short_move));
            }
            if (!walls && course.place != nullptr) {
                deviation = deviation_of<D>(course, i, particles.offset[i], tracking.move_of_fluid(i, interval));
            }
        }
        if (global) {
            for (int c = 0; c < D; ++c)
                coordinate = larger(coordinate, magnitude(static_cast<double>(particles.offset[i][c])));
        }
    }
    raise(&report->displacement2, displacement2);
    raise(&report->move2, move2);
    if (global) raise(&report->coordinate, coordinate);
    if (!walls && course.place != nullptr) raise(&report->deviation, deviation);
}

template <bool walls, class Policy, int D>
__global__ void __launch_bounds__(largest_block)
    measure_moves(ParticleView<Policy> particles, ParticleConstants<Policy, D> constants,
                  typename Policy::Real interval, bool global, CourseView<typename Policy::Real> course,
                  OwnedView owned, StepReport* report)
{
    const std::size_t i = thread_index();
    const bool there = i < particles.count;
    measure_move<walls>(particles, constants, i, there, there && owned.has(i), interval, global, course, report);
}

// Begins the course of every particle.
template <class Policy, int D>
__global__ void __launch_bounds__(largest_block)
    begin_course(ParticleView<Policy> particles, ParticleConstants<Policy, D> constants, typename Policy::Real horizon,
                 typename Policy::Real most_bend, Four<typename Policy::Real>* place, Four<typename Policy::Real>* move)
{
    const std::size_t i = thread_index();
    if (i >= particles.count) return;
    const ParticleTracking<Policy, D> tracking(particles, constants);
    place[i] = particles.offset[i];
    move[i] = tracking.course_until(i, horizon, most_bend);
}

// By all threads of a block, for particles that are there.
template <class Policy, int D>
__device__ void settle_in_cell(const ParticleView<Policy>& particles, const ParticleConstants<Policy, D>& constants,
                               std::size_t i, bool there, StepReport* report)
{
    const ParticleTracking<Policy, D> tracking(particles, constants);
    std::int32_t low[3] = {INT32_MAX, INT32_MAX, INT32_MAX};
    std::int32_t high[3] = {INT32_MIN, INT32_MIN, INT32_MIN};
    if (there) {
        bool moved = false;
        if (!tracking.settle(i, moved)) report_broken(report, bit_of(Rule::cell_range));
        if (moved && report->moved == 0) report->moved = 1;
        const Four<std::int32_t> cell = particles.cell[i];
        for (int c = 0; c < 3; ++c) low[c] = high[c] = cell[c];
    }
    // Of the warp, of the block, of all.
    __shared__ CellBounds block;
    if (threadIdx.x < 3) {
        block.low[threadIdx.x] = INT32_MAX;
        block.high[threadIdx.x] = INT32_MIN;
    }
    __syncthreads();
    for (int c = 0; c < 3; ++c) {
        const int smallest = __reduce_min_sync(every_lane, low[c]);
        const int largest = __reduce_max_sync(every_lane, high[c]);
        if (threadIdx.x % warp != 0) continue;
        atomicMin(&block.low[c], smallest);
        atomicMax(&block.high[c], largest);
    }
    __syncthreads();
    if (threadIdx.x < 3) {
        atomicMin(&report->bounds.low[threadIdx.x], block.low[threadIdx.x]);
        atomicMax(&report->bounds.high[threadIdx.x], block.high[threadIdx.x]);
    }
}

template <class Policy, int D>
__global__ void __launch_bounds__(largest_block)
    settle(ParticleView<Policy> particles, ParticleConstants<Policy, D> constants, StepReport* report)
{
    const std::size_t i = thread_index();
    settle_in_cell(particles, constants, i, i < particles.count, report);
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
