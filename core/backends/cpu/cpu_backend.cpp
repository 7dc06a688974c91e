#include "core/backends/cpu/cpu_backend.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <omp.h>
#include <unistd.h>

#include "core/backends/cpu/cpu_particles.hpp"
#include "core/error.hpp"
#include "precision/policy.hpp"

namespace halfulp {

namespace {

// Asked before anything sets it: OMP_NUM_THREADS where that is set, otherwise what the machine has.
const int threads_offered = omp_get_max_threads();

// A thread with little to do costs more in waiting than it brings, above all on a busy machine.
constexpr std::size_t particles_per_thread = 2000;

int usual_threads(const Problem& problem)
{
    const std::size_t useful = problem.particles.size() / particles_per_thread;
    return std::max(1, std::min(threads_offered, static_cast<int>(std::min<std::size_t>(useful, 4096))));
}

bool store_neighbours(const Problem& problem, NeighbourStorage wish)
{
    if (wish != NeighbourStorage::automatic) return wish == NeighbourStorage::stored;
    const double pages = static_cast<double>(sysconf(_SC_AVPHYS_PAGES));
    const double page = static_cast<double>(sysconf(_SC_PAGESIZE));
    return neighbour_bytes(problem) < 0.5 * pages * page;
}

template <class Policy>
std::unique_ptr<Backend> make_with_policy(const Problem& problem, const CpuSettings& settings)
{
    CpuSettings own = settings;
    if (own.lanes == 0) own.lanes = usual_lanes<Policy>;
    if (problem.source.dimensions == 2) return std::make_unique<CpuParticles<Policy, 2>>(problem, own);
    return std::make_unique<CpuParticles<Policy, 3>>(problem, own);
}

}  // namespace

// A candidate takes 8 bytes; a fluid particle's share of its group's list is about 0.3 of them a particle within reach.
double neighbour_bytes(const Problem& problem)
{
    const Case& c = problem.source;
    const double reach = support_radius(c) * (1 + skin_fraction(c)) / c.resolution.spacing;
    const double within = c.dimensions == 2 ? 3.1416 * reach * reach : 4.1888 * reach * reach * reach;
    return static_cast<double>(problem.fluid) * 8 * 0.3 * within;
}

std::unique_ptr<Backend> make_cpu_backend(const Problem& problem, const CpuOptions& options)
{
    if (options.threads < 0 || options.threads > 4096)
        throw input_error(fmt::format("--threads {}: allowed are 1 to 4096, or 0 to have it chosen", options.threads));
    const CpuSettings settings{.threads = options.threads > 0 ? options.threads : usual_threads(problem),
                               .lanes = options.lanes,
                               .stored = store_neighbours(problem, options.neighbours)};
    const std::string& precision = problem.source.numerics.precision;
#define HALFULP_TRY(Policy) \
    if (precision == Policy::name) return make_with_policy<Policy>(problem, settings);
    HALFULP_FOR_EACH_POLICY(HALFULP_TRY)
#undef HALFULP_TRY
    throw input_error(fmt::format("numerics.precision: \"{}\" is unknown", precision));
}

}  // namespace halfulp
