// The choice between the CPU and a CUDA device in a measurement that can be made on either.
#pragma once

#include "core/backends/make_backend.hpp"
#include "validation/experiment.hpp"

namespace halfulp {

struct ChosenMachine {
    std::string backend = "cpu";
    int device = 0;

    [[nodiscard]] bool on_device() const { return backend == "cuda"; }
    // threads: of the CPU.
    [[nodiscard]] BackendOptions options(int threads, NeighbourStorage neighbours = NeighbourStorage::automatic) const;
    [[nodiscard]] std::string description(int threads) const;
    // Throws an Error if a device was chosen and cannot be used. command: e.g. "bench order".
    void require(const std::string& command) const;
    // Adds --backend and --device.
    void add_options(CLI::App& command);
};

struct MachineOptions : BenchOptions {
    ChosenMachine machine;
    static constexpr const char* folder_help = "Folder for the tables";
};

}  // namespace halfulp
