#include "core/evolution/scheme.hpp"

#include <utility>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/operations/operations.hpp"

namespace halfulp {

namespace {

// Operations one after another, without those that the physics does not need.
class Sequence {
public:
    explicit Sequence(const Physics& physics) : physics_(physics) {}

    template <class Operation>
    void add(double fraction = 1)
    {
        if (Operation::needed(physics_)) operations_.push_back({kind_of<Operation>, fraction});
    }
    // The pressure of walls that have it from the fluid, and its work.
    void extrapolate_walls(double fraction)
    {
        add<ExtrapolateWalls>();
        add<MirrorWalls>();
        add<SetWalls>(fraction);
    }
    std::vector<Operation> take() { return std::move(operations_); }

private:
    const Physics& physics_;
    std::vector<Operation> operations_;
};

}  // namespace

Scheme kick_drift_kick(const Physics& physics, bool reversible)
{
    Sequence start(physics);
    start.add<MoveWalls>();
    // The density rate only serves the first variable step: its pairs give the signal speed.
    start.add<RefreshNeighbours>(0);
    start.extrapolate_walls(0);
    start.add<FindDensityGradient>();
    start.add<FindDensityRate>();
    start.add<FindForces>();

    Sequence step(physics);
    step.add<Kick>(0.5);
    step.add<SmoothVelocity>();
    step.add<ShiftParticles>();
    step.add<BookTransport>(0.5);
    if (!reversible) step.add<RefreshNeighbours>();
    step.add<Drift>(0.5);
    step.add<MoveWalls>(0.5);
    if (reversible) step.add<RebuildNeighbours>();
    step.add<FindDensityGradient>();
    step.add<FindDensityRate>();
    step.add<UpdateDensity>();
    step.add<Drift>(0.5);
    step.add<MoveWalls>();
    if (reversible) step.add<RebuildNeighbours>();
    step.add<FilterDensity>();
    step.add<SetFilteredDensity>();
    step.extrapolate_walls(1);
    step.add<FindForces>();
    step.add<BookTransport>(0.5);
    step.add<Kick>(0.5);
    return {.name = "kick-drift-kick", .start = start.take(), .step = step.take()};
}

Scheme scheme_by_name(std::string_view name, const Physics& physics, bool reversible)
{
    if (name == "kick-drift-kick") return kick_drift_kick(physics, reversible);
    throw input_error(fmt::format("numerics.integrator: \"{}\" is unknown; allowed: \"kick-drift-kick\"", name));
}

}  // namespace halfulp
