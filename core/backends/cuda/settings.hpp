// The settings of the CUDA back end; none of them changes a bit of the result.
#pragma once

#include <string>

#include "core/backends/neighbour_storage.hpp"
#include "core/distribution/halo.hpp"

namespace halfulp::cuda {

struct CudaSettings {
    int device = 0;
    int block = 256;                                         // threads per block in the loops over particles
    NeighbourStorage neighbours = NeighbourStorage::stored;  // while memory and the lists' format allow
    bool insist = false;                                     // on storing some: an error if memory is insufficient
    std::string description;                                 // e.g. "cuda, NVIDIA H200"
    Cuts cuts{};
    Peers* peers = nullptr;  // of a rank
};

}  // namespace halfulp::cuda
