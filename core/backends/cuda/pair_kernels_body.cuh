// Included where a policy's pair kernels are instantiated. One thread a target particle; its neighbours in ascending
// index, as on the host.
#pragma once

#include "core/backends/cuda/pair_kernels.cuh"
#include "core/backends/pair_passes.hpp"

namespace halfulp::cuda {

inline constexpr int pass_threads = 128;
inline constexpr int largest_code = 7 * 7 * 7;

template <class Real>
__device__ Four<Real> cell_difference(const Reach& reach, int row, std::int32_t dx)
{
    return {Real(dx), Real(-reach.dy(row)), Real(-reach.dz(row)), Real(0)};
}

__device__ inline TargetRange target_of(std::uint32_t i, Kind kind)
{
    return {i, 1, static_cast<std::uint16_t>(kind == Kind::fluid ? 1 : 0)};
}

// Finds the neighbours of particle i among the ranges of its cell: one bit a candidate, 32 to a word, words[k * stride]
// for the ranges one after another. Returns how many bits are set.
template <class Policy, int D, class Real>
__device__ std::uint32_t find_bits(const PairData<Real>& data, const NeighboursView& neighbours, std::uint32_t i,
                                   std::uint32_t* words, int stride)
{
    const Reach& reach = neighbours.reach;
    const RangesView& ranges = neighbours.ranges;
    const std::uint32_t cell = ranges.cell_of[i];
    const std::int32_t x = data.cell[i].x;
    const bool wall = data.kind[i] == Kind::wall;
    const Targets<Policy, D, Real> target(data, target_of(i, data.kind[i]));
    std::uint32_t found = 0;
    int word = 0;
    for (int slot = 0; slot < reach.slots(); ++slot) {
        const ParticleRange range = ranges.ranges[std::size_t(slot) * ranges.cells + cell];
        const auto image = static_cast<std::int32_t>(reach.image(x, slot));
        const Four<Real> row = cell_difference<Real>(reach, slot / reach.images, 0);
        for (std::uint32_t begin = range.begin; begin < range.end; begin += 32) {
            const std::uint32_t candidates = min(range.end - begin, 32U);
            std::uint32_t bits = 0;
            for (std::uint32_t k = 0; k < candidates; ++k) {
                const std::uint32_t b = begin + k;
                const Four<Real> shift{Real(x - (data.cell[b].x + image)), row.y, row.z, row.w};
                const Four<Real> there = data.offset[b];
                const Vec<D, Real> r = target.separation(data, b, there, shift);
                const bool near = dot(r, r) < data.reach_squared && b != i && !(wall && data.kind[b] == Kind::wall);
                bits |= static_cast<std::uint32_t>(near) << k;
            }
            words[word++ * stride] = bits;
            found += __popc(bits);
        }
    }
    return found;
}

// Calls visit(neighbour, slot) for every bit that is set, in their order.
template <class Visit>
__device__ void for_each_bit(const NeighboursView& neighbours, std::uint32_t i, const std::uint32_t* words, int stride,
                             Visit visit)
{
    const RangesView& ranges = neighbours.ranges;
    const std::uint32_t cell = ranges.cell_of[i];
    const int slots = neighbours.reach.slots();
    int slot = -1;
    ParticleRange range{0, 0};
    std::uint32_t begin = 0;
    std::uint32_t bits = 0;
    int word = 0;
    while (true) {
        while (bits == 0) {
            begin += 32;
            while (begin >= range.end) {
                if (++slot == slots) return;
                range = ranges.ranges[std::size_t(slot) * ranges.cells + cell];
                begin = range.begin;
                if (range.begin == range.end) begin = range.end;
            }
            bits = words[word++ * stride];
        }
        const std::uint32_t b = begin + static_cast<std::uint32_t>(__ffs(static_cast<int>(bits)) - 1);
        bits &= bits - 1;
        visit(b, slot);
    }
}

template <class Policy, int D, class Real>
__global__ void make_lists_of(PairData<Real> data, NeighboursView neighbours, ListTarget lists)
{
    extern __shared__ std::uint32_t all_words[];
    std::uint32_t* const words = all_words + threadIdx.x;
    const auto stride = static_cast<int>(blockDim.x);
    const std::size_t i = thread_index();
    const auto index = static_cast<std::uint32_t>(i);
    const bool wanted = i < neighbours.count;
    const std::uint32_t size = wanted ? find_bits<Policy, D>(data, neighbours, index, words, stride) : 0;
    const std::uint32_t longest = __reduce_max_sync(every_lane, size);
    const int lane = static_cast<int>(threadIdx.x) % warp;
    unsigned long long base = 0;
    if (lane == 0 && longest > 0) base = atomicAdd(lists.used, static_cast<unsigned long long>(longest) * warp);
    base = __shfl_sync(every_lane, base, 0);
    if (!wanted) return;
    lists.size[i] = size;
    if (lane == 0) lists.base[i / warp] = base;
    if (base + static_cast<unsigned long long>(longest) * warp > lists.capacity) return;
    const Reach& reach = neighbours.reach;
    const std::int32_t x = data.cell[i].x;
    const int columns = 2 * reach.search_cells + 1;
    const std::int64_t farthest = std::int64_t(1) << (31 - lists.code_bits);
    bool fits = true;
    std::uint32_t* out = lists.entries + base + lane;
    for_each_bit(neighbours, index, words, stride, [&](std::uint32_t b, int slot) {
        const auto image = static_cast<std::int32_t>(reach.image(x, slot));
        const std::int32_t dx = x - (data.cell[b].x + image);
        const std::int64_t relative = std::int64_t(b) - index;
        fits = fits && relative < farthest && relative >= -farthest;
        *out = static_cast<std::uint32_t>(relative) << lists.code_bits |
               static_cast<std::uint32_t>(slot / reach.images * columns + dx + reach.search_cells);
        out += warp;
    });
    if (!fits) *lists.too_far = 1;
}

template <class Pass, int D, class Real>
__device__ void visit_neighbour(const Pass& pass, typename Pass::Target& target, const PairData<Real>& data,
                                std::uint32_t b, const Four<Real>& shift)
{
    const Four<Real> there = data.offset[b];
    pass.add(target, Neighbour<D, Real>{b, 1, there, target.place.separation(data, b, there, shift)});
}

// A pass over stored lists.
template <class Pass, int D, class Real>
__global__ void __launch_bounds__(pass_threads) pass_over_lists(const PairData<Real> data,
                                                                const NeighboursView neighbours,
                                                                unsigned long long* largest)
{
    __shared__ Four<Real> shifts[largest_code];
    const Reach& reach = neighbours.reach;
    const int columns = 2 * reach.search_cells + 1;
    for (int code = static_cast<int>(threadIdx.x); code < reach.rows * columns; code += pass_threads)
        shifts[code] = cell_difference<Real>(reach, code / columns, code % columns - reach.search_cells);
    __syncthreads();
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
            const int bits = list.code_bits;
            const std::uint32_t code_mask = (1U << bits) - 1;
#pragma unroll 2
            for (std::uint32_t k = 0; k < size; ++k) {
                const std::uint32_t e = __ldcs(entry + std::size_t(k) * warp);
                const auto b = static_cast<std::uint32_t>(static_cast<std::int32_t>(i) +
                                                          (static_cast<std::int32_t>(e) >> bits));
                visit_neighbour<Pass, D>(pass, target, data, b, shifts[e & code_mask]);
            }
            value = pass.finish(target, range);
        }
    }
    if (largest != nullptr) raise(largest, static_cast<double>(value));
}

// A pass that finds the neighbours itself.
template <class Pass, class Policy, int D, class Real>
__global__ void pass_over_ranges(const PairData<Real> data, const NeighboursView neighbours,
                                 unsigned long long* largest)
{
    extern __shared__ std::uint32_t all_words[];
    std::uint32_t* const words = all_words + threadIdx.x;
    const auto stride = static_cast<int>(blockDim.x);
    const std::size_t i = thread_index();
    const Pass pass(data);
    Real value = 0;
    if (i < neighbours.count) {
        const auto index = static_cast<std::uint32_t>(i);
        const TargetRange range = target_of(index, data.kind[i]);
        if (pass.wants(range)) {
            auto target = pass.begin(range);
            find_bits<Policy, D>(data, neighbours, index, words, stride);
            const Reach& reach = neighbours.reach;
            const std::int32_t x = data.cell[i].x;
            for_each_bit(neighbours, index, words, stride, [&](std::uint32_t b, int slot) {
                const auto image = static_cast<std::int32_t>(reach.image(x, slot));
                visit_neighbour<Pass, D>(pass, target, data, b,
                                         cell_difference<Real>(reach, slot / reach.images, x - (data.cell[b].x + image)));
            });
            value = pass.finish(target, range);
        }
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

    static void make_lists(const Data& data, const NeighboursView& neighbours, const ListTarget& lists,
                           cudaStream_t stream)
    {
        search(make_lists_of<Policy, D, Real>, neighbours.count, neighbours.largest_words, stream, data, neighbours,
               lists);
    }
    static void smooth_velocity(const Data& data, const NeighboursView& neighbours, cudaStream_t stream)
    {
        if constexpr (Policy::every_physics)
            with_velocity_smoothing<Policy, D, Real>(data, [&](auto pass) {
                drive<typename decltype(pass)::type>(data, neighbours, nullptr, stream);
            });
    }
    static void density_gradient(const Data& data, const NeighboursView& neighbours, cudaStream_t stream)
    {
        if constexpr (Policy::every_physics)
            with_density_gradient<Policy, D, Real>(data, [&](auto pass) {
                drive<typename decltype(pass)::type>(data, neighbours, nullptr, stream);
            });
    }
    static void density_rate(const Data& data, const NeighboursView& neighbours, unsigned long long* largest,
                             cudaStream_t stream)
    {
        with_density_rate<Policy, D, Real>(data, [&](auto pass) {
            drive<typename decltype(pass)::type>(data, neighbours, largest, stream);
        });
    }
    static void forces(const Data& data, const NeighboursView& neighbours, unsigned long long* largest,
                       cudaStream_t stream)
    {
        with_acceleration<Policy, D, Real>(data, [&](auto pass) {
            drive<typename decltype(pass)::type>(data, neighbours, largest, stream);
        });
    }

    static constexpr PairKernels<Policy, D> table{make_lists, smooth_velocity, density_gradient, density_rate, forces};
};

#define HALFULP_DEFINE_PAIR_KERNELS(Policy, D)                     \
    template <>                                                    \
    const PairKernels<Policy, D>& pair_kernels<Policy, D>()        \
    {                                                              \
        return PairLaunches<Policy, D>::table;                     \
    }

}  // namespace halfulp::cuda
