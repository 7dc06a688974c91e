#include "core/backends/make_backend.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

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

// A device that can run the problem and on which the run is not; -1 if there is none.
int other_device(const Problem& problem, const BackendOptions& run, bool run_on_device)
{
    std::vector<int> taken = run.cuda.devices;
    if (taken.empty()) taken.push_back(run.cuda.device);
    const int count = cuda_devices();
    for (int device = 0; device < count; ++device) {
        if (run_on_device && std::ranges::find(taken, device) != taken.end()) continue;
        if (why_no_cuda(problem, {.device = device}).empty()) return device;
    }
    return -1;
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

void place_audit(std::string_view text, AuditOptions& audit)
{
    const std::string_view kind = text.substr(0, text.find(':'));
    const std::string_view number = text.substr(std::min(kind.size() + 1, text.size()));
    int value = -1;
    const char* const end = number.data() + number.size();
    const auto [read, error] = std::from_chars(number.data(), end, value);
    const bool numbered = kind.size() < text.size();
    if ((kind != "cpu" && kind != "cuda") || (numbered && (error != std::errc() || read != end || value < 0))) {
        throw input_error(
            fmt::format("--audit-on {}: allowed are cpu, cpu:LANES, cuda and cuda:DEVICE, e.g. cpu:1 or cuda:1",
                        shortened(std::string(text))));
    }
    audit.kind = kind == "cpu" ? BackendKind::cpu : BackendKind::cuda;
    if (numbered) (kind == "cpu" ? audit.lanes : audit.device) = value;
    constexpr std::array lanes{0, 1, 2, 4, 8, 16};
    if (std::ranges::find(lanes, audit.lanes) == lanes.end())
        throw input_error(fmt::format("--audit-on {}: a CPU has 1, 2, 4, 8 or 16 lanes", text));
}

std::unique_ptr<Backend> make_audit_backend(const Problem& problem, const AuditOptions& audit,
                                            const BackendOptions& run, bool run_on_device)
{
    const bool automatic = audit.kind == BackendKind::automatic;
    if (audit.kind == BackendKind::cuda || (automatic && run_on_device)) {
        CudaOptions options = {.device = audit.device, .neighbours = run.cuda.neighbours};
        if (options.device < 0) options.device = other_device(problem, run, run_on_device);
        if (options.device >= 0) {
            const std::string obstacle = why_no_cuda(problem, options);
            if (obstacle.empty()) return make_cuda_backend(problem, options);
            throw Error(ExitCode::unsupported, fmt::format("--audit-on cuda:{}: {}; --audit-on cpu does without it",
                                                           options.device, obstacle));
        }
        if (!automatic) {
            throw Error(
                ExitCode::unsupported,
                "--audit-on cuda: there is no CUDA device but those of the run that could do it; name one, e.g. "
                "cuda:0, or take --audit-on cpu");
        }
    }
    CpuOptions options{.threads = run.cpu.threads, .lanes = audit.lanes, .neighbours = run.cpu.neighbours};
    if (!run_on_device && audit.lanes == 0) {
        const bool has_lists = run.cpu.neighbours != NeighbourStorage::none;
        options.neighbours = has_lists ? NeighbourStorage::none : NeighbourStorage::stored;
    }
    return make_cpu_backend(problem, options);
}

}  // namespace halfulp
