#include "validation/decisive/settled_start.hpp"

#include <mutex>

#include "core/error.hpp"

namespace halfulp::decisive {

namespace {

struct Settled {
    std::array<double, 3> cells{};     // from the case's origin
    std::array<double, 3> velocity{};  // m/s
    double density = 0;                // s = rho/rho0 - 1
};

std::vector<Settled> settled_in_double(const Flow& flow)
{
    Case c = case_of(flow, {.name = "at rest", .precision = "double"});
    c.time.end = flow.settle;
    std::vector<Settled> settled;
    const Look look = [&](const Problem& problem, const Simulation& now) {
        const Snapshot snapshot = now.snapshot();
        const Column& position = column_of(snapshot, "position");
        const Column& velocity = column_of(snapshot, "velocity");
        const Column& density = column_of(snapshot, "density_deviation");
        settled.assign(snapshot.count, {});
        for (std::size_t i = 0; i < settled.size(); ++i) {
            for (std::size_t axis = 0; axis < 3; ++axis) {
                settled[i].cells[axis] = number_at(position, 3 * i + axis) / problem.units.length;
                settled[i].velocity[axis] = number_at(velocity, 3 * i + axis);
            }
            settled[i].density = number_at(density, i);
        }
    };
    if (simulate(prepare(c), std::numeric_limits<std::uint64_t>::max(), look).broke)
        throw Error(ExitCode::stopped, fmt::format("{} does not come to rest: it breaks down", flow.name));
    return settled;
}

const std::vector<Settled>& settled_of(const Flow& flow)
{
    static std::mutex gate;
    static std::map<std::string, std::vector<Settled>> known;
    const std::lock_guard<std::mutex> lock(gate);
    const auto found = known.find(flow.name);
    return found != known.end() ? found->second : known.emplace(flow.name, settled_in_double(flow)).first->second;
}

}  // namespace

void settle(const Flow& flow, Problem& problem)
{
    const std::vector<Settled>& settled = settled_of(flow);
    std::vector<InitialParticle>& particles = problem.particles.stored();
    for (std::size_t i = 0; i < particles.size(); ++i) {
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(problem.source.dimensions); ++axis) {
            const double cell = std::round(settled[i].cells[axis]);
            particles[i].cell[axis] = static_cast<std::int32_t>(cell) + problem.source.origin.cells[axis];
            particles[i].offset[axis] = static_cast<float>(settled[i].cells[axis] - cell);
            particles[i].velocity[axis] = static_cast<float>(settled[i].velocity[axis] / problem.units.velocity);
        }
        particles[i].density = static_cast<float>(settled[i].density);
    }
}

}  // namespace halfulp::decisive
