#include "validation/columns.hpp"

#include <cstring>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/setup/spelling.hpp"

namespace halfulp {

const Column& column_of(const Snapshot& snapshot, std::string_view name)
{
    if (const Column* const column = find_column(snapshot, name)) return *column;
    std::vector<std::string_view> names;
    for (const Column& column : snapshot.columns) names.push_back(column.name);
    throw input_error(fmt::format("a snapshot has no column \"{}\", but {}; take a precision whose snapshots have it",
                                  name, enumerate_names(names, "and")));
}

std::uint64_t bits_at(const Column& column, std::size_t index)
{
    const std::size_t size = size_of(column.type);
    std::uint64_t bits = 0;
    std::memcpy(&bits, column.data.data() + index * size, size);
    return bits;
}

FluidState fluid_of(const Problem& problem, const Snapshot& snapshot)
{
    const Column& position = column_of(snapshot, "position");
    const Column& velocity = column_of(snapshot, "velocity");
    const Column& pressure = column_of(snapshot, "pressure");
    const Column& kind = column_of(snapshot, "kind");
    FluidState fluid;
    for (std::size_t i = 0; i < snapshot.count; ++i) {
        if (static_cast<Kind>(number_at(kind, i)) != Kind::fluid) continue;
        std::array<double, 3> x{};
        std::array<double, 3> u{};
        for (std::size_t c = 0; c < 3; ++c) {
            x[c] = number_at(position, 3 * i + c) - problem.source.origin.cells[c] * problem.units.length;
            u[c] = number_at(velocity, 3 * i + c);
        }
        fluid.position.push_back(x);
        fluid.velocity.push_back(u);
        fluid.pressure.push_back(number_at(pressure, i));
    }
    return fluid;
}

double coordinate_of(const Problem& problem, const InitialParticle& particle, std::size_t axis, bool with_origin)
{
    const std::int64_t cell = std::int64_t(particle.cell[axis]) - (with_origin ? 0 : problem.source.origin.cells[axis]);
    return (static_cast<double>(cell) + static_cast<double>(particle.offset[axis])) * problem.units.length;
}

}  // namespace halfulp
