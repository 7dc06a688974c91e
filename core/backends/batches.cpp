#include "core/backends/batches.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace halfulp {

namespace {

// Lists are copied when they grow, and sorting takes a copy of the state.
constexpr double room_for_copies = 2;
constexpr double share_of_free_memory = 0.9;
// Indices of particles have 32 bits, the entries of neighbour lists 22 for the difference of two.
constexpr double most_particles_of_batch = 2e9;
constexpr std::size_t most_particles_of_run = 1U << 20U;
}  // namespace

std::string why_alone(const Problem& problem)
{
    if (problem.physics.previous_state == PreviousState::start_of_step)
        return fmt::format(
            "numerics.integrator = \"{}\" keeps the start of each step, and may count its rounds, in each run for itself",
            info_of(problem.source.numerics.integrator).name);
    if (have_mirror_images(problem.physics.walls))
        return "numerics.walls of mDBC and pressure cloning sum over the fluid near mirror nodes, of which batches keep no lists";
    if (problem.physics.analyses != Analyses{})
        return "the columns vorticity, divergence and condition are computed in each run for itself";
    if (problem.particles.size() > most_particles_of_run) return "a run in a batch has at most 1048576 particles";
    return {};
}

bool share_a_batch(const Problem& a, const Problem& b)
{
    const auto& x = a.source.numerics;
    const auto& y = b.source.numerics;
    return a.source.dimensions == b.source.dimensions && x.precision == y.precision && x.kernel == y.kernel &&
           x.integrator == y.integrator && a.physics == b.physics && a.search_cells == b.search_cells &&
           (a.period[0] > 0) == (b.period[0] > 0) && (a.fixed_step > 0) == (b.fixed_step > 0) &&
           a.motions.size() == b.motions.size();
}

std::vector<std::vector<std::size_t>> batches_of(const std::vector<const Problem*>& problems,
                                                 const CudaOptions& options, std::size_t most_runs)
{
    struct Filling {
        std::vector<std::size_t> runs;
        double particles = 0;
        double bytes = 0;
    };
    if (problems.empty()) return {};
    const std::vector<CudaPlan> plans = plan_cuda(problems, options);
    std::vector<Filling> batches;
    for (std::size_t k = 0; k < problems.size(); ++k) {
        const Problem& problem = *problems[k];
        const CudaPlan& plan = plans[k];
        const auto particles = static_cast<double>(problem.particles.size());
        const double bytes =
            room_for_copies * (plan.bytes_per_particle + plan.list_bytes_per_particle) * (particles + 160);
        const auto has_room = [&](const Filling& batch) {
            return batch.runs.size() < most_runs && batch.particles + particles < most_particles_of_batch &&
                   batch.bytes + bytes < share_of_free_memory * plan.free_bytes &&
                   share_a_batch(*problems[batch.runs.front()], problem);
        };
        auto found = std::find_if(batches.begin(), batches.end(), has_room);
        if (found == batches.end()) found = batches.insert(batches.end(), Filling{});
        found->runs.push_back(k);
        found->particles += particles;
        found->bytes += bytes;
    }
    std::vector<std::vector<std::size_t>> lists;
    for (Filling& batch : batches) lists.push_back(std::move(batch.runs));
    return lists;
}

}  // namespace halfulp
