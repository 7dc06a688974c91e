// Checks of saved particles before a run continues from them. A file may contain anything, so every field is checked
// for what its entry in fields.hpp allows, and then the state as a whole for everything that the rebuild of the lists,
// the cells and the rules of a step rely on. Particles are read from a file and checked in pieces, so that they are
// never all in memory.
#pragma once

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/particles/breakdown.hpp"
#include "core/particles/held_state.hpp"
#include "core/particles/initial_buffers.hpp"
#include "core/particles/needed_numbers.hpp"
#include "core/particles/order.hpp"

namespace halfulp {

namespace detail {

// Each throws an Error.
[[noreturn]] void refuse_other_particles(const SavedParticles& saved);
[[noreturn]] void refuse_saved_particle(const SavedParticles& saved, std::int32_t id, const std::string& what);

// The smallest of the indices that find(begin, end) returns for parts of [0, count), searched on all threads; `count`
// if nothing is found.
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

template <class Element>
bool has_bits_of(const Element& a, const Element& b)
{
    return std::memcmp(&a, &b, sizeof a) == 0;
}

// rests: whether the particle never moves. numbers: how many of an element's numbers have to be finite.
template <int D, class Element>
bool is_allowed(Allowed allowed, const Element& value, const Element& start, bool rests, int numbers)
{
    if (allowed == Allowed::as_at_start) return has_bits_of(value, start);
    if constexpr (requires { value.w; }) {
        for (int c = 0; c < 3 && allowed == Allowed::moved; ++c) {
            if ((rests || c >= D) && !has_bits_of(value[c], start[c])) return false;
        }
        for (int c = 0; c < numbers; ++c) {
            if (!is_finite(value[c])) return false;
        }
        return true;
    } else if constexpr (std::is_same_v<Element, Kind>) {
        return false;  // is as at the start
    } else {
        return numbers == 0 || is_finite(value);
    }
}

// A map from ids, which may be any numbers, to positions in Problem::particles.
class PlacesOfIds {
public:
    explicit PlacesOfIds(const Problem& problem);

    // Nothing for an id that no particle has.
    [[nodiscard]] std::optional<std::size_t> operator()(std::int32_t id) const;

private:
    std::size_t count_;
    std::vector<std::pair<std::int32_t, std::uint32_t>> sorted_;  // none if each id is its position
};

// The positions in Problem::particles of saved particles; throws an Error unless they are all that there are.
std::vector<std::uint32_t> places_at_start(const SavedParticles& saved, const SavedBuffer& cells,
                                           const Problem& problem);

// The problem's particles at `places`, in that order, as the first rebuild leaves them.
template <class Policy, int D>
Buffers<Policy> settled_start(const Problem& problem, std::span<const std::uint32_t> places,
                              const ParticleConstants<Policy, D>& constants)
{
    Buffers<Policy> start =
        initial_buffers<Policy, D>(problem, places.size(), [&](std::size_t i) { return std::size_t{places[i]}; });
    const ParticleTracking<Policy, D> tracking(view_of(start), constants);
    for_each_particle(places.size(), [&](std::size_t i) {
        bool elsewhere = false;
        static_cast<void>(tracking.settle(i, elsewhere));
    });
    start.reference = start.offset;
    return start;
}

// Whether a particle can have reached its cell since the start. Between two rebuilds it moves by no more than the skin,
// if all steps check the lists at their ends. Periodic directions are not checked, since particles come back there.
template <class Policy, int D>
bool can_have_come(const Four<std::int32_t>& cell, const Four<std::int32_t>& start, std::uint64_t rebuilds,
                   const ParticleConstants<Policy, D>& constants)
{
    if (constants.domain.physics.previous_state == PreviousState::start_of_step) return true;
    if constexpr (Policy::Position::relative_to_cell) {
        const auto skin = static_cast<double>(constants.skin) / static_cast<double>(constants.parameters.cell_side);
        const double farthest = 2 + (1 + skin) * static_cast<double>(rebuilds);
        for (int c = 0; c < D; ++c) {
            if (constants.domain.period[static_cast<std::size_t>(c)] > 0) continue;
            if (magnitude(static_cast<double>(std::int64_t(cell[c]) - start[c])) > farthest) return false;
        }
    }
    return true;
}

// Calls require(what, holds) for every condition on the state between two steps, beyond those on single fields:
// holds(i) must be true for every particle i. before: order key of the particle before the first one, if there is one.
template <class Policy, int D, class Require>
void for_each_rule_of_state(const Buffers<Policy>& buffers, const ParticleConstants<Policy, D>& constants,
                            const std::optional<OrderKey>& before, const Require& require)
{
    using Real = typename Policy::Real;
    const ParticleTracking<Policy, D> tracking(view_of(buffers), constants);
    const auto side = static_cast<double>(tracking.parameters.cell_side);
    const Physics& physics = buffers.physics;
    require("is not where the canonical order has it", [&](std::size_t i) {
        const auto key = [&](std::size_t k) { return order_key(buffers.cell[k], buffers.kind[k], 0); };
        return i > 0 ? key(i - 1) < key(i) : !before || *before < key(i);
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
    // The lists are valid for displacements of half a skin since they were made, from places within the cells.
    // Integrators that keep the start of the step check the lists halfway through it, not at its end.
    if constexpr (Policy::Position::relative_to_cell) {
        require("is not where its cell and the neighbour lists have it", [&](std::size_t i) {
            constexpr double half_a_cell = 0.501;  // with room for rounding
            Vec<D, Real> moved;
            Vec<D, Real> in_step{};
            bool within = true;
            for (int c = 0; c < D; ++c) {
                moved[c] = buffers.offset[i][c] - buffers.reference[i][c];
                if (physics.previous_state == PreviousState::start_of_step)
                    in_step[c] = buffers.offset[i][c] - buffers.previous_offset[i][c];
                within = within && magnitude(static_cast<double>(buffers.reference[i][c])) <= half_a_cell * side;
            }
            const Real farthest = constants.skin + square_root(dot(in_step, in_step));
            return within && dot(moved, moved) <= farthest * farthest;
        });
    }
    if constexpr (Policy::Update::has_residual) {
        // Relative to the larger of the number and one unit: before it shrank, the number may have been as large as a
        // unit.
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

// Finds, piece after piece, the first rule that some particle breaks, and the first particle that does.
template <class Policy, int D>
class RulesOfSaved {
public:
    RulesOfSaved(const SavedParticles& saved, const ParticleConstants<Policy, D>& constants)
        : saved_(saved), constants_(constants)
    {
    }
    // Checks the next piece. now: its particles as saved; start: the same particles at the start of the run.
    void check(const Buffers<Policy>& now, Buffers<Policy>& start)
    {
        const std::size_t count = now.count();
        std::vector<std::uint8_t> rests(count);
        const ParticleTracking<Policy, D> tracking(view_of(start), constants_);
        for (std::size_t i = 0; i < count; ++i) rests[i] = !tracking.moves(i);
        std::size_t rule = 0;
        const auto require = [&](const auto& what, const auto& holds) {
            if (rule++ >= broken_) return;
            const std::size_t wrong = first_without(count, holds);
            if (wrong == count) return;
            broken_ = rule - 1;
            particle_ = now.cell[wrong].w;
            what_ = what;
        };
        require("is farther away than it can have come", [&](std::size_t i) {
            return can_have_come<Policy, D>(now.cell[i], start.cell[i], saved_.rebuilds, constants_);
        });
        const AnyBuffers starts = start.used();
        std::size_t field = 0;
        const_cast<Buffers<Policy>&>(now).for_each([&](const FieldInfo& info, auto& buffer) {
            const AnyBuffer& first = starts[field++];
            if (info.role == Role::result) return;
            using Element = std::remove_reference_t<decltype(buffer[0])>;
            const auto* const began = reinterpret_cast<const Element*>(first.data());
            const NeededNumbers needed =
                info.role == Role::derived ? needed_numbers(info.name, D, now.physics) : NeededNumbers{};
            require(std::string("has a wrong ") + info.name, [&](std::size_t i) {
                if (!needed.walls && now.kind[i] == Kind::wall) return true;
                return is_allowed<D>(info.allowed, buffer[i], began[i], rests[i] != 0, needed.numbers);
            });
        });
        for_each_rule_of_state(now, constants_, before_, require);
        if (count > 0) before_ = order_key(now.cell[count - 1], now.kind[count - 1], 0);
    }
    // Throws an Error if some particle broke a rule.
    void refuse_any() const
    {
        if (broken_ != none) refuse_saved_particle(saved_, particle_, what_);
    }

private:
    static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

    const SavedParticles& saved_;
    const ParticleConstants<Policy, D>& constants_;
    std::optional<OrderKey> before_;
    std::size_t broken_ = none;  // the rule
    std::int32_t particle_ = 0;
    std::string what_;
};

}  // namespace detail

// Throws an Error if saved particles do not match the problem's, or are in a state that no run of it can reach. piece:
// particles read at a time; it does not affect the result.
template <class Policy, int D>
void check_saved(const SavedParticles& saved, const Problem& problem, const ParticleConstants<Policy, D>& constants,
                 std::size_t piece = std::size_t{1} << 18U)
{
    refuse_library_numbers<Policy>();
    const std::size_t count = problem.particles.size();
    Buffers<Policy> now(problem.physics);
    const SavedBuffer& cells = *saved_fields(saved, count, now.used()).front();
    const std::vector<std::uint32_t> places = detail::places_at_start(saved, cells, problem);
    detail::RulesOfSaved<Policy, D> rules(saved, constants);
    for (std::size_t first = 0; first < count; first += piece) {
        const std::size_t some = std::min(piece, count - first);
        for_each_saved(saved, count, now.used(), [&](const AnyBuffer& buffer, const SavedBuffer& from) {
            buffer.resize(some);
            const auto bytes = from.read(first * buffer.element, some * buffer.element);
            std::memcpy(buffer.data(), bytes.data(), bytes.size());
        });
        Buffers<Policy> start =
            detail::settled_start<Policy, D>(problem, std::span(places).subspan(first, some), constants);
        rules.check(now, start);
    }
    rules.refuse_any();
}

}  // namespace halfulp
