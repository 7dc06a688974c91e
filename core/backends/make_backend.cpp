#include "core/backends/make_backend.hpp"

#include <fmt/format.h>

#include "core/distribution/world.hpp"
#include "core/error.hpp"

namespace halfulp {

BackendKind backend_kind_from(std::string_view text)
{
    if (text == "auto") return BackendKind::automatic;
    if (text == "cpu") return BackendKind::cpu;
    if (text == "cuda") return BackendKind::cuda;
    throw input_error(fmt::format("--backend {}: allowed are auto, cpu and cuda", text));
}

ChosenBackend make_backend(const Problem& problem, const BackendOptions& options)
{
    const bool automatic = options.kind == BackendKind::automatic;
    const bool names_cpu = options.cpu.threads != 0 || options.cpu.lanes != 0 || options.cpu.ranks != 0;
    if (options.kind == BackendKind::cuda && names_cpu)
        throw input_error("--backend cuda: --threads, --lanes and --ranks are those of the CPU; leave them out");
    // Processes that were started together share a run on CPUs.
    const bool shared = world() != nullptr;
    if (shared && options.kind == BackendKind::cuda) {
        throw Error(ExitCode::unsupported,
                    "--backend cuda: several processes share a run on CPUs only, as yet; start "
                    "halfulp alone, or leave it out");
    }
    if ((automatic && names_cpu) || shared) return {make_cpu_backend(problem, options.cpu), {}, {}};
    if (options.kind == BackendKind::cpu || (automatic && !built_with_cuda()))
        return {make_cpu_backend(problem, options.cpu), {}, {}};
    std::string obstacle = why_no_cuda(problem, options.cuda);
    if (obstacle.empty())
        return {make_cuda_backend(problem, options.cuda), {}, describe_cuda_device(options.cuda.device)};
    if (!automatic)
        throw Error(ExitCode::unsupported, fmt::format("--backend cuda: {}; --backend cpu runs without it", obstacle));
    return {make_cpu_backend(problem, options.cpu), std::move(obstacle), {}};
}

}  // namespace halfulp
