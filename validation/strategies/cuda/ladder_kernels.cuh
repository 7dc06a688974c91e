// Sums over pairs, a thread a particle, over the candidates in the cells around it.
#pragma once

#include "validation/strategies/cuda/ladder_particles.cuh"

namespace halfulp::strategies {

constexpr int usual_block = 256;
constexpr int staged_block = 64;

struct Ranges {
    Range fluid;
    Range walls;
};

struct Grid {
    const std::uint32_t* fluid;  // the first of each cell, and the number
    const std::uint32_t* walls;
    const std::uint32_t* cell_of;  // of each particle
    const Ranges* ranges;          // of the rows around each cell
    std::int32_t row;              // cells in a row
    std::int32_t layer;            // cells in a layer of rows
};

// What a kernel computes of its targets, and from which candidates.
enum class Targets {
    any,    // forces and density rates from one kind, added to what is there
    fluid,  // forces and density rates, from fluid and walls
    walls,  // density rates, from fluid
};

__device__ inline Range candidates(Kind kind, const Grid& grid, std::int32_t cell)
{
    const std::uint32_t* const first = kind == Kind::fluid ? grid.fluid : grid.walls;
    return {first[cell], first[cell + 1]};
}

template <int n, Search search, class Visit>
__device__ void for_candidates(const Grid& grid, std::int32_t cell, Kind kind, Visit visit)
{
    if constexpr (search == Search::cells) {
        for (int k = -n; k <= n; ++k)
            for (int j = -n; j <= n; ++j)
                for (int i = -n; i <= n; ++i) visit(candidates(kind, grid, cell + i + j * grid.row + k * grid.layer));
    } else {
        constexpr int rows = (2 * n + 1) * (2 * n + 1);
        const Ranges* const ranges = grid.ranges + std::size_t(cell) * rows;
        for (int k = 0; k < rows; ++k) visit(kind == Kind::fluid ? ranges[k].fluid : ranges[k].walls);
    }
}

template <class Sum>
struct TargetSums {
    Sum force[3];
    Sum rate;

    __device__ void add(const PairTerms<float>& terms, bool with_force)
    {
        if (with_force)
            for (int c = 0; c < 3; ++c) force[c].add(terms.force[c]);
        rate.add(terms.rate);
    }
    __device__ Four<float> value() const
    {
        return {force[0].value(), force[1].value(), force[2].value(), rate.value()};
    }
};

// Targets first .. first + count - 1; kind: of the candidates, where the targets are any.
template <class Particles, class Sum, int n, Search search, Targets targets>
__global__ void interact(const Particles particles, const Grid grid, const PairPhysics<Kernel> physics,
                         std::uint32_t first, std::uint32_t count, Kind kind, Four<float>* results)
{
    const auto t = static_cast<std::uint32_t>(cuda::thread_index());
    if (t >= count) return;
    const std::uint32_t a = first + t;
    const auto here = particles.place(a);
    const auto state = particles.state(a, here);
    TargetSums<Sum> sums;
    if constexpr (targets == Targets::any) {
        const Four<float> before = results[a];
        for (int c = 0; c < 3; ++c) sums.force[c].sum = before[c];
        sums.rate.sum = before.w;
    }
    const auto visit = [&](const Range& range) {
        for (std::uint32_t b = range.begin; b < range.end; ++b) {
            const auto there = particles.place(b);
            const Vec<3, float> r = Particles::separation(here, there);
            if (!(dot(r, r) < physics.reach_squared) || a == b) continue;
            sums.add(Particles::pair(physics, r, state, particles.state(b, there)), targets != Targets::walls);
        }
    };
    const auto cell = static_cast<std::int32_t>(grid.cell_of[a]);
    for_candidates<n, search>(grid, cell, targets == Targets::any ? kind : Kind::fluid, visit);
    if constexpr (targets == Targets::fluid) for_candidates<n, search>(grid, cell, Kind::wall, visit);
    results[a] = sums.value();
}

// A block for each cell that has targets: its threads take the cell's targets, and read candidates together.
template <class Sum, int n, Targets targets>
__global__ void __launch_bounds__(staged_block)
    interact_staged(const TwoArrays<false> particles, const Grid grid, const PairPhysics<Kernel> physics,
                    const std::uint32_t* occupied, Four<float>* results)
{
    __shared__ Four<float> places[staged_block];
    __shared__ Four<float> motions[staged_block];
    const auto cell = static_cast<std::int32_t>(occupied[blockIdx.x]);
    const Range own = candidates(targets == Targets::walls ? Kind::wall : Kind::fluid, grid, cell);
    for (std::uint32_t base = own.begin; base < own.end; base += staged_block) {
        const std::uint32_t a = base + threadIdx.x;
        const bool wanted = a < own.end;
        const std::uint32_t some = wanted ? a : own.begin;
        const Four<float> here = particles.place(some);
        const auto state = particles.state(some, here);
        TargetSums<Sum> sums;
        const auto visit = [&](const Range& range) {
            for (std::uint32_t begin = range.begin; begin < range.end; begin += staged_block) {
                const std::uint32_t mine = begin + threadIdx.x;
                __syncthreads();
                if (mine < range.end) {
                    places[threadIdx.x] = particles.places[mine];
                    motions[threadIdx.x] = particles.motions[mine];
                }
                __syncthreads();
                const std::uint32_t end = min(range.end - begin, static_cast<std::uint32_t>(staged_block));
                if (!wanted) continue;
                for (std::uint32_t k = 0; k < end; ++k) {
                    const Vec<3, float> r = TwoArrays<false>::separation(here, places[k]);
                    if (!(dot(r, r) < physics.reach_squared) || begin + k == a) continue;
                    const Four<float> u = motions[k];
                    const MomentumState<3, float> there{{{u.x, u.y, u.z}}, places[k].w, {u.w}};
                    sums.add(TwoArrays<false>::pair(physics, r, state, there), targets != Targets::walls);
                }
            }
        };
        for_candidates<n, Search::ranges>(grid, cell, Kind::fluid, visit);
        if constexpr (targets == Targets::fluid) for_candidates<n, Search::ranges>(grid, cell, Kind::wall, visit);
        if (wanted) results[a] = sums.value();
    }
}

}  // namespace halfulp::strategies
