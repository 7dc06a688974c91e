#include "core/backends/make_backend.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <span>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include "core/distribution/world.hpp"
#include "core/error.hpp"

namespace halfulp {

BackendKind backend_kind_from(std::string_view text)
{
    if (text == "auto") return BackendKind::automatic;
    if (text == "cpu") return BackendKind::cpu;
    if (text == "cuda") return BackendKind::cuda;
    throw input_error("--backend {}: allowed are auto, cpu and cuda", text);
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

bool asks_for_devices(const BackendOptions& options)
{
    return options.kind == BackendKind::cuda || !options.cuda.devices.empty() || options.names_device;
}
bool may_take_devices(const BackendOptions& options)
{
    return asks_for_devices(options) || (options.kind == BackendKind::automatic && !names_cpu(options));
}
// The option that asks for devices.
const char* asked_by(const BackendOptions& options)
{
    if (!options.cuda.devices.empty()) return "--devices";
    return options.kind == BackendKind::cuda ? "--backend cuda" : "--device";
}

// That of a process: of those that are named, or of all from the chosen one on.
CudaOptions device_of_process(const CudaOptions& options, Peers& all)
{
    CudaOptions own = options;
    own.devices.clear();
    own.processes = &all;
    const auto place = static_cast<int>(all.place_on_machine());
    const int count = cuda_devices();
    if (!options.devices.empty()) own.device = options.devices[all.place_on_machine() % options.devices.size()];
    else if (options.device >= 0 && options.device < count) own.device = (options.device + place) % count;
    return own;
}

// Collective: why processes cannot take these devices; empty if they can. alone: none may share its device.
std::string why_no_devices(const Problem& problem, const CudaOptions& own, Peers& all, bool alone)
{
    const auto bytes_of = [](const std::string& text) {
        const auto bytes = std::as_bytes(std::span(text));
        return Bytes(bytes.begin(), bytes.end());
    };
    const auto text_of = [](const Bytes& bytes) {
        return std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    };
    std::array<char, 256> machine{};
    gethostname(machine.data(), machine.size() - 1);
    const std::string place = fmt::format("{} {}", machine.data(), cuda_device_address(own.device));
    std::vector<std::string> obstacles;
    for (const Bytes& one : all.gather(bytes_of(why_no_cuda(problem, own)))) obstacles.push_back(text_of(one));
    std::vector<std::string> places;
    for (const Bytes& one : all.gather(bytes_of(place))) places.push_back(text_of(one));
    std::string obstacle;
    if (all.rank() == 0) {
        const auto found = std::ranges::find_if(obstacles, [](const std::string& text) { return !text.empty(); });
        const std::set<std::string> different(places.begin(), places.end());
        if (found != obstacles.end())
            obstacle = fmt::format("rank {} of {}: {}", found - obstacles.begin(), all.ranks(), *found);
        else if (alone && different.size() < places.size())
            obstacle = fmt::format("{} processes would share {} CUDA device{} (--backend cuda lets them)",
                                   places.size(), different.size(), different.size() == 1 ? "" : "s");
    }
    Bytes verdict = bytes_of(obstacle);
    all.broadcast(verdict);
    return text_of(verdict);
}

// Rank 0 of processes.
ChosenBackend make_shared_backend(const Problem& problem, const BackendOptions& options, Peers& all)
{
    if (!may_take_devices(options)) return {make_cpu_backend(problem, options.cpu), {}, {}};
    const bool asked = asks_for_devices(options);
    const CudaOptions own = device_of_process(options.cuda, all);
    std::string obstacle = why_no_devices(problem, own, all, !asked);
    if (obstacle.empty()) return {make_cuda_backend(problem, own), {}, describe_cuda_device(own.device)};
    if (!asked) {
        if (!built_with_cuda()) obstacle.clear();
        return {make_cpu_backend(problem, options.cpu), std::move(obstacle), {}};
    }
    all.finish();  // the others end as they are
    throw Error(ExitCode::unsupported, fmt::format("{}: {}; leave it out", asked_by(options), obstacle));
}

}  // namespace

void serve_backend(const Problem& problem, const BackendOptions& options, Peers& all,
                   const std::function<void()>& check)
{
    if (may_take_devices(options)) {
        const CudaOptions own = device_of_process(options.cuda, all);
        const bool asked = asks_for_devices(options);
        if (why_no_devices(problem, own, all, !asked).empty()) return serve_cuda_rank(problem, own, check);
        if (asked) throw OtherRankFailed{};
    }
    serve_cpu_rank(problem, options.cpu, all, check);
}

std::future<void> wake_device(const BackendOptions& options)
{
    if (!built_with_cuda() || options.kind == BackendKind::cpu || names_cpu(options) || world() != nullptr) return {};
    const int first = options.cuda.devices.empty() ? options.cuda.device : options.cuda.devices.front();
    try {
        return std::async(std::launch::async, [first] { wake_cuda_device(first); });
    } catch (const std::system_error&) {  // no thread can be made: the device wakes when it is used
        return {};
    }
}

ChosenBackend make_backend(const Problem& problem, const BackendOptions& options)
{
    const bool divided = !options.cuda.devices.empty();
    const char* const asked = asked_by(options);
    const bool on_devices = asks_for_devices(options);
    const bool automatic = options.kind == BackendKind::automatic && !on_devices;
    if (on_devices && options.kind == BackendKind::cpu)
        throw input_error("{} is for CUDA, but --backend is cpu; omit one of the two", asked);
    if (on_devices && names_cpu(options))
        throw input_error("{}: --threads, --lanes and --ranks are those of the CPU; leave them out", asked);
    if (Peers* const all = world()) return make_shared_backend(problem, options, *all);
    if (automatic && names_cpu(options)) return {make_cpu_backend(problem, options.cpu), {}, {}};
    if (options.kind == BackendKind::cpu || (automatic && !built_with_cuda()))
        return {make_cpu_backend(problem, options.cpu), {}, {}};
    std::string obstacle = obstacle_of(problem, options.cuda);
    if (obstacle.empty()) {
        const int first = divided ? options.cuda.devices.front() : options.cuda.device;
        return {make_cuda_backend(problem, options.cuda), {}, describe_cuda_device(first)};
    }
    if (!automatic) {
        const bool kind_asks = options.kind == BackendKind::cuda && !divided;
        throw Error(ExitCode::unsupported, fmt::format("{}: {}; {}", asked, obstacle,
                                                       kind_asks ? "--backend cpu runs without it" : "leave it out"));
    }
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
        throw input_error("--audit-on {}: allowed are cpu, cpu:LANES, cuda and cuda:DEVICE, e.g. cpu:1 or cuda:1",
                          shortened(std::string(text)));
    }
    audit.kind = kind == "cpu" ? BackendKind::cpu : BackendKind::cuda;
    if (numbered) (kind == "cpu" ? audit.lanes : audit.device) = value;
    constexpr std::array lanes{0, 1, 2, 4, 8, 16};
    if (std::ranges::find(lanes, audit.lanes) == lanes.end())
        throw input_error("--audit-on {}: a CPU has 1, 2, 4, 8 or 16 lanes", text);
}

std::unique_ptr<Backend> make_audit_backend(const Problem& problem, const AuditOptions& audit,
                                            const BackendOptions& run, bool run_on_device)
{
    const bool automatic = audit.kind == BackendKind::automatic;
    // Of the devices of a machine other processes have theirs: rank 0 takes one that is named, or its CPU.
    const bool shared = world() != nullptr;
    if (audit.kind == BackendKind::cuda || (automatic && run_on_device && !shared)) {
        CudaOptions options = {.device = audit.device, .neighbours = run.cuda.neighbours};
        if (options.device < 0 && !shared) options.device = other_device(problem, run, run_on_device);
        if (options.device >= 0) {
            const std::string obstacle = why_no_cuda(problem, options);
            if (obstacle.empty()) return make_cuda_backend(problem, options);
            throw Error(ExitCode::unsupported, fmt::format("--audit-on cuda:{}: {}; --audit-on cpu does without it",
                                                           options.device, obstacle));
        }
        if (!automatic && shared) {
            throw Error(ExitCode::unsupported,
                        "--audit-on cuda: name a device that the other processes do not use, e.g. cuda:0, or use "
                        "--audit-on cpu");
        }
        if (!automatic) {
            options.device = 0;  // what keeps the first from it, unless that is the run's
            const std::string obstacle = why_no_cuda(problem, options);
            throw Error(ExitCode::unsupported,
                        obstacle.empty()
                            ? "--audit-on cuda: no CUDA device except those of the run could do the audit; name one, "
                              "e.g. cuda:0, or use --audit-on cpu"
                            : fmt::format("--audit-on cuda: {}; --audit-on cpu does without it", obstacle));
        }
    }
    CpuOptions options{
        .threads = run.cpu.threads, .lanes = audit.lanes, .neighbours = run.cpu.neighbours, .alone = true};
    if (is_of_devices(options.neighbours)) options.neighbours = NeighbourStorage::automatic;
    if (!run_on_device && audit.lanes == 0) {
        const bool has_lists = run.cpu.neighbours != NeighbourStorage::none;
        options.neighbours = has_lists ? NeighbourStorage::none : NeighbourStorage::stored;
    }
    return make_cpu_backend(problem, options);
}

}  // namespace halfulp
