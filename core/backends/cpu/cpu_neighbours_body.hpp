// When neighbours are found anew, and the order that particles are brought into before. Included where a policy is
// instantiated.
#pragma once

#include <limits>

#include <fmt/format.h>

#include "core/backends/cpu/cpu_particles.hpp"
#include "core/particles/order.hpp"
#include "precision/position.hpp"

namespace halfulp {

// The lists hold every pair within support + skin at the last rebuild. Two particles that have each moved by less than
// half a skin cannot have entered each other's support unlisted. A displacement within a step is at most the larger of
// those at its ends (a straight line), so looking at the end of the coming drift is enough.
template <class Policy, int D>
void CpuParticles<Policy, D>::refresh_neighbours(Real interval)
{
    const std::size_t count = buffers_.count();
    const auto coming_move = [&](std::size_t i) {
        Vec<D, Real> move;
        Vec<D, Real> residual;
        transport_velocity(i, move, residual);
        for (int c = 0; c < D; ++c) move[c] = move[c] * interval;
        return move;
    };
    // Sizes in double, which OpenMP can reduce. Quad is rounded: that only decides when lists are rebuilt.
    double farthest2 = 0;
    double longest2 = 0;
#pragma omp parallel for schedule(static) reduction(max : farthest2, longest2)
    for (std::size_t i = 0; i < count; ++i) {
        if (!moves(i)) continue;
        const Vec<D, Real> move = coming_move(i);
        Vec<D, Real> displacement;
        for (int c = 0; c < D; ++c) {
            displacement[c] = (buffers_.offset[i][c] - buffers_.reference[i][c]) + move[c];
        }
        farthest2 = larger(farthest2, static_cast<double>(dot(displacement, displacement)));
        longest2 = larger(longest2, static_cast<double>(dot(move, move)));
    }
    // A thousandth of the skin is left for the rounding of all this.
    const Real half_skin = skin_ * constant<Real>(0.4995);
    const auto allowed2 = static_cast<double>(Real(half_skin * half_skin));
    if (!(longest2 <= allowed2)) {
        break_down(
            [&](std::size_t i) {
                const Vec<D, Real> move = coming_move(i);
                return moves(i) && !(static_cast<double>(dot(move, move)) <= allowed2);
            },
            [&](std::size_t i) {
                const auto u = velocity_of<Policy, D>(buffers_, i);
                return fmt::format(
                    "it moves by more than half the skin of the neighbour lists in one step (at {:.4g} m/s)",
                    square_root(dot(u, u)) * frame_.units.velocity);
            },
            "a particle shot out of the flow by too large a step (try a smaller time.cfl), or a skin too thin for a fast flow (numerics.skin)");
    }
    if (farthest2 > allowed2 || farthest2 > displacement_left_by_rounding()) rebuild();
}

// Global coordinates round where they move to: what that leaves of the half skin, squared, from the largest coordinate.
template <class Policy, int D>
double CpuParticles<Policy, D>::displacement_left_by_rounding() const
{
    if constexpr (Policy::Position::relative_to_cell) {
        return std::numeric_limits<double>::infinity();
    } else {
        double largest = 0;
        const std::size_t count = buffers_.count();
#pragma omp parallel for schedule(static) reduction(max : largest)
        for (std::size_t i = 0; i < count; ++i) {
            for (int c = 0; c < D; ++c)
                largest = larger(largest, magnitude(static_cast<double>(buffers_.offset[i][c])));
        }
        const auto grain = largest * static_cast<double>(std::numeric_limits<Real>::epsilon());
        const double left = larger(0.4995 * static_cast<double>(skin_) - 2 * grain, 0.0);
        return left * left;
    }
}

template <class Policy, int D>
void CpuParticles<Policy, D>::rebuild()
{
    sort_particles();
    engine_->rebuild(buffers_);
    ++rebuilds_;
}

// The cell that particle i is in now; an offset relative to it follows. False if the cells have no such number.
template <class Policy, int D>
bool CpuParticles<Policy, D>::settle_in_cell(std::size_t i, Four<std::int32_t>& cell, Four<Real>& offset,
                                             Four<Real>& residual) const
{
    using Position = typename Policy::Position;
    const auto side = static_cast<double>(parameters_.cell_side);
    bool fits = true;
    for (int c = 0; c < D; ++c) {
        if constexpr (Position::in_double) fits = locate(buffers_.coordinate[i][c] / side, cell[c]) && fits;
        else if constexpr (Position::relative_to_cell)
            fits = Policy::Update::carry(cell[c], offset[c], residual[c], parameters_.cell_side) && fits;
        else {
            // Far away a double-float coordinate's first number alone is cells off.
            const double rest = Position::pairs_read_residual ? static_cast<double>(residual[c]) : 0.0;
            fits = locate((static_cast<double>(offset[c]) + rest) / side, cell[c]) && fits;
        }
    }
    return fits;
}

template <class Policy, int D>
void CpuParticles<Policy, D>::sort_particles()
{
    const std::size_t count = buffers_.count();
    std::vector<std::uint8_t>& moved = moved_;
    moved.resize(count);
    bool in_range = true;
    bool any_moved = false;
    const bool first = rebuilds_ == 0;
    const auto wrap = [&](std::int32_t& cell, int axis) {
        const auto c = static_cast<std::size_t>(axis);
        const std::int32_t period = frame_.period[c];
        if (period == 0) return;
        if (cell < frame_.origin[c]) cell += period;
        else if (cell >= frame_.origin[c] + period) cell -= period;
    };
#pragma omp parallel for schedule(static) reduction(&& : in_range) reduction(|| : any_moved)
    for (std::size_t i = 0; i < count; ++i) {
        Four<std::int32_t>& cell = buffers_.cell[i];
        const Four<std::int32_t> old = cell;
        Four<Real> residual = buffers_.offset_residual_of(i);
        in_range = settle_in_cell(i, cell, buffers_.offset[i], residual) && in_range;
        if constexpr (Policy::Update::has_residual) buffers_.offset_residual[i] = residual;
        if constexpr (Policy::Position::in_double) offset_from_coordinate(i);
        for (int c = 0; c < D; ++c) wrap(cell[c], c);
        moved[i] = first || old.x != cell.x || old.y != cell.y || old.z != cell.z;
        any_moved = any_moved || moved[i] != 0;
    }
    if (!in_range) {
        break_down(
            [&](std::size_t i) {
                Four<std::int32_t> cell = buffers_.cell[i];
                Four<Real> offset = buffers_.offset[i];
                Four<Real> residual = buffers_.offset_residual_of(i);
                const bool fits = settle_in_cell(i, cell, offset, residual);
                return !fits;
            },
            [](std::size_t) { return std::string("it leaves the 32-bit range of cells"); },
            "an origin.cells too close to +-2147483647, or a particle that left the flow");
    }
    if (any_moved) {
        const auto order = canonical_order(buffers_.cell, buffers_.kind, moved);
        buffers_.for_each([&](const BufferInfo& info, auto& buffer) {
            if (info.role != Role::state) return;
            auto& sorted = std::get<std::remove_reference_t<decltype(buffer)>>(sorting_);
            sorted.resize(count);
#pragma omp parallel for schedule(static)
            for (std::size_t i = 0; i < count; ++i) sorted[i] = buffer[order[i].index];
            buffer.swap(sorted);
        });
    }
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < count; ++i) buffers_.reference[i] = buffers_.offset[i];
}

}  // namespace halfulp
