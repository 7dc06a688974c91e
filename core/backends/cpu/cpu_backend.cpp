#include "core/backends/cpu/cpu_backend.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <omp.h>

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

template <class Policy>
std::unique_ptr<Backend> make_with_policy(const Problem& problem, int threads, int lanes)
{
    if (problem.source.dimensions == 2) return std::make_unique<CpuParticles<Policy, 2>>(problem, threads, lanes);
    return std::make_unique<CpuParticles<Policy, 3>>(problem, threads, lanes);
}

}  // namespace

std::unique_ptr<Backend> make_cpu_backend(const Problem& problem, const CpuOptions& options)
{
    if (options.threads < 0 || options.threads > 4096)
        throw input_error(fmt::format("--threads {}: allowed are 1 to 4096, or 0 to have it chosen", options.threads));
    const int threads = options.threads > 0 ? options.threads : usual_threads(problem);
    const std::string& precision = problem.source.numerics.precision;
    if (precision == RobustPolicy::name)
        return make_with_policy<RobustPolicy>(problem, threads,
                                              options.lanes > 0 ? options.lanes : usual_lanes<RobustPolicy>);
    if (precision == DoublePolicy::name)
        return make_with_policy<DoublePolicy>(problem, threads,
                                              options.lanes > 0 ? options.lanes : usual_lanes<DoublePolicy>);
    throw input_error(fmt::format("numerics.precision: \"{}\" is unknown; allowed: \"{}\", \"{}\"", precision,
                                  RobustPolicy::name, DoublePolicy::name));
}

}  // namespace halfulp
