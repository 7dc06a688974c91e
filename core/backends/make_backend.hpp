// The choice of the back end that runs a problem.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/backends/cpu/cpu_backend.hpp"
#include "core/backends/cuda/cuda_backend.hpp"

namespace halfulp {

// Automatic takes a CUDA device where there is one that can run the problem and nothing is asked of the CPU's threads
// and lanes, else the CPU. Changes no bit of the result.
enum class BackendKind { automatic, cpu, cuda };

struct BackendOptions {
    BackendKind kind = BackendKind::automatic;
    CpuOptions cpu;
    CudaOptions cuda;
};

// "auto", "cpu" or "cuda"; throws an Error that lists them.
BackendKind backend_kind_from(std::string_view text);

struct ChosenBackend {
    std::unique_ptr<Backend> backend;
    std::string why_not_cuda;  // where automatic would have taken it in this build; empty otherwise
    std::string device;        // what there is to say of the CUDA device, for the provenance; empty on the CPU
};

// Throws an Error where the back end that is asked for cannot run the problem.
ChosenBackend make_backend(const Problem& problem, const BackendOptions& options);

}  // namespace halfulp
