#include "validation/strategies/cuda/pair_kernels.cuh"
#include "validation/strategies/lists/lists.hpp"

namespace halfulp::strategies {

namespace {

constexpr int threads = 128;

struct View {
    const Four<float>* place;
    const Four<float>* motion;
    const Four<std::int32_t>* cell;
    const std::uint32_t* target;
    const std::uint8_t* fluid;
    const std::uint64_t* first;
    const std::uint32_t* length;
    const std::uint32_t* fluid_length;
    const std::uint32_t* entries;
};

// What a launch takes of each list.
enum class Entries { all, fluid, walls };

// Calls visit for entries [begin, end) of target t. chunk: entries that lie together, of 32 targets; 0: a list is
// contiguous.
template <int chunk, class Visit>
__device__ void for_entries(const View& view, std::uint32_t t, std::uint32_t begin, std::uint32_t end, Visit visit)
{
    if constexpr (chunk == 0) {
        const std::uint32_t* const list = view.entries + view.first[t];
#pragma unroll 1
        for (std::uint32_t k = begin; k < end; ++k) visit(list[k]);
    } else if constexpr (chunk == 1) {
        const std::uint32_t* const list = view.entries + view.first[t / cuda::warp] + t % cuda::warp;
#pragma unroll 1
        for (std::uint32_t k = begin; k < end; ++k) visit(__ldcs(list + std::size_t(k) * cuda::warp));
    } else {
        using Chunk = std::conditional_t<chunk == 2, uint2, uint4>;
        const auto* const list =
            reinterpret_cast<const Chunk*>(view.entries + view.first[t / cuda::warp]) + t % cuda::warp;
#pragma unroll 1
        for (std::uint32_t k = begin; k < end; k += chunk) {
            const Chunk some = __ldcs(list + std::size_t(k / chunk) * cuda::warp);
            visit(some.x);
            if (k + 1 < end) visit(some.y);
            if constexpr (chunk == 4) {
                if (k + 2 < end) visit(some.z);
                if (k + 3 < end) visit(some.w);
            }
        }
    }
}

// Targets first .. end - 1. with_force: what targets are known to be, 0 walls and 1 fluid; 2: either.
template <class Sum, int chunk, int with_force, Entries part, int blocks>
__global__ void __launch_bounds__(threads, blocks)
    sum_over_lists(const View view, const PairPhysics<Kernel> physics, std::uint32_t first, std::uint32_t end,
                   Four<float>* sums)
{
    const std::uint32_t t = first + static_cast<std::uint32_t>(cuda::thread_index());
    if (t >= end) return;
    const std::uint32_t a = view.target[t];
    const bool fluid = with_force == 2 ? view.fluid[t] != 0 : with_force == 1;
    const Four<float> here = view.place[a];
    const Four<std::int32_t> in = view.cell[a];
    const Four<float> u = view.motion[a];
    const MomentumState<3, float> state{{{u.x, u.y, u.z}}, here.w, {u.w}};
    Sum force[3];
    Sum rate;
    if constexpr (part == Entries::walls) {
        for (int c = 0; c < 3; ++c) force[c].add(sums[t][c]);
        rate.add(sums[t].w);
    }
    const auto visit = [&](std::uint32_t b) {
        const Four<float> there = view.place[b];
        const Four<float> v = view.motion[b];
        const Vec<3, float> r = separation_of(here, there, in, view.cell[b]);
        const PairTerms<float> terms =
            physics.of<float, Part::both>(r, state, {{{v.x, v.y, v.z}}, there.w, {v.w}}, physics.parameters);
        if (fluid)
            for (int c = 0; c < 3; ++c) force[c].add(terms.force[c]);
        rate.add(terms.rate);
    };
    for_entries<chunk>(view, t, part == Entries::walls ? view.fluid_length[t] : 0,
                       part == Entries::fluid ? view.fluid_length[t] : view.length[t], visit);
    sums[t] = {force[0].value(), force[1].value(), force[2].value(), rate.value()};
}

}  // namespace

ListsEvaluated evaluate_on_device(const Problem& problem, const CanonicalLists& lists, const ListStrategy& strategy,
                                  double seconds)
{
    const LaidOut at = lay_out(lists, strategy, cuda::warp);
    const Uploaded<Four<float>> place(at.place);
    const Uploaded<Four<float>> motion(at.motion);
    const Uploaded<Four<std::int32_t>> cell(at.cell);
    const Uploaded<std::uint32_t> target(at.target);
    const Uploaded<std::uint8_t> fluid(at.fluid);
    const Uploaded<std::uint64_t> first(at.first);
    const Uploaded<std::uint32_t> length(at.length);
    const Uploaded<std::uint32_t> fluid_length(at.fluid_length);
    const Uploaded<std::uint32_t> entries(at.entries);
    const View view{place.data(), motion.data(), cell.data(),         target.data(), fluid.data(),
                    first.data(), length.data(), fluid_length.data(), entries.data()};
    const PairPhysics<Kernel> physics{problem.physics, problem.parameters, reach_squared(problem)};
    const auto targets = static_cast<std::uint32_t>(at.target.size());
    DeviceVector<Four<float>> sums(targets);
    ListsEvaluated result;
    const auto launch = [&](auto kernel, std::uint32_t from, std::uint32_t end) {
        cudaFuncAttributes attributes{};
        check(cudaFuncGetAttributes(&attributes, kernel), "asking for a kernel");
        if (result.registers == 0) result.registers = attributes.numRegs;
        if (from < end) kernel<<<blocks_for(end - from, threads), threads>>>(view, physics, from, end, sums.data());
    };
    const auto sum = [&]<class Sum, int chunk, int blocks>() {
        result.seconds = fastest_of(seconds, [&] {
            if (strategy.split) {
                if constexpr (chunk == 1 && blocks == 1) {
                    launch(sum_over_lists<Sum, 1, 1, Entries::fluid, 1>, 0, at.walls_begin);
                    launch(sum_over_lists<Sum, 1, 1, Entries::walls, 1>, 0, at.walls_begin);
                    launch(sum_over_lists<Sum, 1, 0, Entries::all, 1>, at.walls_begin, targets);
                }
            } else if (strategy.by_kind) {
                launch(sum_over_lists<Sum, chunk, 1, Entries::all, blocks>, 0, at.walls_begin);
                launch(sum_over_lists<Sum, chunk, 0, Entries::all, blocks>, at.walls_begin, targets);
            } else {
                launch(sum_over_lists<Sum, chunk, 2, Entries::all, blocks>, 0, targets);
            }
        });
    };
    const auto with_chunk = [&]<class Sum, int blocks>() {
        switch (strategy.chunk) {
        case 0: return sum.template operator()<Sum, 0, blocks>();
        case 1: return sum.template operator()<Sum, 1, blocks>();
        case 2: return sum.template operator()<Sum, 2, blocks>();
        case 4: return sum.template operator()<Sum, 4, blocks>();
        default: throw input_error("lists are compiled in chunks of 0, 1, 2 and 4 entries.");
        }
    };
    if (strategy.split && (strategy.chunk != 1 || strategy.bounded || !strategy.by_kind))
        throw input_error("split lists are compiled by kind, in chunks of 1 entry and without a bound of registers.");
    if (!strategy.compensated) {
        if (strategy.bounded) throw input_error("plain sums over lists are compiled without a bound of registers.");
        with_chunk.template operator()<PlainSum<float>, 1>();
    } else if (strategy.bounded) {
        with_chunk.template operator()<KbnSum<float>, 10>();
    } else {
        with_chunk.template operator()<KbnSum<float>, 1>();
    }
    result.rates = rates_from(problem, downloaded(sums), at.id);
    result.padding = static_cast<double>(at.entries.size()) / static_cast<double>(lists.neighbours.size());
    return result;
}

}  // namespace halfulp::strategies
