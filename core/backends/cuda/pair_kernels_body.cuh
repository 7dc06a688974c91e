// The pair kernels of a policy, included where they are instantiated. One thread per target particle, its neighbours in
// ascending index, as on the host.
#pragma once

#include "core/backends/cuda/pair_kernels.cuh"
#include "core/backends/cuda/search.cuh"
#include "core/operations/operations.hpp"

namespace halfulp::cuda {

inline constexpr int pass_threads = 128;
// Resident blocks of a pass per multiprocessor, which bounds the registers of a thread. Measured on an H200
// (docs/gpu.md): more warps hide more of the latency of neighbour loads than the few spilled registers cost; likewise a
// loop that is not unrolled, which needs fewer.
template <class Real>
inline constexpr int pass_blocks = sizeof(Real) == 4 ? 12 : 6;

template <class Pass, int D, class Real>
__device__ void visit_neighbour(const Pass& pass, typename Pass::Target& target, const PairData<Real>& data,
                                std::uint32_t b, const Four<Real>& shift)
{
    const Four<Real> there = data.offset[b];
    pass.add(target, Neighbour<D, Real>{b, 1, there, target.place.separation(data, b, there, shift)});
}

// A pass over stored lists.
template <class Pass, int D, class Real>
__global__ void __launch_bounds__(pass_threads, pass_blocks<Real>)
    pass_over_lists(const PairData<Real> data, const NeighboursView neighbours, unsigned long long* largest)
{
    const std::size_t i = thread_index();
    const Pass pass(data);
    Real value = 0;
    if (i < neighbours.count) {
        const TargetRange range = target_of(static_cast<std::uint32_t>(i), data.kind[i]);
        if (pass.wants(range)) {
            auto target = pass.begin(range);
            const ListView& list = neighbours.list;
            const std::uint32_t size = list.size[i];
            const std::uint32_t* entry = list.entries + list.base[i / warp] + i % warp;
            const EntryFormat format = list.format;
            const std::uint32_t first =
                static_cast<std::uint32_t>(i) + static_cast<std::uint32_t>(format.search_cells * format.layer);
#pragma unroll 1
            for (std::uint32_t k = 0; k < size; ++k) {
                const std::uint32_t e = __ldcs(entry + std::size_t(k) * warp);
                Four<Real> shift{Real(format.difference<0>(e)), Real(format.difference<1>(e)), Real(0), Real(0)};
                if constexpr (D == 3) shift.z = Real(format.difference<2>(e));
                visit_neighbour<Pass, D>(pass, target, data, format.index(first, e), shift);
            }
            value = pass.finish(target, range);
        }
    }
    if (largest != nullptr) raise(largest, static_cast<double>(value));
}

// A pass that searches for the neighbours itself.
template <class Pass, class Policy, int D, class Real>
__global__ void pass_over_ranges(const PairData<Real> data, const NeighboursView neighbours,
                                 unsigned long long* largest)
{
    extern __shared__ std::uint32_t all_words[];
    std::uint32_t* const words = all_words + threadIdx.x;
    const auto stride = static_cast<int>(blockDim.x);
    const Reach& reach = neighbours.reach;
    __shared__ Four<Real> shifts[largest_slots];
    for_each_slot(reach, [&](int slot, int k) { shifts[slot] = cell_difference<Real>(reach, k, 0); });
    const std::size_t i = thread_index();
    const auto index = static_cast<std::uint32_t>(i);
    const Pass pass(data);
    const TargetRange range = target_of(index, i < neighbours.count ? data.kind[i] : Kind::wall);
    const bool wanted = i < neighbours.count && pass.wants(range);
    const unsigned together = __ballot_sync(every_lane, wanted);
    Real value = 0;
    if (wanted) {
        auto target = pass.begin(range);
        find_bits<Policy, D, BitsTag<Real>>(data, neighbours, FreshRecords<BitsTag<Real>, Real>{data}, index, words,
                                            stride);
        const std::int32_t x = data.cell[i].x;
        std::int32_t origin = 0;  // x less the offset of the image
        Four<Real> shift{};
        for_each_bit(
            together, neighbours, index, words, stride,
            [&](int slot) {
                origin = x - static_cast<std::int32_t>(reach.image(x, slot));
                shift = shifts[slot];
            },
            [&](std::uint32_t b) {
                shift.x = Real(origin - data.cell[b].x);
                visit_neighbour<Pass, D>(pass, target, data, b, shift);
            });
        value = pass.finish(target, range);
    }
    if (largest != nullptr) raise(largest, static_cast<double>(value));
}

template <class Policy, int D>
struct PairLaunches {
    using Real = typename Policy::Real;
    using Data = PairData<Real>;

    template <class Kernel, class... Arguments>
    static void search(Kernel kernel, std::uint32_t count, std::uint32_t largest_words, cudaStream_t stream,
                       const Arguments&... arguments)
    {
        const SearchShape shape = search_shape(largest_words);
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(shape.shared_bytes)),
              "searching for neighbours");
        kernel<<<blocks_for(count, shape.threads), shape.threads, shape.shared_bytes, stream>>>(arguments...);
        check(cudaGetLastError(), "searching for neighbours");
    }

    template <class Pass>
    static void drive(const Data& data, const NeighboursView& neighbours, unsigned long long* largest,
                      cudaStream_t stream)
    {
        if (neighbours.list.entries == nullptr) {
            search(pass_over_ranges<Pass, Policy, D, Real>, neighbours.count, neighbours.largest_words, stream, data,
                   neighbours, largest);
            return;
        }
        pass_over_lists<Pass, D, Real>
            <<<blocks_for(neighbours.count, pass_threads), pass_threads, 0, stream>>>(data, neighbours, largest);
        check(cudaGetLastError(), "summing over neighbours");
    }

    template <class Tag>
    static void make_lists_with(const Data& data, const NeighboursView& neighbours, const ListTarget& lists,
                                cudaStream_t stream)
    {
        make_records<Tag>
            <<<blocks_for(neighbours.count, 256), 256, 0, stream>>>(data, neighbours.count, neighbours.bounds.low[0]);
        search(make_lists_of<Policy, D, Tag, Real>, neighbours.count, neighbours.largest_words, stream, data,
               neighbours, data.rate, lists);
    }
    static void make_lists(const Data& data, const NeighboursView& neighbours, const ListTarget& lists,
                           cudaStream_t stream)
    {
        if (NumberTag<Real>::holds(neighbours.bounds))
            make_lists_with<NumberTag<Real>>(data, neighbours, lists, stream);
        else make_lists_with<BitsTag<Real>>(data, neighbours, lists, stream);
    }
    template <class Operation>
    static void pass(const Data& data, const NeighboursView& neighbours, unsigned long long* largest,
                     cudaStream_t stream)
    {
        with_pass_of<Operation, Policy, D, Real>(
            data, [&](auto chosen) { drive<typename decltype(chosen)::type>(data, neighbours, largest, stream); });
    }

    using Launch = void (*)(const Data&, const NeighboursView&, unsigned long long*, cudaStream_t);
    template <class Operation>
    static constexpr Launch launch_of()
    {
        if constexpr (Operation::info.target == TargetOfOperation::pairs) {
            if constexpr (Policy::every_physics || Operation::in_every_policy) return pass<Operation>;
        }
        return nullptr;
    }
    template <class... Operation>
    static constexpr PairKernels<Policy, D> table_of(OperationList<Operation...> /*list*/)
    {
        return {make_lists, {launch_of<Operation>()...}};
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
