// Ownership of the particles on a device, where several ranks share a run.
#pragma once

#include <cstddef>
#include <cstdint>

namespace halfulp::cuda {

// Flags of the particles that this rank owns; in an undivided run all are own.
struct OwnedView {
    const std::uint8_t* of_rank = nullptr;
    const std::uint8_t* of_edge = nullptr;  // own ones that other ranks may copy; the same throughout a cell

    __device__ bool has(std::size_t i) const { return of_rank == nullptr || of_rank[i] != 0; }
    __device__ bool is_edge(std::size_t i) const { return of_edge != nullptr && of_edge[i] != 0; }
};

}  // namespace halfulp::cuda
