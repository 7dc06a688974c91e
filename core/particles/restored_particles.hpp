// Particles restored from saved buffers. A file may hold anything, so every field is checked as its entry in fields.hpp
// allows, and then the state as a whole: what the rebuild of the lists, the cells and the rules of a step rely on.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "core/particles/breakdown.hpp"
#include "core/particles/order.hpp"
#include "core/particles/saved_particles.hpp"

namespace halfulp {

namespace detail {

// Each throws an Error.
[[noreturn]] void refuse_saved_buffer(const SavedParticles& saved, const char* name, std::size_t has,
                                      std::size_t wanted);
[[noreturn]] void refuse_unknown_buffers(const SavedParticles& saved);
[[noreturn]] void refuse_other_particles(const SavedParticles& saved);
[[noreturn]] void refuse_saved_particle(const SavedParticles& saved, std::int32_t id, const std::string& what);

// The least of what find(begin, end) returns for parts of [0, count), on all threads; `count` if there is nothing.
std::size_t least_of_parts(std::size_t count, const std::function<std::size_t(std::size_t, std::size_t)>& find);

// The first particle for which something does not hold; `count` if there is none.
template <class Holds>
std::size_t first_without(std::size_t count, const Holds& holds)
{
    return least_of_parts(count, [&](std::size_t begin, std::size_t end) {
        while (begin < end && holds(begin)) ++begin;
        return begin < end ? begin : count;
    });
}

template <class Number>
bool is_finite(const Number& number)
{
    const auto value = static_cast<double>(number);
    return value - value == 0;
}
template <class Number>
bool is_finite(const Four<Number>& four)
{
    return is_finite(four.x) && is_finite(four.y) && is_finite(four.z) && is_finite(four.w);
}

template <class Element>
bool has_bits_of(const Element& a, const Element& b)
{
    return std::memcmp(&a, &b, sizeof a) == 0;
}

// rests: whether the particle never moves.
template <int D, class Element>
bool is_allowed(Allowed allowed, const Element& value, const Element& start, bool rests)
{
    if (allowed == Allowed::as_at_start) return has_bits_of(value, start);
    if constexpr (requires { value.w; }) {
        for (int c = 0; c < 3 && allowed == Allowed::moved; ++c) {
            if ((rests || c >= D) && !has_bits_of(value[c], start[c])) return false;
        }
    }
    if constexpr (std::is_same_v<Element, Kind>) return false;  // is as at the start
    else return is_finite(value);
}

// Where the particle of each saved index is at the start; empty unless they are the same particles.
inline std::vector<std::uint32_t> places_at_start(const std::vector<Four<std::int32_t>>& saved,
                                                  const std::vector<Four<std::int32_t>>& start)
{
    const std::size_t count = start.size();
    const std::vector<std::uint32_t> from = places_by_id(start.data(), count);
    const std::vector<std::uint32_t> to = places_by_id(saved.data(), count);
    const auto same = [&](std::size_t k) { return saved[to[k]].w == start[from[k]].w; };
    std::vector<std::uint32_t> places(count);
    if (first_without(count, same) < count) return {};
    for (std::size_t k = 0; k < count; ++k) places[to[k]] = from[k];
    return places;
}

// From one rebuild to the next a particle moves by no more than the skin. Along periods it comes back.
template <class Policy, int D>
void check_cells(const SavedParticles& saved, const std::vector<Four<std::int32_t>>& cell,
                 const std::vector<Four<std::int32_t>>& start, const std::vector<std::uint32_t>& places,
                 const ParticleConstants<Policy, D>& constants)
{
    if constexpr (Policy::Position::relative_to_cell) {
        const auto skin = static_cast<double>(constants.skin) / static_cast<double>(constants.parameters.cell_side);
        const double farthest = 2 + (1 + skin) * static_cast<double>(saved.rebuilds);
        const std::size_t wrong = first_without(cell.size(), [&](std::size_t i) {
            for (int c = 0; c < D; ++c) {
                if (constants.domain.period[static_cast<std::size_t>(c)] > 0) continue;
                const auto cells = static_cast<double>(std::int64_t(cell[i][c]) - start[places[i]][c]);
                if (magnitude(cells) > farthest) return false;
            }
            return true;
        });
        if (wrong < cell.size()) refuse_saved_particle(saved, cell[wrong].w, "is farther away than it can have come");
    }
}

// Calls require(what, holds) for all that holds for every particle i between two steps, besides its fields.
template <class Policy, int D, class Require>
void for_each_rule_of_state(const Buffers<Policy>& buffers, const ParticleConstants<Policy, D>& constants,
                            const Require& require)
{
    using Real = typename Policy::Real;
    const ParticleTracking<Policy, D> tracking(view_of(buffers), constants);
    const auto side = static_cast<double>(tracking.parameters.cell_side);
    const Physics& physics = buffers.physics;
    require("is not where the canonical order has it", [&](std::size_t i) {
        const auto key = [&](std::size_t k) { return order_key(buffers.cell[k], buffers.kind[k], 0); };
        return i == 0 || key(i - 1) < key(i);
    });
    require("is in a cell outside of the period", [&](std::size_t i) {
        for (int c = 0; c < D; ++c) {
            const auto axis = static_cast<std::size_t>(c);
            const std::int64_t cells = std::int64_t(buffers.cell[i][c]) - tracking.domain.origin[axis];
            const std::int32_t period = tracking.domain.period[axis];
            if (period > 0 && (cells < 0 || cells >= period)) return false;
        }
        return true;
    });
    const auto obeys = [&](Rule rule) {
        return [&tracking, rule](std::size_t i) { return !breaks(tracking, rule, i, Real(0)); };
    };
    require("leaves the 32-bit range of cells", obeys(Rule::cell_range));
    require("has a density beyond numerics.density_bound", obeys(Rule::density_bound));
    require("has a pressure that is not the one of its density",
            [&](std::size_t i) { return buffers.offset[i].w == tracking.pressure_term_at(buffers.velocity[i].w); });
    // The lists hold for displacements of half a skin since they were made, from places within the cells.
    if constexpr (Policy::Position::relative_to_cell) {
        require("is not where its cell and the neighbour lists have it", [&](std::size_t i) {
            constexpr double half_a_cell = 0.501;  // with room for rounding
            Vec<D, Real> moved;
            bool within = true;
            for (int c = 0; c < D; ++c) {
                moved[c] = buffers.offset[i][c] - buffers.reference[i][c];
                within = within && magnitude(static_cast<double>(buffers.reference[i][c])) <= half_a_cell * side;
            }
            return within && dot(moved, moved) <= constants.skin * constants.skin;
        });
    }
    if constexpr (Policy::Update::has_residual) {
        // Of the larger of the number and of one unit, which a number that has just shrunk was below.
        const auto small = [](const Four<Real>& residual, const Four<Real>& value, double unit) {
            constexpr auto rounding = static_cast<double>(std::numeric_limits<Real>::epsilon());
            for (int c = 0; c < 4; ++c) {
                const double size = larger(magnitude(static_cast<double>(value[c])), unit);
                if (!(magnitude(static_cast<double>(residual[c])) <= rounding * size)) return false;
            }
            return true;
        };
        require("has residuals that are not those of rounding", [&](std::size_t i) {
            bool all = small(buffers.offset_residual[i], buffers.offset[i], side) &&
                       small(buffers.velocity_residual[i], buffers.velocity[i], 1);
            if (physics.previous_state == PreviousState::start_of_step)
                all = all && small(buffers.previous_offset_residual[i], buffers.previous_offset[i], side);
            if (physics.previous_state != PreviousState::none)
                all = all && small(buffers.previous_velocity_residual[i], buffers.previous_velocity[i], 1);
            return all;
        });
    }
}

}  // namespace detail

// Reads saved buffers into those of a problem's start, in any order. Throws an Error if they do not fit these, or hold
// what no run of the problem can reach.
template <class Policy, int D>
void restore_buffers(const SavedParticles& saved, Buffers<Policy>& buffers,
                     const ParticleConstants<Policy, D>& constants)
{
    refuse_library_numbers<Policy>();
    const std::size_t count = buffers.count();
    std::vector<std::uint8_t> rests(count);
    {
        const ParticleTracking<Policy, D> tracking(view_of(buffers), constants);
        for (std::size_t i = 0; i < count; ++i) rests[i] = !tracking.moves(i);
    }
    std::vector<std::uint32_t> start;  // where each saved particle is at the start
    std::size_t used = 0;
    buffers.for_each([&](const FieldInfo& info, auto& buffer) {
        if (info.role == Role::result) return;
        using Buffer = std::remove_reference_t<decltype(buffer)>;
        const auto found = std::ranges::find(saved.buffers, info.name, &SavedBuffer::name);
        const std::size_t size = count * sizeof(buffer[0]);
        const std::size_t has = found == saved.buffers.end() ? 0 : found->size;
        if (has != size) detail::refuse_saved_buffer(saved, info.name, has, size);
        Buffer now(count);
        if (count > 0) std::memcpy(static_cast<void*>(now.data()), found->take().data(), size);
        if constexpr (std::is_same_v<Buffer, decltype(buffers.cell)>) {  // the first
            start = detail::places_at_start(now, buffer);
            if (start.size() != count) detail::refuse_other_particles(saved);
            detail::check_cells<Policy, D>(saved, now, buffer, start, constants);
        }
        const std::size_t wrong = detail::first_without(count, [&](std::size_t i) {
            return detail::is_allowed<D>(info.allowed, now[i], buffer[start[i]], rests[start[i]] != 0);
        });
        buffer.swap(now);
        if (wrong < count)
            detail::refuse_saved_particle(saved, buffers.cell[wrong].w, std::string("has a wrong ") + info.name);
        ++used;
    });
    if (used != saved.buffers.size()) detail::refuse_unknown_buffers(saved);
    detail::for_each_rule_of_state(buffers, constants, [&](const char* what, const auto& holds) {
        const std::size_t wrong = detail::first_without(count, holds);
        if (wrong < count) detail::refuse_saved_particle(saved, buffers.cell[wrong].w, what);
    });
}

}  // namespace halfulp
