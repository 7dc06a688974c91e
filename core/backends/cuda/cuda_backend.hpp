// The interface of the CUDA back end, also in a build without CUDA, where it reports that.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/backends/backend.hpp"
#include "core/backends/batch.hpp"
#include "core/backends/neighbour_storage.hpp"
#include "core/distribution/halo.hpp"

namespace halfulp {

struct CudaOptions {
    int device = 0;
    NeighbourStorage neighbours = NeighbourStorage::automatic;
    int block = 256;  // threads per block in the loops over particles; changes no bit of the result
    // Not empty: a rank for each of these, which may name a device twice, instead of `device`.
    std::vector<int> devices{};
    Cuts cuts{};
    Peers* processes = nullptr;  // that share the run, each with a device of its own
};

// Whether this build has a CUDA back end.
bool built_with_cuda();

// Starts to use a device, which takes a third of a second the first time. Failures are not reported here, but by the
// calls that follow.
void wake_cuda_device(int device);

// CUDA devices that the program sees; 0 without a driver.
int cuda_devices();
// The address of a device, which no other device of this machine has, e.g. "0000:3b:00.0"; empty if there is no such
// device.
std::string cuda_device_address(int device);

// Reason why this build, machine or device cannot run the problem: a clause without a full stop. Empty if it can.
std::string why_no_cuda(const Problem& problem, const CudaOptions& options);

// Resources of a device for a problem; valid if why_no_cuda is empty for it.
struct CudaPlan {
    std::string device;  // e.g. "NVIDIA H200"
    double free_bytes = 0;
    double total_bytes = 0;
    double cells_per_particle = 0;       // in the bulk of the fluid
    double bytes_per_particle = 0;       // without neighbours
    double list_bytes_per_particle = 0;  // estimate for the bulk of the fluid
    double compact_bytes_per_particle = 0;
    double mask_bytes_per_particle = 0;
    NeighbourStorage neighbours = NeighbourStorage::stored;  // what will be kept; not automatic
};
CudaPlan plan_cuda(const Problem& problem, const CudaOptions& options);

// The same for many problems: the device is asked once for its free memory, which takes longer than the plan.
std::vector<CudaPlan> plan_cuda(const std::vector<const Problem*>& problems, const CudaOptions& options);

// The part of a plan that needs no device: bytes per particle on one of several ranks, without neighbours, and bytes of
// a particle's list in the bulk of the fluid. None if this build has no CUDA back end for the problem's precision.
struct CudaRankBytes {
    double particle;
    double list;
};
std::optional<CudaRankBytes> cuda_bytes_of_rank(const Problem& problem, std::size_t ranks);

// Description of a device for the provenance: e.g. "NVIDIA H200, compute capability 9.0, 150 GB; driver 580.95.05 for
// CUDA 13.0, runtime 13.0".
std::string describe_cuda_device(int device);

// On the devices that the options name, or rank 0 of their processes. Throws an Error if memory is insufficient.
std::unique_ptr<Backend> make_cuda_backend(const Problem& problem, const CudaOptions& options);

// Serves as a process other than rank 0 in options.processes, until rank 0 ends. check: see Ranks::serve.
void serve_cuda_rank(const Problem& problem, const CudaOptions& options, const std::function<void()>& check);

// For problems that may share a batch. Throws an Error if memory is insufficient.
BatchOfRuns make_cuda_batch(const std::vector<const Problem*>& problems, const CudaOptions& options);

}  // namespace halfulp
