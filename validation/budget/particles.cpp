#include "validation/budget/condition.hpp"

#include <map>

#include "validation/columns.hpp"

namespace halfulp {

std::vector<HeldParticle> held_particles(const Problem& problem, const Backend& backend)
{
    const Snapshot snapshot = backend.snapshot();
    const Rates rates = backend.rates();
    const Column& position = column_of(snapshot, "position");
    const Column& cell = column_of(snapshot, "cell");
    const Column& offset = column_of(snapshot, "offset");
    const Column& offset_residual = column_of(snapshot, "offset_residual");
    const Column& velocity = column_of(snapshot, "velocity");
    const Column& velocity_residual = column_of(snapshot, "velocity_residual");
    const Column& density = column_of(snapshot, "density_deviation");
    const Column& density_residual = column_of(snapshot, "density_residual");
    const Column& kind = column_of(snapshot, "kind");
    // Floats, all of them: nothing is rounded.
    const auto single = [](const Column& column, std::size_t k) { return static_cast<float>(number_at(column, k)); };
    // A power of two: velocities go back without rounding.
    const auto unit = static_cast<float>(problem.units.velocity);
    std::vector<HeldParticle> particles(snapshot.count);
    for (std::size_t i = 0; i < particles.size(); ++i) {
        HeldParticle& p = particles[i];
        for (std::size_t c = 0; c < 3; ++c) {
            p.cell[c] = static_cast<std::int32_t>(number_at(cell, 3 * i + c));
            p.offset[c] = single(offset, 3 * i + c);
            p.offset_residual[c] = single(offset_residual, 3 * i + c);
            p.velocity[c] = single(velocity, 3 * i + c) / unit;
            p.velocity_residual[c] = single(velocity_residual, 3 * i + c) / unit;
            p.position[c] = number_at(position, 3 * i + c) - problem.source.origin.cells[c] * problem.units.length;
        }
        p.density = single(density, i);
        p.density_residual = single(density_residual, i);
        p.kind = static_cast<Kind>(number_at(kind, i));
        for (std::size_t c = 0; c < 4; ++c) p.rate[c] = static_cast<float>(rates.leading[i][c]);
    }
    return particles;
}

std::vector<std::vector<Neighbour>> neighbours_of(const Problem& problem, const std::vector<HeldParticle>& particles)
{
    using Cell = std::array<std::int64_t, 3>;
    const auto within_period = [&](Cell cell) {
        for (std::size_t c = 0; c < 3; ++c) {
            const std::int64_t period = problem.period[c];
            if (period == 0) continue;
            const std::int64_t first = problem.source.origin.cells[c];
            cell[c] = first + ((cell[c] - first) % period + period) % period;
        }
        return cell;
    };
    std::map<Cell, std::vector<std::uint32_t>> of_cell;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const auto& cell = particles[i].cell;
        of_cell[within_period({cell[0], cell[1], cell[2]})].push_back(static_cast<std::uint32_t>(i));
    }
    // A pair within the support now was within support + skin when neighbours were last found, and cells are from then.
    const int reach = problem.search_cells;
    const int deep = problem.source.dimensions == 3 ? reach : 0;
    std::vector<std::vector<Neighbour>> neighbours(particles.size());
    for (std::size_t a = 0; a < particles.size(); ++a) {
        const auto& cell = particles[a].cell;
        for (int z = -deep; z <= deep; ++z) {
            for (int y = -reach; y <= reach; ++y) {
                for (int x = -reach; x <= reach; ++x) {
                    const auto found = of_cell.find(within_period(
                        {std::int64_t(cell[0]) - x, std::int64_t(cell[1]) - y, std::int64_t(cell[2]) - z}));
                    if (found == of_cell.end()) continue;
                    const bool own = x == 0 && y == 0 && z == 0;
                    for (const std::uint32_t b : found->second)
                        if (!own || b != a) neighbours[a].push_back({b, {x, y, z}});
                }
            }
        }
    }
    return neighbours;
}

}  // namespace halfulp
