// The lists of fluid near mirror nodes (core/backends/mirror_lists.hpp) in a device's memory, made by a thread for each
// wall: once to count its entries, once to write them.
#pragma once

#include "core/backends/cuda/device.cuh"
#include "core/backends/cuda/order.cuh"
#include "core/backends/cuda/owned.cuh"
#include "core/backends/cuda/scratch.cuh"
#include "core/backends/mirror_lists.hpp"

namespace halfulp::cuda {

// The walls whose list has an entry.
struct WetWalls {
    std::uint32_t* particle;
    std::uint32_t* number;
};

namespace detail {

template <bool counted, class Policy, int D>
__global__ void __launch_bounds__(128)
    find_mirror_entries(ParticleView<Policy> particles, ParticleView<Policy> at_sorting,
                        ParticleConstants<Policy, D> constants, PointConstants<D> points, int search_cells,
                        DirectoryView directory, OwnedView owned, MirrorListsView<D> lists, WetWalls wet)
{
    const std::size_t i = thread_index();
    if (i >= particles.count) return;
    const MirrorWalls::Body<Policy, D> walls(particles, constants, points, search_cells);
    std::size_t at = counted ? lists.first[i] : 0;
    if (owned.has(i) && walls.has_image(i) && (!counted || lists.first[i + 1] > at)) {
        const auto image = walls.image_of(i);
        for_each_entry<Policy, D>(walls, at_sorting, directory, image, [&](std::size_t b) {
            if constexpr (counted) lists.entries[at] = static_cast<std::uint32_t>(b);
            ++at;
        });
        if constexpr (!counted) {
            lists.at[i] = image.at;
            if (at > 0) wet.particle[atomicAdd(wet.number, 1U)] = static_cast<std::uint32_t>(i);
        }
    }
    if constexpr (!counted) lists.first[i] = at;
}

}  // namespace detail

// Each of `count` numbers becomes the sum of those before it.
void sum_before(std::size_t* numbers, std::size_t count, DeviceVector<std::uint8_t>& scratch, cudaStream_t stream);

template <class Policy, int D>
class MirrorLists {
public:
    // Makes the lists from the fluid's positions when particles were sorted and the present mirror nodes, so the device
    // may be skipping operations meanwhile. has_room(bytes): whether the device has that much memory; if not, there are
    // no lists.
    template <class HasRoom>
    void build(const ParticleView<Policy>& particles, const ParticleView<Policy>& at_sorting,
               const ParticleConstants<Policy, D>& constants, const PointConstants<D>& points, int search_cells,
               const DirectoryView& directory, const OwnedView& owned, const HasRoom& has_room, cudaStream_t stream)
    {
        const std::size_t count = particles.count;
        const auto launch = [&](auto kernel) {
            kernel<<<blocks_for(count, 128), 128, 0, stream>>>(particles, at_sorting, constants, points, search_cells,
                                                               directory, owned, lists(),
                                                               WetWalls{wet_.data(), wet_.data() + count});
        };
        constexpr std::size_t of_a_particle = sizeof(Vec<D, double>) + sizeof(std::size_t) + sizeof(std::uint32_t);
        listed_ = count < first_.capacity() || has_room(count * of_a_particle);
        if (!listed_) return clear();
        fit(at_, count, purpose);
        fit(first_, count + 1, purpose);
        fit(wet_, count + 1, purpose);
        check(cudaMemsetAsync(first_.data() + count, 0, sizeof(std::size_t), stream), "making lists");
        check(cudaMemsetAsync(wet_.data() + count, 0, sizeof(std::uint32_t), stream), "making lists");
        launch(detail::find_mirror_entries<false, Policy, D>);
        sum_before(first_.data(), count + 1, scratch_, stream);
        std::size_t entries = 0;
        check(cudaMemcpyAsync(&entries, first_.data() + count, sizeof entries, cudaMemcpyDeviceToHost, stream),
              "making lists");
        check(cudaMemcpyAsync(&number_wet_, wet_.data() + count, sizeof number_wet_, cudaMemcpyDeviceToHost, stream),
              "making lists");
        check(cudaStreamSynchronize(stream), "making lists");
        const std::size_t sums = number_wet_ * std::size_t{elements_of_sums};
        listed_ = (entries <= entries_.capacity() && sums <= sums_.capacity()) ||
                  has_room((entries + entries / 8) * sizeof entries_.data()[0] + (sums + sums / 8) * sizeof(double));
        if (!listed_) return clear();
        entries_.grow(entries, purpose);
        sums_.grow(sums, purpose);
        if (entries > 0) launch(detail::find_mirror_entries<true, Policy, D>);
    }

    [[nodiscard]] MirrorListsView<D> view() { return listed_ ? lists() : MirrorListsView<D>{}; }

    // The walls with an entry, in any order.
    [[nodiscard]] const std::uint32_t* wet() const { return wet_.data(); }
    [[nodiscard]] std::uint32_t number_wet() const { return listed_ ? number_wet_ : 0; }
    // Room for the sums of each of these walls.
    [[nodiscard]] double* sums() { return sums_.data(); }

    // Gives back the memory; without lists, as after a build that found no room.
    void clear()
    {
        listed_ = false;
        at_.clear();
        first_.clear();
        wet_.clear();
        entries_.clear();
        sums_.clear();
    }

private:
    static constexpr const char* purpose = "the lists of mirror nodes";
    static constexpr int elements_of_sums = MirroredSums<D>::size * MirroredSums<D>::columns;  // at most

    MirrorListsView<D> lists() { return {at_.data(), first_.data(), entries_.data()}; }

    DeviceVector<Vec<D, double>> at_;
    DeviceVector<std::size_t> first_;
    DeviceVector<std::uint32_t> entries_;
    DeviceVector<std::uint32_t> wet_;  // walls, and behind `count` places their number
    DeviceVector<double> sums_;
    DeviceVector<std::uint8_t> scratch_;
    std::uint32_t number_wet_ = 0;
    bool listed_ = false;
};

}  // namespace halfulp::cuda
