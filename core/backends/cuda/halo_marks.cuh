// Marks of a rank's particles on the device: which stay, which other ranks own, want or copy. From them DeviceHalo
// chooses its lists.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/backends/cuda/device_halo.cuh"

namespace halfulp::cuda::detail {

// Marks of own particles before they move: whether they stay here, as own or as a copy; whether other ranks may want
// them.
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

// Marks which particles are own, and which of these other ranks may want.
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

// Marks by owner: bit 0 for own particles, bit 1 for those of them that others want, bit 2 for other ranks' particles.
struct ByOwner {
    const std::uint8_t* owned;
    const std::uint8_t* wanted;
    __device__ std::uint32_t operator()(std::uint32_t i) const
    {
        return owned[i] == 0 ? 4U : 1U | static_cast<std::uint32_t>(wanted[i]) << 1U;
    }
};

// A range of ranks, with two bits of the marks for each rank but this one.
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

// Marks for each rank: whether it is to own the particle, or to copy it.
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

// Marks for each rank: whether it copies this own particle or, for the halo, owns it; and whether the particle is
// fluid.
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
