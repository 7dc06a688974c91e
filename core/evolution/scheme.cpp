#include "core/evolution/scheme.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace halfulp {

Scheme kick_drift_kick(const Physics& physics, bool reversible)
{
    using enum OperationKind;
    const bool smoothing = physics.velocity_smoothing;
    const bool shifting = physics.particle_shifting;
    const bool gradient = physics.density_diffusion == DensityDiffusion::antuono;
    const bool extrapolated = follow_the_fluid(physics.walls);
    Scheme scheme{.name = "kick-drift-kick", .start = {}, .step = {}};

    const bool walls = physics.moving_walls;
    if (walls) scheme.start.push_back({move_walls, 1});
    // The density rate only serves the first variable step: its pairs give the signal speed.
    scheme.start.push_back({refresh_neighbours, 0});
    if (extrapolated) scheme.start.push_back({extrapolate_walls, 0});
    if (gradient) scheme.start.push_back({density_gradient});
    scheme.start.push_back({density_rate});
    scheme.start.push_back({forces});

    auto& step = scheme.step;
    step.push_back({kick, 0.5});
    if (smoothing) step.push_back({smooth_velocity});
    if (shifting) step.push_back({shift_particles});
    if (smoothing || shifting) step.push_back({book_transport, 0.5});
    if (!reversible) step.push_back({refresh_neighbours, 1});
    step.push_back({drift, 0.5});
    if (walls) step.push_back({move_walls, 0.5});
    if (reversible) step.push_back({rebuild_neighbours});
    if (gradient) step.push_back({density_gradient});
    step.push_back({density_rate});
    step.push_back({update_density, 1});
    step.push_back({drift, 0.5});
    if (walls) step.push_back({move_walls, 1});
    if (reversible) step.push_back({rebuild_neighbours});
    if (physics.density_filter != DensityFilter::none) step.push_back({filter_density});
    if (extrapolated) step.push_back({extrapolate_walls, 1});
    step.push_back({forces});
    if (smoothing || shifting) step.push_back({book_transport, 0.5});
    step.push_back({kick, 0.5});
    return scheme;
}

Scheme scheme_by_name(std::string_view name, const Physics& physics, bool reversible)
{
    if (name == "kick-drift-kick") return kick_drift_kick(physics, reversible);
    throw input_error(fmt::format("numerics.integrator: \"{}\" is unknown; allowed: \"kick-drift-kick\"", name));
}

}  // namespace halfulp
