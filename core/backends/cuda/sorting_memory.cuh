// The memory in which particles are sorted: each field is gathered into it in the new order and then swapped with it.
// During a rebuild it is borrowed from fields that become invalid, where some have the right size. Other temporary data
// of a rebuild are stored there, too.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>

#include "core/backends/cuda/device.cuh"
#include "core/backends/cuda/order.cuh"
#include "core/backends/cuda/particle_kernels.cuh"
#include "core/backends/cuda/scratch.cuh"
#include "core/particles/buffers.hpp"

namespace halfulp::cuda {

template <std::size_t size>
struct alignas(std::min<std::size_t>(size, 16)) RawElement {
    std::byte raw[size];
};

class SortingMemory {
public:
    template <class Policy>
    void borrow(Buffers<Policy, DeviceVector>& buffers)
    {
        buffers.for_each([this](const FieldInfo& info, auto& buffer) {
            if (info.role != Role::derived) return;
            with_memory_for(buffer, [&](auto& memory) {
                if (memory.capacity() == 0) memory.swap_memory(buffer);
            });
        });
    }
    // Returns the borrowed memory, and gives every field that is now invalid room for `count` particles.
    template <class Policy>
    void give_back(Buffers<Policy, DeviceVector>& buffers, std::size_t count)
    {
        buffers.for_each([&](const FieldInfo& info, auto& buffer) {
            if (is_sorted(info)) return;
            if (info.role == Role::derived && buffer.capacity() == 0)
                with_memory_for(buffer, [&](auto& memory) { memory.swap_memory(buffer); });
            fit(buffer, count, "the particles");
        });
    }

    LentKeys keys(std::size_t count)
    {
        fit(sixteen_, count, "sorting");
        auto* const first = reinterpret_cast<std::uint64_t*>(sixteen_.data());
        return {first, first + count};
    }
    // Memory for indices, separate from the keys and from the fields that are sorted.
    LentIndices indices(std::size_t count)
    {
        fit(eight_, count, "sorting");
        auto* const first = reinterpret_cast<std::uint32_t*>(eight_.data());
        return {first, first + count};
    }
    // Temporary memory, where the keys and sorted fields lie if it fits there, otherwise in an array of its own: arrays
    // that are swapped with fields would have to grow one after another.
    std::byte* bytes(std::size_t wanted)
    {
        if (wanted <= sixteen_.capacity() * sizeof(RawElement<16>))
            return reinterpret_cast<std::byte*>(sixteen_.data());
        fit(apart_, wanted, "sorting");
        return apart_.data();
    }

    // Sorts a field into `order`, of `count` particles; afterwards it has room for `room` particles.
    template <class T>
    void sort(DeviceVector<T>& buffer, const std::uint32_t* order, std::size_t count, std::size_t room,
              cudaStream_t stream)
    {
        replace(buffer, count, room, stream, [&](T* to) {
            detail::gather<<<blocks_for(count, usual_threads), usual_threads, 0, stream>>>(buffer.data(), order, to,
                                                                                           count);
        });
        buffer.resize(count, "the particles");
    }
    // Resizes a field to `room` particles; the first `count` keep their values.
    template <class T>
    void make_room(DeviceVector<T>& buffer, std::size_t count, std::size_t room, cudaStream_t stream)
    {
        if (room > buffer.capacity()) {
            replace(buffer, count, room, stream, [&](T* to) {
                check(cudaMemcpyAsync(to, buffer.data(), count * sizeof(T), cudaMemcpyDeviceToDevice, stream),
                      "making room for particles");
            });
        }
        buffer.resize(room, "the particles");
    }

private:
    // Gives a field new memory, into which write(to) puts its first `count` particles.
    template <class T, class Write>
    void replace(DeviceVector<T>& buffer, std::size_t count, std::size_t room, cudaStream_t stream, const Write& write)
    {
        if constexpr (sizeof(T) < 16) {
            fit(sixteen_, room, "sorting");
            T* const written = reinterpret_cast<T*>(sixteen_.data());
            write(written);
            fit(buffer, room, "the particles");
            check(cudaMemcpyAsync(buffer.data(), written, count * sizeof(T), cudaMemcpyDeviceToDevice, stream),
                  "sorting");
        } else {
            with_memory_for(buffer, [&](auto& memory) {
                fit(memory, room, "sorting");
                write(reinterpret_cast<T*>(memory.data()));
                memory.swap_memory(buffer);
            });
        }
    }

    // Calls act(memory) with the array for elements of that size; does nothing for elements below 8 bytes.
    template <class T, class Act>
    void with_memory_for(const DeviceVector<T>& /*buffer*/, const Act& act)
    {
        if constexpr (sizeof(T) == 8) act(eight_);
        else if constexpr (sizeof(T) == 16) act(sixteen_);
        else if constexpr (sizeof(T) == 32) act(thirty_two_);
        else static_assert(sizeof(T) < 8, "there is memory for no such elements");
    }

    DeviceVector<RawElement<8>> eight_;
    DeviceVector<RawElement<16>> sixteen_;
    DeviceVector<RawElement<32>> thirty_two_;
    DeviceVector<std::byte> apart_;
};

// The bytes per particle that bytes() allocates if it is asked for `of_particle` bytes per particle.
inline double sorting_bytes_beyond_lent(double of_particle)
{
    return of_particle > sizeof(RawElement<16>) ? of_particle : 0;
}

// Bytes per particle of a SortingMemory, without the borrowed ones.
template <class Policy>
std::size_t sorting_bytes_per_particle(const Physics& physics)
{
    std::set<std::size_t> sizes{8, 16};
    std::set<std::size_t> lent;
    Buffers<Policy> buffers(physics);
    for (const AnyBuffer& buffer : buffers.used()) {
        if (is_sorted(buffer.info) && buffer.element > 16) sizes.insert(buffer.element);
        if (buffer.info.role == Role::derived) lent.insert(buffer.element);
    }
    std::size_t bytes = 0;
    for (const std::size_t size : sizes) bytes += lent.contains(size) ? 0 : size;
    return bytes;
}

}  // namespace halfulp::cuda
