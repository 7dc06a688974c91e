#include "validation/strategies/cpu/arrangement.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/state_equation.hpp"
#include "validation/columns.hpp"

namespace halfulp::strategies {

State state_of(const Problem& problem, const Snapshot& snapshot)
{
    const Column& cell = column_of(snapshot, "cell");
    const Column& offset = column_of(snapshot, "offset");
    const Column& velocity = column_of(snapshot, "velocity");
    const Column& density = column_of(snapshot, "density_deviation");
    const Column& kind = column_of(snapshot, "kind");
    State state;
    for (std::size_t i = 0; i < snapshot.count; ++i) {
        Four<std::int32_t> in{};
        Four<float> place{};
        Four<float> motion{};
        for (int c = 0; c < 3; ++c) {
            const std::size_t k = 3 * i + static_cast<std::size_t>(c);
            in[c] = static_cast<std::int32_t>(number_at(cell, k));
            place[c] = static_cast<float>(number_at(offset, k));
            motion[c] = static_cast<float>(number_at(velocity, k) / problem.units.velocity);
        }
        motion.w = static_cast<float>(number_at(density, i));
        place.w = pressure_term(problem.physics, CentredDensity<float>{motion.w}, problem.parameters.stiffness);
        state.cell.push_back(in);
        state.place.push_back(place);
        state.motion.push_back(motion);
        state.kind.push_back(static_cast<Kind>(number_at(kind, i)));
    }
    return state;
}

Arrangement::Arrangement(const State& state, double support, int divided, std::array<int, 3> axes) : divisions(divided)
{
    const std::size_t count = state.cell.size();
    const auto coordinate = [&](std::size_t i, std::size_t axis) {
        return state.cell[i][axes[axis]] + static_cast<double>(state.place[i][axes[axis]]);
    };
    const double side = support / divided;
    std::array<double, 3> low{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double least = coordinate(0, axis);
        double most = least;
        for (std::size_t i = 0; i < count; ++i) {
            least = std::min(least, coordinate(i, axis));
            most = std::max(most, coordinate(i, axis));
        }
        low[axis] = least - divided * side;
        size_[axis] = static_cast<std::int32_t>(std::floor((most - low[axis]) / side)) + divided + 1;
    }
    std::vector<std::int32_t> of(count);
    for (std::size_t i = 0; i < count; ++i) {
        std::array<std::int32_t, 3> at{};
        for (std::size_t axis = 0; axis < 3; ++axis)
            at[axis] = static_cast<std::int32_t>(std::floor((coordinate(i, axis) - low[axis]) / side));
        of[i] = at[0] + size_[0] * (at[1] + size_[1] * at[2]);
    }
    for (const Kind which : {Kind::fluid, Kind::wall}) {
        std::vector<std::uint32_t>& first = which == Kind::fluid ? fluid_ : walls_;
        first.assign(static_cast<std::size_t>(cells()) + 1, 0);
        for (std::size_t i = 0; i < count; ++i)
            if (state.kind[i] == which) ++first[static_cast<std::size_t>(of[i]) + 1];
        first[0] = static_cast<std::uint32_t>(id.size());
        for (std::size_t c = 1; c < first.size(); ++c) first[c] += first[c - 1];
        std::vector<std::uint32_t> end(first.begin(), first.end() - 1);
        id.resize(first.back());
        for (std::size_t i = 0; i < count; ++i)
            if (state.kind[i] == which) id[end[static_cast<std::size_t>(of[i])]++] = static_cast<std::uint32_t>(i);
        if (which == Kind::fluid) fluid_count = static_cast<std::uint32_t>(id.size());
    }
    for (const std::uint32_t i : id) {
        cell.push_back(state.cell[i]);
        place.push_back(state.place[i]);
        motion.push_back(state.motion[i]);
    }
    for (int k = -divided; k <= divided; ++k)
        for (int j = -divided; j <= divided; ++j) offsets.push_back(size_[0] * (j + size_[1] * k));
}

}  // namespace halfulp::strategies
