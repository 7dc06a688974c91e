// Substitute for the CUDA back end in builds without the toolkit.
#include "core/backends/cuda/cuda_backend.hpp"
#include "core/error.hpp"

namespace halfulp {

bool built_with_cuda() { return false; }

void wake_cuda_device(int /*device*/) {}

int cuda_devices() { return 0; }

std::string cuda_device_address(int /*device*/) { return {}; }

std::string why_no_cuda(const Problem& /*problem*/, const CudaOptions& /*options*/)
{
    return "this program was built without CUDA (install a CUDA toolkit and build it again)";
}

CudaPlan plan_cuda(const Problem& problem, const CudaOptions& options)
{
    throw Error(ExitCode::unsupported, why_no_cuda(problem, options));
}

std::vector<CudaPlan> plan_cuda(const std::vector<const Problem*>& problems, const CudaOptions& options)
{
    std::vector<CudaPlan> plans;
    for (const Problem* problem : problems) plans.push_back(plan_cuda(*problem, options));
    return plans;
}

std::optional<CudaRankBytes> cuda_bytes_of_rank(const Problem& /*problem*/, std::size_t /*ranks*/)
{
    return std::nullopt;
}

std::string describe_cuda_device(int /*device*/) { return {}; }

std::unique_ptr<Backend> make_cuda_backend(const Problem& problem, const CudaOptions& options)
{
    throw Error(ExitCode::unsupported, why_no_cuda(problem, options));
}

void serve_cuda_rank(const Problem& problem, const CudaOptions& options, const std::function<void()>& /*check*/)
{
    throw Error(ExitCode::unsupported, why_no_cuda(problem, options));
}

BatchOfRuns make_cuda_batch(const std::vector<const Problem*>& problems, const CudaOptions& options)
{
    throw Error(ExitCode::unsupported, why_no_cuda(*problems.front(), options));
}

}  // namespace halfulp
