#include "validation/device/chosen_backend.hpp"

#include "core/app/machine.hpp"
#include "core/error.hpp"
#include "validation/device/device.hpp"

namespace halfulp {

BackendOptions ChosenMachine::options(int threads, NeighbourStorage neighbours) const
{
    BackendOptions options;
    options.kind = on_device() ? BackendKind::cuda : BackendKind::cpu;
    options.cuda.device = device;
    options.cuda.neighbours = neighbours;
    if (!on_device()) {
        options.cpu.threads = threads;
        options.cpu.neighbours = neighbours;
    }
    return options;
}

std::string ChosenMachine::description(int threads) const
{
    if (on_device()) return describe_cuda_device(device);
    return fmt::format("{}, {} thread{}", describe_processor(), threads, threads == 1 ? "" : "s");
}

void ChosenMachine::require(const std::string& command) const
{
    if (!on_device()) return;
    if (const std::string obstacle = use_device(device); !obstacle.empty())
        throw Error(ExitCode::unsupported,
                    fmt::format("{} --backend cuda: {}; --backend cpu runs without one", command, obstacle));
}

void ChosenMachine::add_options(CLI::App& command)
{
    add(command, "--backend", backend, "cpu or cuda", CLI::IsMember({"cpu", "cuda"}));
    add(command, "--device", device, "CUDA device", CLI::Range(0, 1023));
}

}  // namespace halfulp
