// The choice of the back end that runs a problem.
#pragma once

#include <future>
#include <memory>
#include <string>
#include <string_view>

#include "core/backends/cpu/cpu_backend.hpp"
#include "core/backends/cuda/cuda_backend.hpp"

namespace halfulp {

// Automatic chooses a CUDA device if one can run the problem and no CPU threads or lanes are requested, otherwise the
// CPU. Changes no bit of the result.
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
    std::string why_not_cuda;  // reason why automatic did not choose CUDA in this build; empty otherwise
    std::string device;        // description of the CUDA device, for the provenance; empty on the CPU
};

// Where a CUDA device may be chosen, begins to use it beside what comes before make_backend; done when the future is
// destroyed.
std::future<void> wake_device(const BackendOptions& options);

// Throws an Error if the requested back end cannot run the problem.
ChosenBackend make_backend(const Problem& problem, const BackendOptions& options);

}  // namespace halfulp
