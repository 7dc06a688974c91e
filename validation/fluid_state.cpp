#include "validation/fluid_state.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace halfulp {

namespace {

template <class T>
double number_at(const Column& column, std::size_t index)
{
    T value;
    std::memcpy(&value, column.data.data() + index * sizeof(T), sizeof(T));
    return static_cast<double>(value);
}

double number_at(const Column& column, std::size_t index)
{
    return column.type == ColumnType::float64   ? number_at<double>(column, index)
           : column.type == ColumnType::float32 ? number_at<float>(column, index)
                                                : number_at<std::uint8_t>(column, index);
}

}  // namespace

FluidState fluid_of(const Problem& problem, const Snapshot& snapshot)
{
    const auto column = [&](std::string_view name) -> const Column& {
        return *std::find_if(snapshot.columns.begin(), snapshot.columns.end(),
                             [&](const Column& one) { return one.name == name; });
    };
    const Column& position = column("position");
    const Column& velocity = column("velocity");
    const Column& pressure = column("pressure");
    FluidState fluid;
    for (std::size_t i = 0; i < snapshot.count; ++i) {
        if (problem.particles[i].kind != Kind::fluid) continue;
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
