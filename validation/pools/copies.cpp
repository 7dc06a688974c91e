#include "validation/pools/record.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/results/state_hash.hpp"
#include "core/setup/policy_table.hpp"
#include "precision/real.hpp"
#include "validation/columns.hpp"

namespace halfulp {

Problem with_copies(const Problem& problem, const std::vector<Cells>& places)
{
    Problem copies = problem;
    copies.particles.clear();
    copies.particles.reserve(problem.particles.size() * places.size());
    for (const Cells& place : places) {
        for (InitialParticle particle : problem.particles) {
            for (std::size_t k = 0; k < 3; ++k) {
                const std::int64_t cell = std::int64_t(particle.cell[k]) + place[k];
                if (cell > std::numeric_limits<std::int32_t>::max() || cell < std::numeric_limits<std::int32_t>::min())
                    throw input_error(fmt::format(
                        "a copy {} cells away would have a particle in cell {}, outside of the 32-bit range of cells "
                        "(+-2147483647); take a smaller distance or a larger resolution.spacing",
                        place[k], cell));
                particle.cell[k] = static_cast<std::int32_t>(cell);
            }
            copies.particles.push_back(particle);
        }
    }
    copies.fluid *= places.size();
    copies.wall *= places.size();
    copies.available_energy *= static_cast<double>(places.size());
    // The particles no longer stand in the order of the shapes.
    copies.of_shape.clear();
    return copies;
}

CopyState state_of_copy(const Problem& problem, const Snapshot& snapshot, std::size_t first, std::size_t count,
                        const Cells& place)
{
    const PolicyInfo& policy = *find_policy(problem.source.numerics.precision);
    const Column& velocity = column_of(snapshot, "velocity");
    const Column& density = column_of(snapshot, "density_deviation");
    const Column& kind = column_of(snapshot, "kind");
    const Column& cell = column_of(snapshot, "cell");
    const Column& offset = column_of(snapshot, "offset");
    const Column* const coordinate = find_column(snapshot, "coordinate");
    const Column* const residual = find_column(snapshot, "offset_residual");
    const bool by_cell = policy.relative_to_cell && coordinate == nullptr;
    const auto side = static_cast<double>(problem.parameters.cell_side);

    CopyState state;
    for (std::size_t i = first; i < first + count; ++i) {
        std::array<double, 3> x{};
        std::array<double, 3> u{};
        Cells from_place{};
        for (std::size_t k = 0; k < 3; ++k) {
            const auto origin = static_cast<double>(place[k]);
            const auto number = static_cast<std::int64_t>(number_at(cell, 3 * i + k)) - place[k];
            from_place[k] = static_cast<std::int32_t>(number);
            const double rest = residual != nullptr ? number_at(*residual, 3 * i + k) : 0;
            // The subtraction rounds once, however far away the place is.
            if (by_cell) x[k] = static_cast<double>(number) * side + (number_at(offset, 3 * i + k) + rest);
            else x[k] = fma(-origin, side, number_at(coordinate != nullptr ? *coordinate : offset, 3 * i + k)) + rest;
            x[k] *= problem.units.state;
            u[k] = number_at(velocity, 3 * i + k);
        }
        const std::size_t before = state.words.size();
        for (std::size_t k = 0; k < 3; ++k) {
            if (by_cell) state.words.push_back(static_cast<std::uint32_t>(from_place[k]));
            else state.words.push_back(std::bit_cast<std::uint64_t>(x[k]));
        }
        for (const Column& column : snapshot.columns) {
            // What a global coordinate has of its place is in the position already.
            const bool global = !by_cell && (column.name == "offset" || column.name == "coordinate");
            if (!column.state || column.name == "cell" || global) continue;
            const auto components = static_cast<std::size_t>(column.components);
            for (std::size_t k = 0; k < components; ++k) state.words.push_back(bits_at(column, i * components + k));
        }
        state.width = state.words.size() - before;
        state.position.push_back(x);
        state.velocity.push_back(u);
        state.density.push_back(number_at(density, i));
        state.kind.push_back(number_at(kind, i) == 0 ? Kind::fluid : Kind::wall);
        state.cell.push_back(from_place);
    }
    return state;
}

std::size_t differing_particles(const CopyState& a, const CopyState& b)
{
    const std::size_t count = std::max(a.kind.size(), b.kind.size());
    if (a.width != b.width || a.words.size() != b.words.size()) return count;
    std::size_t differing = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto begin = a.words.begin() + static_cast<std::ptrdiff_t>(i * a.width);
        const auto other = b.words.begin() + static_cast<std::ptrdiff_t>(i * a.width);
        differing += std::equal(begin, begin + static_cast<std::ptrdiff_t>(a.width), other) ? 0 : 1;
    }
    return differing;
}

StateHash hash_of_copy(const CopyState& state)
{
    StateHash hash;
    for (std::size_t i = 0; i < state.kind.size(); ++i) {
        ParticleDigest digest;
        digest.absorb(static_cast<std::uint32_t>(i));
        for (std::size_t k = 0; k < state.width; ++k) {
            const std::uint64_t word = state.words[i * state.width + k];
            digest.absorb(static_cast<std::uint32_t>(word));
            digest.absorb(static_cast<std::uint32_t>(word >> 32U));
        }
        add(hash, digest.finish());
    }
    return hash;
}

}  // namespace halfulp
