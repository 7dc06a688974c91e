#include "core/setup/problem.hpp"

#include "core/setup/initial_state.hpp"
#include "kernels/smoothing.hpp"

namespace halfulp {

namespace {

Parameters<3, float> constants(const Case& c, const Units& units)
{
    const int dimensions = c.dimensions;
    const double normalisation = c.numerics.kernel == CubicSpline::name ? CubicSpline::normalisation(dimensions)
                                                                        : WendlandC2::normalisation(dimensions);
    const double h = smoothing_length(c) / units.length;
    const double spacing_ratio = c.resolution.spacing / smoothing_length(c);
    const double volume_over_h =
        dimensions == 2 ? spacing_ratio * spacing_ratio : spacing_ratio * spacing_ratio * spacing_ratio;
    const double sound_speed = c.fluid.sound_speed / units.velocity;

    Parameters<3, float> p{};
    p.smoothing_length = static_cast<float>(h);
    p.inverse_smoothing_length = static_cast<float>(1 / h);
    p.pair_scale = static_cast<float>(volume_over_h * normalisation / (h * h));
    p.stiffness = static_cast<float>(sound_speed * sound_speed / 7);
    p.sound_speed = static_cast<float>(sound_speed);
    p.artificial_viscosity = static_cast<float>(c.fluid.artificial_viscosity);
    p.viscous_softening = static_cast<float>(0.01 * h * h);
    for (int i = 0; i < dimensions; ++i) p.gravity[i] = static_cast<float>(c.gravity[i] / units.acceleration());
    return p;
}

}  // namespace

Problem prepare(const Case& c)
{
    const Arrangement arrangement = arrange(c);
    Problem problem;
    problem.source = c;
    problem.units = units_of(c);
    problem.parameters = constants(c, problem.units);
    problem.search_cells = c.numerics.cells_per_support;
    problem.skin = static_cast<float>(problem.search_cells * c.numerics.skin / (1 + c.numerics.skin));
    problem.fluid = arrangement.fluid;
    problem.wall = arrangement.wall;
    problem.of_shape.resize(c.shapes.size());
    for (const PlacedParticle& p : arrangement.particles) ++problem.of_shape[static_cast<std::size_t>(p.shape)];
    problem.snapped = arrangement.snapped;
    problem.relaxed = arrangement.relaxed;

    initialise(arrangement, problem);
    if (c.time.step == "fixed")
        problem.fixed_step = c.time.size ? *c.time.size : c.time.cfl * smoothing_length(c) / c.fluid.sound_speed;
    return problem;
}

}  // namespace halfulp
