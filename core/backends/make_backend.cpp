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

namespace {

// Of the device that is chosen, or of the first of several that has one.
std::string obstacle_of(const Problem& problem, const CudaOptions& options)
{
    if (options.devices.empty()) return why_no_cuda(problem, options);
    for (const int device : options.devices) {
        CudaOptions one = options;
        one.device = device;
        if (std::string obstacle = why_no_cuda(problem, one); !obstacle.empty()) return obstacle;
    }
    return {};
}

bool names_cpu(const BackendOptions& options)
{
    return options.cpu.threads != 0 || options.cpu.lanes != 0 || options.cpu.ranks != 0;
}

}  // namespace

std::future<void> wake_device(const BackendOptions& options)
{
    if (!built_with_cuda() || options.kind == BackendKind::cpu || names_cpu(options) || world() != nullptr) return {};
    const int first = options.cuda.devices.empty() ? options.cuda.device : options.cuda.devices.front();
    return std::async(std::launch::async, [first] { wake_cuda_device(first); });
}

ChosenBackend make_backend(const Problem& problem, const BackendOptions& options)
{
    const bool divided = !options.cuda.devices.empty();
    const char* const asked = divided ? "--devices" : "--backend cuda";
    const bool on_devices = options.kind == BackendKind::cuda || divided;
    const bool automatic = options.kind == BackendKind::automatic && !divided;
    if (divided && options.kind == BackendKind::cpu)
        throw input_error("--devices: these are CUDA devices, but --backend is cpu; leave one of the two out");
    if (on_devices && names_cpu(options))
        throw input_error(
            fmt::format("{}: --threads, --lanes and --ranks are those of the CPU; leave them out", asked));
    // Processes that were started together share a run on CPUs.
    const bool shared = world() != nullptr;
    if (shared && on_devices) {
        throw Error(ExitCode::unsupported,
                    fmt::format("{}: several processes share a run on CPUs only, as yet; start halfulp alone, or "
                                "leave it out",
                                asked));
    }
    if ((automatic && names_cpu(options)) || shared) return {make_cpu_backend(problem, options.cpu), {}, {}};
    if (options.kind == BackendKind::cpu || (automatic && !built_with_cuda()))
        return {make_cpu_backend(problem, options.cpu), {}, {}};
    std::string obstacle = obstacle_of(problem, options.cuda);
    if (obstacle.empty()) {
        const int first = divided ? options.cuda.devices.front() : options.cuda.device;
        return {make_cuda_backend(problem, options.cuda), {}, describe_cuda_device(first)};
    }
    if (!automatic)
        throw Error(ExitCode::unsupported, fmt::format("{}: {}; {}", asked, obstacle,
                                                       divided ? "leave it out" : "--backend cpu runs without it"));
    return {make_cpu_backend(problem, options.cpu), std::move(obstacle), {}};
}

}  // namespace halfulp
