// The choice of the back end that runs a problem.
#pragma once

#include <cstdint>
#include <functional>
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
    bool names_device = false;  // somebody chose cuda.device: not the CPU in its place
};

// The audit of a run (core/evolution/audit.hpp): how often, and on which machine its steps are done again.
struct AuditOptions {
    std::uint64_t every = 0;  // steps; 0: never
    // Automatic: for a run on a device another device if there is one, else the CPU.
    BackendKind kind = BackendKind::automatic;
    int lanes = 0;    // of the CPU; 0: the fastest as a rule
    int device = -1;  // -1: one on which the run is not
};

// "auto", "cpu" or "cuda"; throws an Error that lists them.
BackendKind backend_kind_from(std::string_view text);

struct ChosenBackend {
    std::unique_ptr<Backend> backend;
    std::string why_not_cuda;  // reason why automatic did not choose CUDA in this build; empty otherwise
    std::string device;        // description of the CUDA device, for the provenance; empty on the CPU
};

// Starts to use the CUDA device that may be chosen, in parallel with the work before make_backend; complete when the
// future is destroyed.
std::future<void> wake_device(const BackendOptions& options);

// Throws an Error if the requested back end cannot run the problem. Processes that were started together
// (core/distribution/world.hpp) each take a CUDA device: the machine's devices in turn if CUDA is requested, otherwise
// only if each process has a device of its own.
ChosenBackend make_backend(const Problem& problem, const BackendOptions& options);
// Serves as a process other than rank 0 of `all`, until rank 0 ends. check: see Ranks::serve. Throws OtherRankFailed if
// rank 0 refuses the back end.
void serve_backend(const Problem& problem, const BackendOptions& options, Peers& all,
                   const std::function<void()>& check);

// "cpu", "cpu:LANES", "cuda" or "cuda:DEVICE" of --audit-on; throws an Error that lists them.
void place_audit(std::string_view text, AuditOptions& audit);

// The back end that repeats the steps of a run with these options, which is on a device or not. On the CPU beside a run
// on the CPU it has other lanes, if they are named, or finds neighbours in the other way of the two, without stored
// lists if the run has them.
std::unique_ptr<Backend> make_audit_backend(const Problem& problem, const AuditOptions& audit,
                                            const BackendOptions& run, bool run_on_device);

}  // namespace halfulp
