// The CPU back end: OpenMP threads over strips and particles, SIMD lanes over target particles.
#pragma once

#include <memory>

#include "core/backends/backend.hpp"
#include "core/backends/neighbour_storage.hpp"
#include "core/distribution/halo.hpp"
#include "core/operations/exchange.hpp"

namespace halfulp {

// Estimated bytes of stored neighbour lists.
double neighbour_bytes(const Problem& problem);

// Throws an Error for a number of ranks that is neither 0 nor possible.
void refuse_number_of_ranks(int ranks);

struct CpuOptions {
    int threads = 0;  // 0: what OMP_NUM_THREADS or the machine offers, fewer for few particles
    int lanes = 0;    // 0: the fastest as a rule
    NeighbourStorage neighbours = NeighbourStorage::automatic;
    int ranks = 0;       // number of ranks among which the domain is divided; 0: undivided
    Cuts cuts{};         // between ranks
    bool alone = false;  // for this process alone, even if others were started with it
};

// What ranks send each other in a step of these operations.
BytesOfStep bytes_sent_in_step(const Problem& problem, const std::vector<Operation>& step);

// Bytes per particle of all buffers, without neighbour lists.
std::size_t cpu_bytes_per_particle(const std::string& precision, const Physics& physics);

// Makes a back end on the ranks that the options ask for or, unless the options say `alone`, as rank 0 of the processes
// that were started together (core/distribution/world.hpp).
std::unique_ptr<Backend> make_cpu_backend(const Problem& problem, const CpuOptions& options);
// Serves as a process other than rank 0, until rank 0 ends. check: see Ranks::serve.
void serve_cpu_rank(const Problem& problem, const CpuOptions& options, Peers& peers,
                    const std::function<void()>& check);

}  // namespace halfulp
