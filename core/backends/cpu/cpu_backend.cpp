#include "core/backends/cpu/cpu_backend.hpp"

#include <algorithm>
#include <new>
#include <string>
#include <vector>

#include <omp.h>

#include "core/backends/cpu/make_cpu_particles.hpp"
#include "core/distribution/world.hpp"
#include "core/error.hpp"
#include "core/laboratory.hpp"
#include "core/registry.hpp"
#include "core/setup/host_memory.hpp"
#include "core/setup/host_threads.hpp"
#include "core/setup/policy_table.hpp"
#include "kernels/policies.hpp"

namespace halfulp {

namespace {

// Read before anything changes it: OMP_NUM_THREADS if set, otherwise the number of processors.
const int threads_offered = offered_threads();

// With fewer particles a thread costs more in waiting than it gains, above all on a busy machine.
constexpr std::size_t particles_per_thread = 2000;

constexpr int most_ranks = 1024;

int usual_threads(const Problem& problem)
{
    const std::size_t useful = problem.particles.size() / particles_per_thread;
    return std::max(1, std::min(threads_offered, static_cast<int>(std::min<std::size_t>(useful, most_threads))));
}

// The part of the particles that lies on this machine, of which processes may have others.
double share_of_machine(const Peers* processes)
{
    if (processes == nullptr) return 1;
    return static_cast<double>(processes->ranks_on_machine()) / static_cast<double>(processes->ranks());
}

// Whether neighbours are stored. Fails where there is no memory for the particles alone, or with the lists that are
// wished for, instead of when it is used up: a system that lends more than it has would end the program without a word.
bool store_neighbours(const Problem& problem, NeighbourStorage wish, double particle_bytes, double share)
{
    if (is_of_devices(wish))
        throw Error(ExitCode::unsupported, std::string("--neighbours ") +
                                               (wish == NeighbourStorage::compact ? "compact" : "masks") +
                                               ": only CUDA devices have them; take auto, stored or none");
    const double particles = share * static_cast<double>(problem.particles.size());
    const double free = host_memory().free;
    const double lists = share * neighbour_bytes(problem);
    const double bytes = particles * particle_bytes + (wish == NeighbourStorage::stored ? lists : 0);
    if (bytes > free) throw std::bad_alloc();
    if (wish != NeighbourStorage::automatic) return wish == NeighbourStorage::stored;
    return lists < 0.5 * free && bytes + lists < free;
}

std::vector<CpuPolicy> cpu_policies()
{
    std::vector<CpuPolicy> all{
#define HALFULP_ADD(Policy) cpu_policy<Policy>(),
        HALFULP_FOR_EACH_PROGRAM_POLICY(HALFULP_ADD)
#undef HALFULP_ADD
    };
    for (const CpuPolicy& more : registry<CpuPolicy>()) all.push_back(more);
    return all;
}

const CpuPolicy& cpu_policy_named(const std::string& precision)
{
    static const std::vector<CpuPolicy> all = cpu_policies();
    for (const CpuPolicy& one : all) {
        if (precision == one.name) return one;
    }
    throw input_error("numerics.precision is \"{}\", {}", precision, why_no_policy(precision));
}

// The program has one lane and the usual number; the laboratory adds others.
void check_lanes(int lanes, const CpuPolicy& policy)
{
    if (lanes <= 1 || lanes == policy.usual_lanes || !registry<CpuPolicy>().empty()) return;
    throw input_error(
        "--lanes {}: in this program the precision \"{}\" runs with 1 and {} lanes; halfulp-lab has {} and {} as well ({})",
        lanes, policy.name, policy.usual_lanes, policy.usual_lanes / 2, 2 * policy.usual_lanes,
        how_to_build_laboratory);
}

// Of one rank; of the processes that share the run, or null.
CpuSettings settings_of(const Problem& problem, const CpuOptions& options, const CpuPolicy& policy,
                        const Peers* processes)
{
    if (options.threads < 0 || options.threads > most_threads)
        throw input_error("--threads {}: allowed are 1 to {}, or 0 to have it chosen", options.threads, most_threads);
    refuse_number_of_ranks(options.ranks);
    check_lanes(options.lanes, policy);
    const int threads = options.threads > 0 ? options.threads : usual_threads(problem);
    make_threads(threads);
    return {.threads = std::max(1, threads / std::max(1, options.ranks)),
            .lanes = options.lanes > 0 ? options.lanes : policy.usual_lanes,
            .stored = store_neighbours(problem, options.neighbours,
                                       static_cast<double>(policy.bytes_per_particle(problem.physics)),
                                       share_of_machine(processes)),
            .cuts = options.cuts};
}

}  // namespace

void refuse_number_of_ranks(int ranks)
{
    if (ranks >= 0 && ranks <= most_ranks) return;
    throw input_error("--ranks {}: allowed are 1 to {}, or 0 for an undivided run", ranks, most_ranks);
}

void refuse_ranks(const char* precision)
{
    throw input_error("--ranks: the precision \"{}\" runs undivided only; leave it out", precision);
}

// A candidate takes 8 bytes; a fluid particle's share of its group's list is about 0.3 per particle within reach.
double neighbour_bytes(const Problem& problem)
{
    const double listed = listed_neighbours(problem);
    const auto walls = static_cast<double>(problem.wall);
    // Few walls are targets, or have mirror nodes with fluid around them: shares that come within a sixth of what runs
    // tell ("bytes each") of dam-break-2d and -3d, spheric2 and a cube of water with numerics.walls=modified-dynamic.
    double bytes = 8 * 0.3 * listed * (static_cast<double>(problem.fluid) + 0.15 * walls);
    if (have_mirror_images(problem.physics.walls)) {
        const double place = 8 * (problem.source.dimensions + 1);
        bytes += static_cast<double>(problem.particles.size()) * place + 4 * 0.35 * listed * walls;
    }
    return bytes;
}

std::unique_ptr<Backend> make_cpu_backend(const Problem& problem, const CpuOptions& options)
{
    Peers* const processes = options.alone ? nullptr : world();
    if (processes != nullptr && options.ranks != 0) {
        throw input_error("--ranks {}: the ranks are the {} processes that were started together; leave it out",
                          options.ranks, processes->ranks());
    }
    const CpuPolicy& policy = cpu_policy_named(problem.source.numerics.precision);
    CpuSettings settings = settings_of(problem, options, policy, processes);
    if (processes != nullptr) {
        settings.peers = processes;
        return policy.make(problem, settings, nullptr);
    }
    if (options.ranks == 0) return policy.make(problem, settings, nullptr);
    auto others = std::make_unique<LocalRanks>(static_cast<std::size_t>(options.ranks),
                                               [&policy, &problem, settings](Peers& peers) {
                                                   CpuSettings own = settings;
                                                   own.peers = &peers;
                                                   policy.serve(problem, own, [] {});
                                               });
    settings.peers = &others->first();
    return policy.make(problem, settings, std::move(others));
}

void serve_cpu_rank(const Problem& problem, const CpuOptions& options, Peers& peers, const std::function<void()>& check)
{
    const CpuPolicy& policy = cpu_policy_named(problem.source.numerics.precision);
    CpuSettings settings = settings_of(problem, options, policy, &peers);
    settings.peers = &peers;
    policy.serve(problem, settings, check);
}

BytesOfStep bytes_sent_in_step(const Problem& problem, const std::vector<Operation>& step)
{
    return cpu_policy_named(problem.source.numerics.precision)
        .bytes_of_step(step, problem.physics, problem.source.dimensions);
}

std::size_t cpu_bytes_per_particle(const std::string& precision, const Physics& physics)
{
    return cpu_policy_named(precision).bytes_per_particle(physics);
}

bool processor_has_avx512()
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
           __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512bw") != 0;
#else
    return false;
#endif
}

}  // namespace halfulp
