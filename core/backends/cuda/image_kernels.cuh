// Kernels of operations at mirror nodes. A wall without a list of nearby fluid has one thread, which searches the cells
// around its node. A wall with a list (mirror_lists.cuh) has a warp: its threads pick the entries within the support,
// compute the terms of 32 of them at a time, and each thread adds these to its element of the sums in the order of the
// list. Then one thread per wall solves its system.
#pragma once

#include "core/backends/cuda/owned.cuh"
#include "core/backends/cuda/particle_kernels.cuh"
#include "core/backends/mirror_lists.hpp"
#include "core/operations/mirror_walls.hpp"

namespace halfulp::cuda::detail {

template <class Op, class Policy, int D>
__global__ void __launch_bounds__(128)
    over_images(ParticleView<Policy> particles, ParticleConstants<Policy, D> constants, PointConstants<D> points,
                int search_cells, DirectoryView directory, MirrorListsView<D> lists, OwnedView owned,
                const StepReport* report, unsigned long long number)
{
    const std::size_t i = thread_index();
    if (i >= particles.count || !owned.has(i) || is_stopped(report, number)) return;
    const typename Op::template Body<Policy, D> body(particles, constants, points, search_cells);
    if (body.is_fluid(i) || lists.has_entries(i)) return;  // those are gathered by warps
    body.template extrapolate<double>(
        i, [&](const auto& image, const auto& visit) { lists.for_each_near(body, directory, i, image, visit); });
}

inline constexpr int walls_of_a_block = 4;

// The sums of each wall in `wet`: of wall w from sums[w * elements] on, element by element.
template <class Op, bool with_velocity, class Policy, int D>
__global__ void __launch_bounds__(walls_of_a_block* warp)
    gather_at_images(ParticleView<Policy> particles, ParticleConstants<Policy, D> constants, PointConstants<D> points,
                     int search_cells, MirrorListsView<D> lists, const std::uint32_t* wet, std::uint32_t number_wet,
                     double* sums, const StepReport* report, unsigned long long number)
{
    using Body = typename Op::template Body<Policy, D>;
    using Sums = MirroredSums<D, with_velocity>;
    constexpr int elements = Sums::size * Sums::columns;
    static_assert(elements <= warp);
    __shared__ typename Sums::Term terms_of_walls[walls_of_a_block][warp];
    __shared__ std::uint32_t near_walls[walls_of_a_block][2 * warp];
    const unsigned own_warp = threadIdx.x / warp;
    const int lane = static_cast<int>(threadIdx.x % warp);
    const std::size_t w = std::size_t(blockIdx.x) * walls_of_a_block + own_warp;
    if (w >= number_wet || is_stopped(report, number)) return;
    const std::size_t i = wet[w];
    const Body body(particles, constants, points, search_cells);
    const auto image = body.image_of(i);
    if (lists.has_moved(body.skin, i, image)) return;  // solve_at_images searches
    const auto own = body.velocity(i);
    typename Sums::Term* const terms = terms_of_walls[own_warp];
    std::uint32_t* const near = near_walls[own_warp];
    const int row = lane / Sums::columns % Sums::size;
    const int column = lane % Sums::columns;
    double sum = 0;
    // Adds the first `count` entries of `near`, one term per thread.
    const auto add = [&](int count) {
        __syncwarp();
        if (lane < count) {
            typename Body::template Neighbours<double> one;
            body.take(one, near[lane], image);
            body.template for_each_term<with_velocity>(one, own, [&](const auto& term) { terms[lane] = term; });
        }
        __syncwarp();
        for (int k = 0; k < count; ++k) sum = fma(terms[k].weight[row], terms[k].factor[column], sum);
        __syncwarp();
    };
    int count = 0;
    const std::size_t end = lists.first[i + 1];
    for (std::size_t first = lists.first[i]; first < end; first += warp) {
        const std::size_t e = first + static_cast<std::size_t>(lane);
        const std::uint32_t b = e < end ? lists.entries[e] : 0;
        const bool is_near = e < end && body.is_near(b, image);
        const unsigned all_near = __ballot_sync(every_lane, is_near);
        if (is_near) near[count + __popc(all_near & ((1U << lane) - 1))] = b;
        count += __popc(all_near);
        if (count < warp) continue;
        add(warp);
        count -= warp;
        if (lane < count) near[lane] = near[warp + lane];
        __syncwarp();
    }
    add(count);
    if (lane < elements) sums[w * elements + static_cast<std::size_t>(lane)] = sum;
}

template <class Op, bool with_velocity, class Policy, int D>
__global__ void __launch_bounds__(128)
    solve_at_images(ParticleView<Policy> particles, ParticleConstants<Policy, D> constants, PointConstants<D> points,
                    int search_cells, DirectoryView directory, MirrorListsView<D> lists, const std::uint32_t* wet,
                    std::uint32_t number_wet, const double* sums, const StepReport* report, unsigned long long number)
{
    using Sums = MirroredSums<D, with_velocity>;
    constexpr int elements = Sums::size * Sums::columns;
    const std::size_t w = thread_index();
    if (w >= number_wet || is_stopped(report, number)) return;
    const std::size_t i = wet[w];
    const typename Op::template Body<Policy, D> body(particles, constants, points, search_cells);
    const auto image = body.image_of(i);
    if (lists.has_moved(body.skin, i, image)) {
        body.template extrapolate<double>(
            i, [&](const auto& there, const auto& visit) { body.search(there, directory, visit); });
        return;
    }
    Sums all;
    for (int k = 0; k < elements; ++k)
        all.rows[k / Sums::columns][k % Sums::columns] = sums[w * elements + static_cast<std::size_t>(k)];
    body.set(i, all, image, body.velocity(i));
}

}  // namespace halfulp::cuda::detail
