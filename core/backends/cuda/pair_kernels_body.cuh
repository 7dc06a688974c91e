// The pair kernels of a policy, included where they are instantiated. One thread per target particle, its neighbours in
// ascending index, as on the host.
#pragma once

#include "core/backends/cuda/list_reader.cuh"
#include "core/backends/cuda/pair_kernels.cuh"
#include "core/backends/cuda/search.cuh"
#include "core/operations/operations.hpp"

namespace halfulp::cuda {

inline constexpr int pass_threads = 128;
// Resident blocks of a pass per multiprocessor, which bounds the registers of a thread: as many as let none be spilled
// (docs/gpu.md).
template <class Pass, class Real>
inline constexpr int pass_blocks = sizeof(Real) == 4 ? 8 : 5;
template <class Policy, int D, class Kernel>
inline constexpr int pass_blocks<ForcesPass<Policy, D, float, Kernel, CompiledForces::general>, float> = 6;
// A fit of second derivatives sums the upper half of a matrix of nine rows in 3D.
template <class Policy>
inline constexpr int pass_blocks<FindLaplacian::Pass<Policy, 3, float>, float> = 3;
// With few blocks a thread may have more registers and reads several neighbours at once: their latency is what
// bounds such a pass. That pays even where more blocks than these, so many times, wait for others (docs/gpu.md).
inline constexpr double most_waves_of_few = 1.6;
template <class Pass, class Real>
inline constexpr int pass_blocks_of_few = pass_blocks<Pass, Real>;
template <class Policy, int D, class Kernel, CompiledForces which>
inline constexpr int pass_blocks_of_few<ForcesPass<Policy, D, float, Kernel, which>, float> =
    which == CompiledForces::general ? pass_blocks<ForcesPass<Policy, D, float, Kernel, which>, float> : 5;
template <class Policy, int D, class Kernel, CompiledDensityRate which>
inline constexpr int pass_blocks_of_few<DensityRatePass<Policy, D, float, Kernel, which>, float> =
    which == CompiledDensityRate::general ? pass_blocks<DensityRatePass<Policy, D, float, Kernel, which>, float> : 5;
template <class Policy, int D, class Kernel>
inline constexpr int pass_blocks_of_few<ExtrapolateWalls::Pass<Policy, D, float, Kernel>, float> = 5;
// Both rates in one pass.
template <class T, class Forces, class DensityRate, class Real>
inline constexpr int pass_blocks<RatesPass<T, Forces, DensityRate>, Real> = sizeof(Real) == 4
                                                                                ? (Forces::every_term ? 5 : 6)
                                                                                : (Forces::every_term ? 3 : 5);
// Passes that have a kernel for each kind of list rather than one for both, which takes longer to compile: those
// specialised to the physics of shipped cases.
template <class Pass, class Real>
inline constexpr bool kernels_for_each_list = pass_blocks_of_few<Pass, Real> < pass_blocks<Pass, Real>;
template <class T, class Forces, class DensityRate, class Real>
inline constexpr bool kernels_for_each_list<RatesPass<T, Forces, DensityRate>, Real> = !Forces::every_term;
// In a batch the constants of a run are in registers, too, and some are spilled: more threads are worth more there
// (docs/gpu.md).
template <class Pass, class Real>
inline constexpr int pass_blocks_of_runs = sizeof(Real) == 4 ? 8 : 5;
template <class T, class Forces, class DensityRate, class Real>
inline constexpr int pass_blocks_of_runs<RatesPass<T, Forces, DensityRate>, Real> = sizeof(Real) == 4
                                                                                        ? (Forces::every_term ? 5 : 8)
                                                                                        : (Forces::every_term ? 3 : 4);

template <class Pass, int D, class Real>
__device__ void visit_neighbour(const Pass& pass, typename Pass::Target& target, const PairData<Real>& data,
                                std::uint32_t b, bool wall, const Four<Real>& shift)
{
    const Four<Real> there = data.offset[b];
    pass.add(target, Neighbour<D, Real>{b, 1, wall, there, target.place.separation(data, b, there, shift)});
}

// Raises the maxima; to be called by all threads of a warp.
template <class Real>
__device__ void raise(const LargestOf& largest, const Largest<Real>& value)
{
    for (int k = 0; k < most_maxima; ++k) {
        if (largest.value[k] != nullptr) raise(largest.value[k], static_cast<double>(value[k]));
    }
}

// The sums of target t over its stored list. The kind of the target is a template argument, which saves a branch per
// pair. ahead: the next four entries are read before the present ones are visited, for which only a pass over few
// targets has the registers.
template <class Pass, int D, Kind kind, bool ahead, ReadLists which, class Real>
__device__ Largest<Real> sums_over_list(const PairData<Real>& data, const NeighboursView& neighbours, std::uint32_t t,
                                        bool stopped)
{
    const Pass pass(data);
    const std::uint32_t i = neighbours.targets.particle[t];
    if (stopped) return {};  // asked here, while the target is waited for
    const TargetRange range = target_of(i, kind);
    auto target = pass.begin(range);
    const ListView& list = neighbours.list;
    const std::uint32_t length = t < neighbours.targets.walls_end ? list.lengths[t] : 0;
    const EntryDecoder neighbour(list.format, i);
    const auto visit = [&](std::uint32_t e) {
        Four<Real> shift{Real(neighbour.x_difference(e)), Real(neighbour.y_difference(e)), Real(0), Real(0)};
        if constexpr (D == 3) shift.z = Real(neighbour.z_difference(e));
        visit_neighbour<Pass, D>(pass, target, data, neighbour.index(e), kind == Kind::fluid && neighbour.is_wall(e),
                                 shift);
    };
    ListReader<which> list_reader(list, t, length > 0);
    FourEntries entries{};
    if (ahead && length > 0) entries = list_reader.template read<false>();
#pragma unroll 1
    for (std::uint32_t k = 0; k < length / 4; ++k) {
        if (!ahead) entries = list_reader.template read<true>();
        FourEntries coming{};
        if (ahead && 4 * (k + 1) < length) coming = list_reader.template read<false>();
        visit(entries.next);
        visit(entries.second);
        visit(entries.third);
        visit(entries.fourth);
        if (ahead) entries = coming;
    }
    if (length % 4 != 0) {
        if (!ahead) entries = list_reader.template read<false>();
#pragma unroll 1
        for (std::uint32_t k = 0; k < length % 4; ++k) {
            visit(entries.next);
            entries.drop_first();
        }
    }
    return pass.finish(target, range);
}

// A pass over the stored list of target t, by all threads of a warp.
template <class Pass, int D, bool ahead, ReadLists which, class Real>
__device__ void pass_over_list(const PairData<Real>& data, const NeighboursView& neighbours, const TargetSpan& span,
                               std::uint32_t t, bool stopped, const LargestOf& largest)
{
    Largest<Real> value;
    if (t < span.end) {
        // The walls begin where the fluid has ended.
        if (t < neighbours.targets.fluid_end)
            value = sums_over_list<Pass, D, Kind::fluid, ahead, which>(data, neighbours, t, stopped);
        else if (t >= neighbours.targets.walls_begin)
            value = sums_over_list<Pass, D, Kind::wall, ahead, which>(data, neighbours, t, stopped);
    }
    raise(largest, value);
}

template <class Pass, int D, class Real, int blocks, ReadLists which>
__global__ void __launch_bounds__(pass_threads, blocks)
    pass_over_lists(const PairData<Real> data, const NeighboursView neighbours, const TargetSpan span,
                    const LargestOf largest)
{
    const bool stopped = stops_passes(*neighbours.report);
    const std::uint32_t t = span.first + static_cast<std::uint32_t>(thread_index());
    pass_over_list<Pass, D, (blocks < pass_blocks<Pass, Real>), which>(data, neighbours, span, t, stopped, largest);
}

// The same for the runs of a batch, a block of threads for each block of targets.
template <class Pass, int D, class Real>
__global__ void __launch_bounds__(run_block, (pass_blocks_of_runs<Pass, Real>))
    pass_over_lists_of_runs(const PairData<Real> common, const PairRuns<Real> runs, const bool fluid, const bool walls,
                            const Maxima maxima)
{
    const std::uint32_t run = runs.of_block[blockIdx.x];
    if (runs.steps[run].at_work == 0) return;
    const NeighboursView neighbours = runs.neighbours(run);
    const TargetsView& targets = neighbours.targets;
    const TargetSpan span{fluid ? 0 : targets.walls_begin, walls ? targets.dry_end : targets.fluid_end};
    const std::uint32_t first = blockIdx.x * run_block - runs.places[run].begin;
    if (first >= span.end || first + run_block <= span.first) return;
    const std::uint32_t t = first + threadIdx.x;
    const LargestOf largest = largest_of(maxima, &runs.reports[run]);
    // A target before the span counts as one beyond its end.
    pass_over_list<Pass, D, false, ReadLists::with_entries>(runs.data(common, run), neighbours, span,
                                                            t < span.first ? span.end : t, false, largest);
}

// A pass over masks or, without them, one that searches for the neighbours itself.
template <class Pass, class Policy, int D, class Real>
__global__ void pass_over_ranges(const PairData<Real> data, const NeighboursView neighbours, const TargetSpan span,
                                 const LargestOf largest)
{
    using Test = ExactTest<Policy, D, BitsTag<Real>, Real, FreshRecords<BitsTag<Real>, Real>>;
    if (stops_passes(*neighbours.report)) return;
    extern __shared__ std::uint32_t all_words[];
    const bool masks = neighbours.list.kept == KeptNeighbours::masks;
    const std::uint32_t* const tags = neighbours.ranges.tags;
    const Reach& reach = neighbours.reach;
    __shared__ Four<Real> shifts[largest_slots];
    for_each_slot(reach, [&](int slot, int k) { shifts[slot] = cell_difference<Real>(reach, k, 0); });
    const std::uint32_t t = span.first + static_cast<std::uint32_t>(thread_index());
    const Pass pass(data);
    const bool wall = t >= neighbours.targets.walls_begin;
    const bool wanted = t < span.end && (wall || t < neighbours.targets.fluid_end);
    const unsigned together = __ballot_sync(every_lane, wanted);
    Largest<Real> value;
    if (wanted) {
        const std::uint32_t i = neighbours.targets.particle[t];
        const TargetRange range = target_of(i, wall ? Kind::wall : Kind::fluid);
        const std::int32_t x = data.cell[i].x;
        auto target = pass.begin(range);
        const std::uint32_t* words = all_words + threadIdx.x;
        auto stride = static_cast<int>(blockDim.x);
        if (!masks) {
            find_bits(Test(data, SearchRecords<Real>{nullptr, nullptr, tags}, i), neighbours, i, x, wall,
                      BitWords(all_words + threadIdx.x, stride));
        } else if (t < neighbours.targets.walls_end) {  // dry walls have none
            words = neighbours.list.begin_of(t);
            stride = warp;
        }
        std::uint32_t twice_origin = 0;  // x less the offset of the image
        Four<Real> shift{};
        for_each_bit(
            together, neighbours, i, wall, words, stride,
            [&](int slot, std::uint32_t /*begin*/) {
                twice_origin = static_cast<std::uint32_t>(x - reach.image(x, slot)) << 1U;
                shift = shifts[slot];
            },
            [&](std::uint32_t b) {
                const std::uint32_t tag = tags[b];
                shift.x = Real(static_cast<std::int32_t>(twice_origin - (tag & ~1U)) >> 1);
                visit_neighbour<Pass, D>(pass, target, data, b, (tag & 1U) != 0, shift);
            });
        value = pass.finish(target, range);
    }
    raise(largest, value);
}

template <class Policy, int D>
struct PairLaunches {
    using Real = typename Policy::Real;
    using Data = PairData<Real>;

    // largest_words: 0 if words are read only.
    template <class Kernel, class... Arguments>
    static void search(Kernel kernel, std::uint32_t count, std::uint32_t largest_words, cudaStream_t stream,
                       const Arguments&... arguments)
    {
        const SearchShape shape = search_shape(largest_words);
        // The same for all ranks on the device, which may start the kernel at the same time.
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(std::max(shape.shared_bytes, comfortable_shared_bytes))),
              "searching for neighbours");
        kernel<<<blocks_for(count, shape.threads), shape.threads, shape.shared_bytes, stream>>>(arguments...);
        check(cudaGetLastError(), "searching for neighbours");
    }

    // The targets that the pass visits.
    template <class Pass>
    static TargetSpan span_of(const Data& data, const TargetsView& targets, bool dry)
    {
        const Pass pass(data);
        const bool walls = pass.wants(target_of(0, Kind::wall));
        if (dry) return walls ? TargetSpan{targets.walls_end, targets.dry_end} : TargetSpan{0, 0};
        return {pass.wants(target_of(0, Kind::fluid)) ? 0 : targets.walls_begin,
                walls ? targets.walls_end : targets.fluid_end};
    }

    template <class Pass>
    static void drive(const Data& data, const NeighboursView& neighbours, bool dry, const LargestOf& largest,
                      cudaStream_t stream)
    {
        TargetSpan span = span_of<Pass>(data, neighbours.targets, dry);
        span = {std::max(span.first, neighbours.within.first), std::min(span.end, neighbours.within.end)};
        if (span.first >= span.end) return;
        const std::uint32_t count = span.end - span.first;
        const KeptNeighbours kept = neighbours.list.kept;
        if (kept == KeptNeighbours::masks || kept == KeptNeighbours::none) {
            search(pass_over_ranges<Pass, Policy, D, Real>, count,
                   kept == KeptNeighbours::masks ? 0 : neighbours.largest_words, stream, data, neighbours, span,
                   largest);
            return;
        }
        const unsigned blocks = blocks_for(count, pass_threads);
        const auto launch = [&](auto kernel) {
            kernel<<<blocks, pass_threads, 0, stream>>>(data, neighbours, span, largest);
        };
        constexpr int many = pass_blocks<Pass, Real>;
        constexpr int few = pass_blocks_of_few<Pass, Real>;
        if constexpr (!kernels_for_each_list<Pass, Real>)
            launch(pass_over_lists<Pass, D, Real, many, ReadLists::either>);
        else if (kept == KeptNeighbours::compact) launch(pass_over_lists<Pass, D, Real, many, ReadLists::compact>);
        else if (few < many && blocks <= most_waves_of_few * few * multiprocessors())
            launch(pass_over_lists<Pass, D, Real, few, ReadLists::with_entries>);
        else launch(pass_over_lists<Pass, D, Real, many, ReadLists::with_entries>);
        check(cudaGetLastError(), "summing over neighbours");
    }

    template <class Test>
    static void make_lists_with(const Data& data, const NeighboursView& neighbours, const ListTarget& lists,
                                const Four<Real>* moves, cudaStream_t stream)
    {
        make_records<Test><<<blocks_for(neighbours.count, 256), 256, 0, stream>>>(data, neighbours.count,
                                                                                  neighbours.bounds.low[0], moves);
        const auto kernel =
            lists.kept == KeptNeighbours::compact ? make_lists_of<Test, true, Real> : make_lists_of<Test, false, Real>;
        search(kernel, neighbours.targets.walls_end, neighbours.packed_words, stream, data, neighbours,
               SearchRecords<Real>{data.rate, moves}, lists);
    }
    template <class Tag>
    using Exact = ExactTest<Policy, D, Tag, Real, KeptRecords<Real>>;
    static bool follows_courses(const CellBounds& bounds) { return FoldedTest<Policy, D, Real>::holds(bounds); }
    static void make_lists(const Data& data, const NeighboursView& neighbours, const ListTarget& lists,
                           const Four<Real>* moves, cudaStream_t stream)
    {
        using Folded = FoldedTest<Policy, D, Real>;
        if constexpr (Folded::possible) {
            if (Folded::holds(neighbours.bounds)) {
                Data wider = data;
                wider.reach_squared = Folded::with_margin(data.reach_squared, neighbours.bounds);
                if (moves == nullptr) make_lists_with<Folded>(wider, neighbours, lists, moves, stream);
                else make_lists_with<BallisticTest<Policy, D, Real>>(wider, neighbours, lists, moves, stream);
                return;
            }
        }
        if (NumberTag<Real>::holds(neighbours.bounds))
            make_lists_with<Exact<NumberTag<Real>>>(data, neighbours, lists, nullptr, stream);
        else make_lists_with<Exact<BitsTag<Real>>>(data, neighbours, lists, nullptr, stream);
    }
    template <class Operation>
    static void pass(const Data& data, const NeighboursView& neighbours, bool dry, const LargestOf& largest,
                     cudaStream_t stream)
    {
        with_pass_of<Operation, Policy, D, Real>(
            data, [&](auto chosen) { drive<typename decltype(chosen)::type>(data, neighbours, dry, largest, stream); });
    }

    template <class Test>
    static void make_lists_of_runs_with(const Data& common, const RebuiltRuns<Real>& rebuilt, cudaStream_t stream)
    {
        make_records_of_runs<Test><<<rebuilt.blocks.count, run_block, 0, stream>>>(common, rebuilt);
        search(cuda::make_lists_of_runs<Test, Real>, rebuilt.blocks.count * run_block, rebuilt.packed_words, stream,
               common, rebuilt);
    }
    static void make_lists_of_runs(const Data& common, const RebuiltRuns<Real>& rebuilt, cudaStream_t stream)
    {
        using Folded = FoldedTest<Policy, D, Real>;
        if constexpr (Folded::possible) {
            if (Folded::holds(rebuilt.widest)) {
                // The cells of all runs are of length one, so they have the same reach.
                RebuiltRuns<Real> wider = rebuilt;
                wider.reach_squared = Folded::with_margin(common.reach_squared, rebuilt.widest);
                make_lists_of_runs_with<Folded>(common, wider, stream);
                return;
            }
        }
        if (NumberTag<Real>::holds(rebuilt.widest))
            make_lists_of_runs_with<Exact<NumberTag<Real>>>(common, rebuilt, stream);
        else make_lists_of_runs_with<Exact<BitsTag<Real>>>(common, rebuilt, stream);
    }
    template <class Operation>
    static void pass_of_runs(const Data& common, const PairRuns<Real>& runs, const Maxima& maxima, cudaStream_t stream)
    {
        with_pass_of<Operation, Policy, D, Real>(common, [&](auto chosen) {
            using Pass = typename decltype(chosen)::type;
            const Pass pass(common);
            pass_over_lists_of_runs<Pass, D, Real><<<runs.blocks, run_block, 0, stream>>>(
                common, runs, pass.wants(target_of(0, Kind::fluid)), pass.wants(target_of(0, Kind::wall)), maxima);
            check(cudaGetLastError(), "summing over neighbours");
        });
    }

    using Table = PairKernels<Policy, D>;
    template <class Operation>
    static constexpr bool has_pass()
    {
        if constexpr (Operation::info.target == TargetOfOperation::pairs)
            return Policy::every_physics || Operation::in_every_policy;
        else return false;
    }
    template <class Operation>
    static constexpr typename Table::Pass pass_or_none()
    {
        if constexpr (has_pass<Operation>()) return pass<Operation>;
        else return nullptr;
    }
    template <class Operation>
    static constexpr typename Table::PassOfRuns pass_of_runs_or_none()
    {
        // What outputs alone ask for is computed in lone runs (core/backends/batches.cpp).
        if constexpr (has_pass<Operation>() && Operation::info.stage != Stage::output) return pass_of_runs<Operation>;
        else return nullptr;
    }
    template <class... Operation>
    static constexpr Table table_of(OperationList<Operation...> /*list*/)
    {
        return {make_lists,
                follows_courses,
                {pass_or_none<Operation>()...},
                make_lists_of_runs,
                {pass_of_runs_or_none<Operation>()...}};
    }

    static constexpr PairKernels<Policy, D> table = table_of(Operations{});
};

#define HALFULP_DEFINE_PAIR_KERNELS(Policy, D)              \
    template <>                                             \
    const PairKernels<Policy, D>& pair_kernels<Policy, D>() \
    {                                                       \
        return PairLaunches<Policy, D>::table;              \
    }

}  // namespace halfulp::cuda
