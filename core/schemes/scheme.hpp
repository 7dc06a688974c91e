// Time integrators as lists of operations, which a simulation passes to a back end one after another: in every step or
// in some, once or until a loop has converged. A scheme is independent of hardware and memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/schemes/operation_list.hpp"
#include "kernels/physics.hpp"

namespace halfulp {

// The steps in which an entry of a scheme is carried out, counted from 0: those for which step + shift is a multiple of
// `every` or of or_every (0: of none), or, with `others`, all except these.
struct Steps {
    std::uint64_t every = 1;
    std::uint64_t or_every = 0;
    std::uint64_t shift = 0;
    bool others = false;

    [[nodiscard]] constexpr bool have(std::uint64_t step) const
    {
        const auto are_multiples_of = [this, step](std::uint64_t n) { return n > 0 && (step + shift) % n == 0; };
        return (are_multiples_of(every) || are_multiples_of(or_every)) != others;
    }
};

struct SchemeEntry {
    Operation operation;
    Steps steps;
};

// Entries in order; a loop is repeated until its residual (residual.hpp) has converged to rounding.
struct SchemeBlock {
    std::vector<SchemeEntry> entries;
    bool loop = false;
};

// The time within a step at which forces are computed, with the poses and inertial forces of that time; at both where
// neither matters.
enum class ForceTime { end, halfway, both };

struct Scheme {
    std::vector<SchemeBlock> start;  // executed once, before the first step
    std::vector<SchemeBlock> step;
    ForceTime force_time = ForceTime::end;
};

// Every operation of some blocks in order, regardless of the step, each loop twice.
inline std::vector<Operation> operations_of(const std::vector<SchemeBlock>& blocks)
{
    std::vector<Operation> all;
    for (const SchemeBlock& block : blocks) {
        for (int round = 0; round < (block.loop ? 2 : 1); ++round) {
            for (const SchemeEntry& entry : block.entries) all.push_back(entry.operation);
        }
    }
    return all;
}

// The settings of a case that an integrator depends on.
struct SchemeSettings {
    std::uint64_t filter_every = 0;     // steps; 0: never
    std::uint64_t corrector_every = 1;  // steps
    // The neighbour lists are rebuilt before every pass over pairs: their order decides the last bits of the sums, and
    // in a reversed run particles enter from the other side.
    bool reversible = false;
    // Whether both rates of one state are found in one pass over pairs: see FindRates.
    bool rates_together = false;
};

#define HALFULP_ADD_WALL_OPERATION(enumerator, Model, added, ...) add_operation_of<Model>(added);

// The operations written by an integrator. Those that the physics does not need are removed afterwards
// (core/evolution/scheme.hpp).
class Sequence {
public:
    explicit Sequence(const SchemeSettings& settings) : settings(settings) {}

    SchemeSettings settings;

    template <class Op>
    void add(double fraction = 1, Booking booking = Booking::booked)
    {
        if (blocks_.empty()) blocks_.emplace_back();
        blocks_.back().entries.push_back({{kind_of<Op>, fraction, booking}, steps_});
    }
    // The steps of operations added from now on.
    void in(const Steps& steps) { steps_ = steps; }
    void in_every_step() { steps_ = {}; }
    // The operations added by fill(), repeated until convergence.
    template <class Fill>
    void repeat(Fill fill)
    {
        blocks_.push_back({.entries = {}, .loop = true});
        fill();
        blocks_.emplace_back();
    }
    std::vector<SchemeBlock> take() { return std::move(blocks_); }

    // Extrapolates the pressure of walls, and books its work in a fraction of the step.
    void extrapolate_walls(double fraction, Booking booking = Booking::booked)
    {
        std::vector<OperationKind> added;  // several models may share one
        HALFULP_WALL_MODELS(HALFULP_ADD_WALL_OPERATION, added)
        add<AddContactPressure>();
        add<SetWalls>(fraction, booking);
    }
    // Books the work of the filter as the mean over states before and after a fraction of the step's change of density.
    void filter_density(double fraction)
    {
        in({.every = settings.filter_every, .shift = 1});
        add<FilterDensity>();
        add<SetFilteredDensity>(fraction);
        in_every_step();
    }

    // The start of an integrator whose steps begin with both rates of their state.
    void start_with_rates()
    {
        add<MoveWalls>();
        add<RefreshNeighbours>(0);
        extrapolate_walls(0);
        find_rates();
    }
    // Both rates of the state at one time. In two passes the forces come before the density rate, as they provide the
    // gradient of the balanced density diffusion.
    void find_rates()
    {
        add<FindXsphVelocity>();
        add<ShiftParticles>();
        add<FindDensityGradient>();
        if (settings.rates_together) {
            add<FindRates>();
        } else {
            add<FindForces>();
            add<FindDensityRate>();
        }
    }

private:
    template <class Walls>
    void add_operation_of(std::vector<OperationKind>& added)
    {
        static_assert(Walls::follow_the_fluid != std::is_void_v<typename Walls::Operation>,
                      "walls that follow the fluid need an operation that finds what they take over from it");
        if constexpr (!std::is_void_v<typename Walls::Operation>) {
            constexpr OperationKind kind = kind_of<typename Walls::Operation>;
            if (std::find(added.begin(), added.end(), kind) != added.end()) return;
            added.push_back(kind);
            add<typename Walls::Operation>();
        }
    }

    std::vector<SchemeBlock> blocks_;
    Steps steps_;
};

}  // namespace halfulp
