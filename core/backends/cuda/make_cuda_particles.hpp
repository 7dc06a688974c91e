// Construction of the CUDA back end for one policy, as functions, so that only one translation unit sees its types.
#pragma once

#include <functional>
#include <memory>

#include "core/backends/backend.hpp"
#include "core/backends/batch.hpp"
#include "core/backends/cuda/settings.hpp"
#include "core/distribution/local_ranks.hpp"

namespace halfulp::cuda {

struct CudaPolicy {
    const char* name;
    // Undivided, or with settings.peers rank 0; others: its ranks' threads, if they are of this process.
    std::unique_ptr<Backend> (*make)(const Problem& problem, const CudaSettings& settings,
                                     std::unique_ptr<LocalRanks> others);
    // The service of another rank; check: see Ranks::serve.
    void (*serve)(const Problem& problem, const CudaSettings& settings, const std::function<void()>& check);
    BatchOfRuns (*make_batch)(const std::vector<const Problem*>& problems, const CudaSettings& settings);
    // Without lists and cells.
    std::size_t (*bytes_per_particle)(const Physics& physics);
    std::size_t (*course_bytes_per_particle)(const Physics& physics);
};

// Defined for every policy of core/backends/cuda/policies.hpp, which CMake generates.
template <class Policy>
CudaPolicy cuda_policy();

}  // namespace halfulp::cuda
