#include "validation/strategies/arrangement.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/error.hpp"
#include "kernels/state_equation.hpp"
#include "precision/position.hpp"
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

Problem starting_from(const Problem& problem, const Snapshot& snapshot)
{
    const Column& cell = column_of(snapshot, "cell");
    const Column& offset = column_of(snapshot, "offset");
    const Column& velocity = column_of(snapshot, "velocity");
    const Column& density = column_of(snapshot, "density_deviation");
    Problem later = problem;
    for (std::size_t i = 0; i < later.particles.size(); ++i) {
        InitialParticle& particle = later.particles.stored()[i];
        for (std::size_t c = 0; c < 3; ++c) {
            particle.cell[c] = static_cast<std::int32_t>(number_at(cell, 3 * i + c));
            particle.offset[c] = static_cast<float>(number_at(offset, 3 * i + c));
            particle.velocity[c] = static_cast<float>(number_at(velocity, 3 * i + c) / problem.units.velocity);
            if (!carry(particle.cell[c], particle.offset[c]))
                throw input_error("a particle of the snapshot lies outside of the 32-bit range of cells.");
        }
        particle.density = static_cast<float>(number_at(density, i));
    }
    return later;
}

float reach_squared(const Problem& problem)
{
    const double reach = static_cast<double>(problem.support) * static_cast<double>(problem.parameters.cell_side);
    return static_cast<float>(reach * reach);
}

std::vector<std::array<double, 4>> rates_from(const Problem& problem, const std::vector<Four<float>>& sums,
                                              const std::vector<std::uint32_t>& id)
{
    const Parameters<3, float>& p = problem.parameters;
    std::vector<std::array<double, 4>> rates(problem.particles.size());
    for (std::size_t i = 0; i < sums.size(); ++i) {
        std::array<double, 4>& rate = rates[id[i]];
        if (problem.particles[id[i]].kind == Kind::fluid)
            for (int c = 0; c < 3; ++c)
                rate[static_cast<std::size_t>(c)] = static_cast<double>(fma(-p.pair_scale, sums[i][c], p.gravity[c]));
        rate[3] = static_cast<double>(p.pair_scale * sums[i].w);
    }
    return rates;
}

std::uint64_t bits_of(const std::vector<std::array<double, 4>>& rates)
{
    std::uint64_t bits = 0xcbf29ce484222325U;
    for (const auto& rate : rates)
        for (const double value : rate) bits = (bits ^ std::bit_cast<std::uint64_t>(value)) * 0x100000001b3U;
    return bits;
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
        cell_of.push_back(static_cast<std::uint32_t>(of[i]));
        cell.push_back(state.cell[i]);
        place.push_back(state.place[i]);
        motion.push_back(state.motion[i]);
    }
    for (int k = -divided; k <= divided; ++k)
        for (int j = -divided; j <= divided; ++j) offsets.push_back(size_[0] * (j + size_[1] * k));
}

std::vector<Four<float>> global_places(const Arrangement& at)
{
    std::array<std::int32_t, 3> low{at.cell[0].x, at.cell[0].y, at.cell[0].z};
    for (const Four<std::int32_t>& cell : at.cell)
        for (int c = 0; c < 3; ++c)
            low[static_cast<std::size_t>(c)] = std::min(low[static_cast<std::size_t>(c)], cell[c]);
    std::vector<Four<float>> places = at.place;
    for (std::uint32_t i = 0; i < at.count(); ++i)
        for (int c = 0; c < 3; ++c)
            places[i][c] += static_cast<float>(at.cell[i][c] - low[static_cast<std::size_t>(c)]);
    return places;
}

}  // namespace halfulp::strategies
