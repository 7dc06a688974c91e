// The settings of the CUDA back end; none of them changes a bit of the result.
#pragma once

#include <cstddef>
#include <string>

namespace halfulp::cuda {

struct CudaSettings {
    int device = 0;
    int block = 256;          // threads of a block in the loops over particles
    bool lists = true;        // keep the neighbours while there is memory for it
    bool insist = false;      // on lists: an error where there is no memory
    std::string description;  // e.g. "cuda, NVIDIA H200"
};

}  // namespace halfulp::cuda
