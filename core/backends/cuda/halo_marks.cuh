// Marks of a rank's particles on the device: which stay, which other ranks own, want or copy. From them DeviceHalo
// chooses its lists.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/backends/cuda/device_halo.cuh"

namespace halfulp::cuda::detail {

// Of own particles before they move: whether they stay here, own or copied, and whether others may want them.
inline constexpr std::uint8_t stays = 1;
inline constexpr std::uint8_t wanted = 2;
static __global__ void mark_moving(OwnersView owners, const Four<std::int32_t>* cells, const std::uint8_t* owned,
                                   std::size_t count, std::uint8_t* marks)
{
    const std::size_t i = thread_index();
    if (i >= count) return;
    marks[i] = 0;
    if (owned[i] == 0) return;
    const Four<std::int32_t> cell = cells[i];
    const bool here = owners.owner(cell) == owners.here;
    marks[i] = (here || owners.is_near(cell, owners.here) ? stays : 0) | (here && owners.is_inside(cell) ? 0 : wanted);
}

// Which particles are own, and of these which others may want.
static __global__ void mark_sorted(OwnersView owners, const Four<std::int32_t>* cells, std::size_t count,
                                   std::uint8_t* owned, std::uint8_t* of_edge)
{
    const std::size_t i = thread_index();
    if (i >= count) return;
    const Four<std::int32_t> cell = cells[i];
    const bool own = owners.owner(cell) == owners.here;
    owned[i] = own ? 1 : 0;
    of_edge[i] = own && !owners.is_inside(cell) ? 1 : 0;
}

struct AsMarked {
    const std::uint8_t* marks;
    __device__ std::uint32_t operator()(std::uint32_t i) const { return marks[i]; }
};

// Bits: own; wanted by others; others'.
struct ByOwner {
    const std::uint8_t* owned;
    const std::uint8_t* wanted;
    __device__ std::uint32_t operator()(std::uint32_t i) const
    {
        return owned[i] == 0 ? 4U : 1U | static_cast<std::uint32_t>(wanted[i]) << 1U;
    }
};

// Two bits for each of these ranks but this one.
inline constexpr std::uint32_t ranks_at_once = most_lists / 2;
struct SomeRanks {
    std::uint32_t first;
    std::uint32_t count;

    template <class BitsOf>
    __device__ std::uint32_t marks(std::uint32_t here, const BitsOf& bits_of) const
    {
        std::uint32_t all = 0;
        for (std::uint32_t k = 0; k < count; ++k) {
            if (first + k != here) all |= bits_of(first + k) << 2 * k;
        }
        return all;
    }
};

// Whether a particle is to be the rank's own, or is to be copied there.
struct GoesTo {
    OwnersView owners;
    const Four<std::int32_t>* cells;
    SomeRanks ranks;
    __device__ std::uint32_t operator()(std::uint32_t i) const
    {
        const Four<std::int32_t> cell = cells[i];
        const std::uint32_t owner = owners.owner(cell);
        return ranks.marks(owners.here, [&](std::uint32_t rank) {
            return owner == rank ? 1U : owners.is_near(cell, rank) ? 2U : 0U;
        });
    }
};

// Whether an own particle is copied in the rank, or one of the halo is its own; and whether that is fluid.
template <bool own>
struct IsShared {
    OwnersView owners;
    const Four<std::int32_t>* cells;
    const Kind* kinds;
    SomeRanks ranks;
    __device__ std::uint32_t operator()(std::uint32_t i) const
    {
        const Four<std::int32_t> cell = cells[i];
        const std::uint32_t bits = kinds[i] == Kind::fluid ? 3U : 1U;
        const std::uint32_t owner = own ? owners.here : owners.owner(cell);
        return ranks.marks(owners.here, [&](std::uint32_t rank) {
            return (own ? owners.is_near(cell, rank) : owner == rank) ? bits : 0U;
        });
    }
};

}  // namespace halfulp::cuda::detail
