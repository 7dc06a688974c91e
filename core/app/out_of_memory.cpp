#include "core/app/out_of_memory.hpp"

#include <exception>
#include <new>

#include <fmt/format.h>

#include "core/app/summary.hpp"
#include "core/backends/cpu/cpu_backend.hpp"
#include "core/particles/breakdown.hpp"
#include "core/setup/host_memory.hpp"

namespace halfulp {

namespace {

std::string what_there_is()
{
    const HostMemory memory = host_memory();
    std::string text;
    if (memory.known) text = fmt::format("; {} more can be had here", bytes_text(memory.free));
    if (memory.limit > 0)
        text += fmt::format(", of {} that this process may take (ulimit -v)", bytes_text(memory.limit));
    return text;
}

}  // namespace

std::string out_of_memory()
{
    return fmt::format(
        "there is not enough memory{}; raise resolution.spacing or use a larger machine (halfulp info CASE "
        "tells how much a case takes)",
        what_there_is());
}

std::string out_of_memory(const Problem& problem)
{
    const double particles =
        static_cast<double>(problem.particles.size()) *
        static_cast<double>(cpu_bytes_per_particle(problem.source.numerics.precision, problem.physics));
    return fmt::format(
        "there is not enough memory: {} particles take about {} on the CPU and {} of neighbour lists{}; raise "
        "resolution.spacing, try --neighbours none, fewer --threads, or a larger machine",
        problem.particles.size(), bytes_text(particles), bytes_text(neighbour_bytes(problem)), what_there_is());
}

std::string sentence_of_failure()
{
    try {
        throw;
    } catch (const std::bad_alloc&) {
        return out_of_memory();
    } catch (const SimulationBroke& broke) {
        return broke.breakdown.what;
    } catch (const std::exception& failed) {
        return failed.what();
    }
}

}  // namespace halfulp
