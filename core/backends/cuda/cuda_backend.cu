#include "core/backends/cuda/cuda_backend.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <mutex>
#include <sstream>
#include <string>
#include <vector>

#include "core/backends/cuda/device.cuh"
#include "core/backends/cuda/make_cuda_particles.hpp"
#include "core/backends/cuda/neighbours.cuh"
#include "core/backends/cuda/policies.hpp"
#include "core/backends/cuda/sorting_memory.cuh"
#include "core/distribution/shares.hpp"
#include "core/error.hpp"
#include "core/registry.hpp"

namespace halfulp {

namespace {

std::vector<cuda::CudaPolicy> cuda_policies()
{
    std::vector<cuda::CudaPolicy> all{
#define HALFULP_ADD(Policy) cuda::cuda_policy<Policy>(),
        HALFULP_FOR_EACH_CUDA_POLICY(HALFULP_ADD)
#undef HALFULP_ADD
    };
    all.insert(all.end(), registry<cuda::CudaPolicy>().begin(), registry<cuda::CudaPolicy>().end());
    return all;
}

const cuda::CudaPolicy* cuda_policy_named(const std::string& precision)
{
    static const std::vector<cuda::CudaPolicy> all = cuda_policies();
    for (const cuda::CudaPolicy& one : all) {
        if (precision == one.name) return &one;
    }
    return nullptr;
}

__global__ void touch(int* nothing)
{
    if (nothing != nullptr) *nothing = 0;
}

// The kernels are compiled for some architectures; an older device cannot run them.
bool runs_kernels()
{
    cudaFuncAttributes attributes{};
    if (cudaFuncGetAttributes(&attributes, touch) == cudaSuccess) return true;
    cudaGetLastError();
    return false;
}

// Asked once of each device: a sweep plans a thousand runs.
cudaError_t ask_properties(cudaDeviceProp& properties, int device)
{
    static std::mutex mutex;
    static std::map<int, cudaDeviceProp> known;
    const std::lock_guard lock(mutex);
    const auto found = known.find(device);
    if (found == known.end()) {
        if (const cudaError_t asked = cudaGetDeviceProperties(&properties, device); asked != cudaSuccess) return asked;
        known[device] = properties;
    } else {
        properties = found->second;
    }
    return cudaSuccess;
}

// CUDA version numbers are 1000 major + 10 minor: 13000 is 13.0.
std::string version_text(int version)
{
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// From the first line of the kernel module's version file, after words that vary between drivers; empty if absent.
std::string driver_version()
{
    std::ifstream file("/proc/driver/nvidia/version");
    std::string line;
    std::getline(file, line);
    std::istringstream words(line);
    for (std::string word; words >> word;) {
        if (word.find_first_not_of("0123456789.") == std::string::npos && word.find('.') != std::string::npos)
            return word + " ";
    }
    return {};
}

// Without optimisation a driver takes minutes to translate the intermediate code, and a step takes eighteen times as
// long.
#ifdef HALFULP_CUDA_UNOPTIMISED
constexpr bool is_optimised = false;
#else
constexpr bool is_optimised = true;
#endif

// Approximate padding of the lists to the longest one of a warp.
constexpr double padding = 1.15;

// A plan with what it says of the device.
CudaPlan ask_device(const CudaOptions& options)
{
    CudaPlan plan;
    cudaDeviceProp properties{};
    cuda::check(ask_properties(properties, options.device), "asking for its properties");
    cuda::check(cudaSetDevice(options.device), "choosing it");
    std::size_t free = 0;
    std::size_t total = 0;
    cuda::check(cudaMemGetInfo(&free, &total), "asking for free memory");
    plan.device = properties.name;
    cuda::name_device(options.device, plan.device);
    plan.free_bytes = static_cast<double>(free);
    plan.total_bytes = static_cast<double>(total);
    return plan;
}

// Where more were wanted, their number is of no use.
constexpr std::size_t most_devices = 1024;

std::size_t number_of_ranks(const CudaOptions& options)
{
    return options.processes == nullptr ? options.devices.size() : options.processes->ranks();
}

// Of each particle on one of several ranks: lists of those it owns and keeps, marks, and room for those that arrive
// behind all that were there before, whose share falls with the number of particles.
constexpr double bytes_of_rank = 2 * 4 + 3 + 9;

// A rank's own, with an allowance for copies and for messages of them both ways: a cube's on all sides, but a tenth at
// most.
double particles_on_device(const Problem& problem, const CudaOptions& options)
{
    const auto all = static_cast<double>(problem.particles.size());
    const std::size_t ranks = number_of_ranks(options);
    if (ranks < 2) return all;
    const double own = all / static_cast<double>(ranks);
    const int dimensions = problem.source.dimensions;
    const double reach =
        static_cast<double>(reach_of_halo(problem)) * problem.units.length / problem.source.resolution.spacing;
    return own + std::min(0.1 * own, 3 * 2 * dimensions * reach * std::pow(own, 1 - 1.0 / dimensions));
}

CudaPlan with_bytes(const Problem& problem, CudaPlan plan)
{
    const Case& c = problem.source;
    const double spacing = c.resolution.spacing;
    const double cell = problem.units.length / spacing;
    const int across = 2 * problem.search_cells + 1;
    const bool flat = c.dimensions == 2;
    // Each occupied cell stores a run of cells for every row around it.
    const double in_a_cell = flat ? cell * cell : cell * cell * cell;
    const double slots = (flat ? across : across * across) * (problem.period[0] > 0 ? 2 : 1);
    constexpr double bytes_of_first = 4;  // its first particle
    const double ordering = static_cast<double>(cuda::Ranges::bytes_to_order(1U << 20U)) / (1U << 20U) / in_a_cell;
    const cuda::CudaPolicy& policy = *cuda_policy_named(c.numerics.precision);
    plan.bytes_per_particle = static_cast<double>(policy.bytes_per_particle(problem.physics)) +
                              (slots * 4 + bytes_of_first) / in_a_cell + cuda::sorting_bytes_beyond_lent(ordering);
    plan.cells_per_particle = std::min(1.0, 1 / in_a_cell);
    const auto course = static_cast<double>(policy.course_bytes_per_particle(problem.physics));
    plan.list_bytes_per_particle = course + 4 * padding * listed_neighbours(problem);
    // A byte for each neighbour, and 4 for each row of cells that a line or a disc touches on the average of its
    // places.
    const double radius = listed_reach(problem) / cell;
    const double rows = flat ? 2 * radius + 1 : 3.1416 * radius * radius + 4 * radius + 1;
    plan.compact_bytes_per_particle = course + padding * (listed_neighbours(problem) + 4 * rows);
    // The last word of a range is half empty. Each particle has a tag beside the length of its list.
    plan.mask_bytes_per_particle = course + 4 + 4 * padding * slots * (across * in_a_cell / 32 + 0.5);
    return plan;
}

CudaPlan plan_on_device(const Problem& problem, const CudaOptions& options, const CudaPlan& device)
{
    CudaPlan plan = with_bytes(problem, device);
    if (number_of_ranks(options) > 1) plan.bytes_per_particle += bytes_of_rank;
    const auto fits = [&](double bytes_of_neighbours) {
        return (plan.bytes_per_particle + bytes_of_neighbours) * particles_on_device(problem, options) <
               plan.free_bytes;
    };
    plan.neighbours = options.neighbours;
    if (options.neighbours == NeighbourStorage::automatic) {
        plan.neighbours = fits(plan.list_bytes_per_particle)      ? NeighbourStorage::stored
                          : fits(plan.compact_bytes_per_particle) ? NeighbourStorage::compact
                          : fits(plan.mask_bytes_per_particle)    ? NeighbourStorage::masks
                                                                  : NeighbourStorage::none;
    }
    return plan;
}

}  // namespace

bool built_with_cuda() { return true; }

void wake_cuda_device(int device)
{
    if (is_optimised && cudaSetDevice(device) == cudaSuccess) cudaFree(nullptr);
    cudaGetLastError();  // so that no later call in this thread reports it
}

int cuda_devices()
{
    int count = 0;
    if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
    cudaGetLastError();
    return 0;
}

std::string cuda_device_address(int device)
{
    std::array<char, 32> address{};
    if (cudaDeviceGetPCIBusId(address.data(), static_cast<int>(address.size()), device) == cudaSuccess)
        return address.data();
    cudaGetLastError();
    return {};
}

std::string why_no_cuda(const Problem& problem, const CudaOptions& options)
{
    int count = 0;
    const cudaError_t answer = cudaGetDeviceCount(&count);
    if (answer == cudaErrorInsufficientDriver)
        return "the NVIDIA driver is missing or older than the CUDA toolkit that this program was built with";
    if (answer == cudaErrorNoDevice || (answer == cudaSuccess && count == 0)) return "there is no CUDA device";
    if (answer != cudaSuccess) return std::string("CUDA does not start: ") + cudaGetErrorString(answer);
    if (!is_optimised)
        return "this program's CUDA code was compiled without optimisation, for a machine without a device "
               "(HALFULP_CUDA_OPTIMISED=OFF); cmake --preset release and another build optimise it";
    if (options.device < 0 || options.device >= count)
        return "there is no device " + std::to_string(options.device) + ", there " +
               (count == 1 ? "is one CUDA device, 0" : "are CUDA devices 0 to " + std::to_string(count - 1));
    cudaDeviceProp properties{};
    if (const cudaError_t asked = ask_properties(properties, options.device); asked != cudaSuccess)
        return std::string("the CUDA device does not answer: ") + cudaGetErrorString(asked);
    if (const cudaError_t set = cudaSetDevice(options.device); set != cudaSuccess)
        return std::string("the CUDA device cannot be used: ") + cudaGetErrorString(set);
    // The device is first used here: it may be reserved by another program, or defective.
    if (const cudaError_t begun = cudaFree(nullptr); begun != cudaSuccess) {
        cudaGetLastError();
        return std::string("the CUDA device cannot be used: ") + cudaGetErrorString(begun);
    }
    if (!runs_kernels()) {
        return std::string("the device (") + properties.name + ", compute capability " +
               std::to_string(properties.major) + "." + std::to_string(properties.minor) +
               ") is older than those that this program was compiled for (see CMAKE_CUDA_ARCHITECTURES in docs/gpu.md)";
    }
    const std::string& precision = problem.source.numerics.precision;
    if (cuda_policy_named(precision) == nullptr) {
        if (precision.rfind("quad", 0) == 0) return "the precision \"" + precision + "\" has no device's numbers";
        return "the precision \"" + precision +
               "\" was not compiled for CUDA (HALFULP_CUDA_POLICIES in docs/gpu.md says how it is)";
    }
    const CudaPlan plan = plan_cuda(problem, options);
    const auto bytes_on = [&](const CudaOptions& on) {
        return plan_on_device(problem, on, plan).bytes_per_particle * particles_on_device(problem, on);
    };
    const double cells = particles_on_device(problem, options) * plan.cells_per_particle;
    if (cells > static_cast<double>(cuda::CellRun::most_cells)) {
        return "the particles lie in some " + std::to_string(static_cast<long long>(cells / 1e6)) +
               " million cells, more than the " + std::to_string(cuda::CellRun::most_cells / 1'000'000) +
               " million of a device; take more devices (--devices)";
    }
    const double wanted = bytes_on(options);
    if (wanted > plan.free_bytes) {
        CudaOptions more = options;
        more.processes = nullptr;
        more.devices.assign(std::max<std::size_t>(number_of_ranks(options), 1), options.device);
        do more.devices.push_back(options.device);
        while (bytes_on(more) > plan.free_bytes && more.devices.size() <= most_devices);
        return "the device (" + plan.device +
               ") has too little memory: " + std::to_string(static_cast<long long>(wanted / 1e6)) + " MB are wanted, " +
               std::to_string(static_cast<long long>(plan.free_bytes / 1e6)) + " MB are free; " +
               (more.devices.size() > most_devices
                    ? "raise resolution.spacing, or choose one that no other program uses"
                    : std::to_string(more.devices.size()) + " such devices would do (--devices)");
    }
    return {};
}

CudaPlan plan_cuda(const Problem& problem, const CudaOptions& options)
{
    return plan_on_device(problem, options, ask_device(options));
}

std::optional<CudaRankBytes> cuda_bytes_of_rank(const Problem& problem, std::size_t ranks)
{
    if (cuda_policy_named(problem.source.numerics.precision) == nullptr) return std::nullopt;
    const CudaPlan plan = with_bytes(problem, {});
    return CudaRankBytes{plan.bytes_per_particle + (ranks > 1 ? bytes_of_rank : 0), plan.list_bytes_per_particle};
}

std::vector<CudaPlan> plan_cuda(const std::vector<const Problem*>& problems, const CudaOptions& options)
{
    const CudaPlan device = ask_device(options);
    std::vector<CudaPlan> plans;
    for (const Problem* problem : problems) plans.push_back(plan_on_device(*problem, options, device));
    return plans;
}

std::string describe_cuda_device(int device)
{
    cudaDeviceProp properties{};
    cuda::check(ask_properties(properties, device), "asking for its properties");
    int driver = 0;
    int runtime = 0;
    cuda::check(cudaDriverGetVersion(&driver), "asking for its driver");
    cuda::check(cudaRuntimeGetVersion(&runtime), "asking for its runtime");
    return std::string(properties.name) + ", compute capability " + std::to_string(properties.major) + "." +
           std::to_string(properties.minor) + ", " + std::to_string(properties.totalGlobalMem / 1'000'000'000) +
           " GB; driver " + driver_version() + "for CUDA " + version_text(driver) + ", runtime " +
           version_text(runtime);
}

namespace {

constexpr const char* through_host = ", messages through the host's memory";

cuda::CudaSettings settings_of(const Problem& problem, const CudaOptions& options)
{
    if (const std::string obstacle = why_no_cuda(problem, options); !obstacle.empty())
        throw Error(ExitCode::unsupported, obstacle);
    const CudaPlan plan = plan_cuda(problem, options);
    return {.device = options.device,
            .block = options.block,
            .neighbours = plan.neighbours,
            .insist = options.neighbours != NeighbourStorage::automatic && options.neighbours != NeighbourStorage::none,
            .description = "cuda, " + plan.device + (options.processes == nullptr ? "" : through_host),
            .cuts = options.cuts,
            .peers = options.processes};
}

// Particles go from one device to another without the host where they can: whether all do.
bool reach_each_other(const std::vector<int>& devices)
{
    bool all = true;
    for (const int one : devices) {
        cuda::check(cudaSetDevice(one), "choosing it");
        for (const int other : devices) {
            if (one == other) continue;
            int can = 0;
            cuda::check(cudaDeviceCanAccessPeer(&can, one, other), "asking for its links");
            const cudaError_t enabled =
                can != 0 ? cudaDeviceEnablePeerAccess(other, 0) : cudaErrorPeerAccessUnsupported;
            cudaGetLastError();  // so that later calls do not report it again
            all = all && (enabled == cudaSuccess || enabled == cudaErrorPeerAccessAlreadyEnabled);
        }
    }
    return all;
}

}  // namespace

std::unique_ptr<Backend> make_cuda_backend(const Problem& problem, const CudaOptions& options)
{
    if (options.devices.empty()) {
        const cuda::CudaSettings settings = settings_of(problem, options);
        return cuda_policy_named(problem.source.numerics.precision)->make(problem, settings, nullptr);
    }
    std::vector<cuda::CudaSettings> settings;
    for (const int device : options.devices) {
        CudaOptions own = options;
        own.device = device;
        settings.push_back(settings_of(problem, own));
    }
    if (!reach_each_other(options.devices)) {
        for (cuda::CudaSettings& one : settings) one.description += through_host;
    }
    auto others = std::make_unique<LocalRanks>(options.devices.size(), [&problem, settings](Peers& peers) {
        cuda::CudaSettings own = settings[peers.rank()];
        own.peers = &peers;
        cuda_policy_named(problem.source.numerics.precision)->serve(problem, own, [] {});
    });
    settings.front().peers = &others->first();
    return cuda_policy_named(problem.source.numerics.precision)->make(problem, settings.front(), std::move(others));
}

void serve_cuda_rank(const Problem& problem, const CudaOptions& options, const std::function<void()>& check)
{
    const cuda::CudaSettings settings = settings_of(problem, options);
    cuda_policy_named(problem.source.numerics.precision)->serve(problem, settings, check);
}

BatchOfRuns make_cuda_batch(const std::vector<const Problem*>& problems, const CudaOptions& options)
{
    const Problem& first = *problems.front();
    if (const std::string obstacle = why_no_cuda(first, options); !obstacle.empty())
        throw Error(ExitCode::unsupported, obstacle);
    const CudaPlan plan = plan_cuda(first, options);
    const cuda::CudaSettings settings{
        .device = options.device,
        .description = "cuda, " + plan.device + ", in a batch of " + std::to_string(problems.size()) + " runs"};
    return cuda_policy_named(first.source.numerics.precision)->make_batch(problems, settings);
}

}  // namespace halfulp
