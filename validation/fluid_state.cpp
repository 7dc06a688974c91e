#include "validation/fluid_state.hpp"

#include "validation/columns.hpp"

namespace halfulp {

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

}  // namespace halfulp
