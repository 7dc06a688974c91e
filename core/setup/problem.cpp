#include "core/setup/problem.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/setup/host_threads.hpp"
#include "core/setup/initial_state.hpp"
#include "core/setup/policy_table.hpp"
#include "kernels/smoothing.hpp"
#include "kernels/state_equation.hpp"
#include "kernels/walls.hpp"

namespace halfulp {

namespace {

bool any_wall_slides(const Case& c)
{
    return std::any_of(c.shapes.begin(), c.shapes.end(), [](const Shape& shape) { return shape.slides(); });
}

bool moving_frame(const Case& c)
{
    return std::any_of(c.motions.begin(), c.motions.end(),
                       [](const Motion& motion) { return motion.frame == MotionFrame::moving; });
}

Physics physics_of(const Case& c)
{
    Physics physics;
    physics.state_equation = c.fluid.state_equation;
    physics.formulation = c.numerics.formulation;
    physics.artificial_viscosity = c.fluid.artificial_viscosity > 0;
    physics.laminar_viscosity = c.fluid.laminar_viscosity;
    physics.tensile_correction = c.numerics.tensile_correction;
    physics.step_softening = c.time.step_softening;
    physics.density_diffusion = c.numerics.density_diffusion;
    physics.xsph = c.numerics.velocity_smoothing > 0;
    physics.particle_shifting = c.numerics.particle_shifting > 0;
    physics.central_force = c.central_force.has_value();
    for (std::size_t i = 0; i < 3; ++i) physics.driven = physics.driven || (c.period[i] > 0 && c.gravity[i] != 0);
    physics.moving_frame = moving_frame(c);
    physics.moving_walls = !physics.moving_frame && (!c.motions.empty() || any_wall_slides(c));
    const auto measures_force = [](const Probe& probe) { return probe.measures == Probe::Measure::force; };
    physics.wall_forces = physics.moving_walls || std::any_of(c.probes.begin(), c.probes.end(), measures_force);
    physics.walls = c.numerics.walls;
    physics.density_filter = c.numerics.density_filter;
    physics.wall_slip = c.numerics.wall_slip;
    const IntegratorInfo integrator = info_of(c.numerics.integrator);
    physics.previous_state = integrator.previous_state;
    physics.integrator_error = integrator.books_its_error;
    const auto writes = [&](const char* column) {
        return std::find(c.output.columns.begin(), c.output.columns.end(), column) != c.output.columns.end();
    };
    physics.analyses.vorticity = writes("vorticity");
    physics.analyses.divergence = writes("divergence");
    physics.analyses.condition = writes("condition");
    return physics;
}

// A constant derived from a key, rounded to single precision.
float single(const Case& c, const std::string& key, double value)
{
    if (std::abs(value) <= std::numeric_limits<float>::max()) {
        const auto rounded = static_cast<float>(value);
        if (rounded != 0 || value == 0) return rounded;
    }
    throw input_error(
        "{}: {} leads to the constant {:.3g} in the units of the run, but single precision ends at 1e-45 and 3e+38; "
        "bring it nearer to those of water.",
        place_of(c, key), key, value);
}

Parameters<3, float> constants(const Case& c, const Units& units)
{
    const int dimensions = c.dimensions;
    const double h = smoothing_length(c) / units.state;
    const double spacing_ratio = c.resolution.spacing / smoothing_length(c);
    const double volume_over_h =
        dimensions == 2 ? spacing_ratio * spacing_ratio : spacing_ratio * spacing_ratio * spacing_ratio;
    const double sound_speed = c.fluid.sound_speed / units.velocity;

    Parameters<3, float> p{};
    with_kernel(c.numerics.kernel, [&](auto kernel) {
        p.pair_scale = static_cast<float>(volume_over_h * kernel.normalisation(dimensions) / (h * h));
        p.xsph_scale =
            static_cast<float>(c.numerics.velocity_smoothing * volume_over_h * kernel.normalisation(dimensions));
        p.inverse_shape_at_spacing = static_cast<float>(1 / kernel.shape(spacing_ratio));
    });
    p.shifting_scale = static_cast<float>(c.numerics.particle_shifting * h);
    p.smoothing_length = static_cast<float>(h);
    p.inverse_smoothing_length = static_cast<float>(1 / h);
    p.stiffness = static_cast<float>(stiffness_of(c.fluid.state_equation, sound_speed * sound_speed));
    p.sound_speed = static_cast<float>(sound_speed);
    p.artificial_viscosity = single(c, "fluid.artificial_viscosity", c.fluid.artificial_viscosity);
    p.viscous_softening = static_cast<float>(softening * h * h);
    p.kinematic_viscosity =
        single(c, "fluid.kinematic_viscosity", c.fluid.kinematic_viscosity / (units.state * units.velocity));
    p.density_diffusion = static_cast<float>(2 * c.numerics.diffusion_coefficient * h * sound_speed);
    p.contact_reaches = static_cast<float>(1 / (contact_reach * spacing_ratio));
    p.reference_density = single(c, "fluid.density", c.fluid.density);
    p.cell_side = static_cast<float>(units.length / units.state);
    if (c.central_force) {
        const double rate = c.central_force->rate * units.time();
        p.central_stiffness = single(c, "central_force.rate", rate * rate);
    }
    for (int i = 0; i < dimensions; ++i) p.gravity[i] = single(c, "gravity", c.gravity[i] / units.acceleration());
    return p;
}

Motion steady_motion(const Shape& shape)
{
    Motion motion{.name = shape.name, .bodies = {shape.name}, .rotation = {}, .translation = {}};
    Motion::Translation& translation = motion.translation.emplace();
    double square = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        translation.direction[i] = std::get<double>(shape.velocity[i]);
        square += translation.direction[i] * translation.direction[i];
    }
    translation.distance.form = Signal::Form::steady;
    translation.distance.steady.rate = std::sqrt(square);
    return motion;
}

// Sets up the motions. Returns that of each shape, where walls move.
std::vector<std::int32_t> prescribe_motions(Problem& problem)
{
    const Case& c = problem.source;
    std::vector<std::int32_t> motion_of(c.shapes.size(), -1);
    const auto add = [&](const Motion& motion) {
        for (std::size_t k = 0; k < c.shapes.size(); ++k) {
            if (c.shapes[k].kind == Kind::wall && has_body(motion.bodies, c.shapes[k].name))
                motion_of[k] = static_cast<std::int32_t>(problem.motions.size());
        }
        problem.motions.emplace_back(c, motion, problem.units);
    };
    for (const Motion& motion : c.motions) add(motion);
    for (const Shape& shape : c.shapes) {
        if (shape.slides()) add(steady_motion(shape));
    }
    if (!problem.physics.moving_walls) motion_of.clear();
    return motion_of;
}

// A policy that has pair loops for special passes only would compute the physics of those. The checks of the case have
// a message for every key that leads here; this catches one that they omit.
void refuse_what_is_not_covered(const Case& c, const Physics& physics)
{
    const PolicyInfo* const policy = find_policy(c.numerics.precision);
    if (policy == nullptr || policy->every_physics) return;
    if (compiled_density_rate(physics) == CompiledDensityRate::plain && covered_by_special_forces(physics) &&
        !follow_the_fluid(physics.walls))
        return;
    throw input_error(
        "{}: numerics.precision is \"{}\", which has pressure, gravity and artificial viscosity of Tait's equation "
        "only; choose \"robust\" or \"double\".",
        place_of(c, "numerics.precision"), c.numerics.precision);
}

}  // namespace

Problem prepare(const Case& c, const std::function<void(std::uint64_t particles)>& placed)
{
    make_offered_threads();  // before the first parallel region of a thread
    Arrangement arrangement = arrange(c);
    if (placed) placed(arrangement.fluid + arrangement.wall);
    Problem problem;
    problem.source = c;
    problem.units = units_of(c);
    problem.physics = physics_of(c);
    refuse_what_is_not_covered(c, problem.physics);
    problem.parameters = constants(c, problem.units);
    problem.search_cells = c.numerics.cells_per_support;
    problem.support = static_cast<float>(support_radius(c) / problem.units.length);
    const double skin = skin_fraction(c);
    problem.skin = static_cast<float>(problem.search_cells * skin / (1 + skin));
    problem.period = period_cells(c);
    problem.fluid = arrangement.fluid;
    problem.wall = arrangement.wall;
    problem.of_shape.resize(c.shapes.size());
    for (const PlacedParticles::Stretch& stretch : arrangement.particles.stretches())
        problem.of_shape[static_cast<std::size_t>(stretch.shape)] += stretch.last - stretch.first;
    problem.probes = place_probes(c, problem.units);
    problem.snapped = arrangement.snapped;
    problem.volumes = arrangement.volumes;

    if (c.central_force) {
        problem.centre = cell_position(c, problem.units, c.central_force->centre,
                                       fmt::format("{}: central_force.centre", place_of(c, "central_force.centre")));
    }

    const auto start = std::make_shared<StartOfCase>(StartOfCase{.source = c,
                                                                 .units = problem.units,
                                                                 .placed = std::move(arrangement.particles),
                                                                 .period = problem.period,
                                                                 .density = {},
                                                                 .motion_of = {}});
    initialise(arrangement, *start, problem);
    for (const auto& image : arrangement.mirror_images) {
        MirrorImage& here = problem.mirror_images.emplace_back();
        if (!image) continue;
        here.exists = true;
        for (std::size_t i = 0; i < 3; ++i)
            here.from_particle[i] = static_cast<float>((*image)[i] / problem.units.length);
    }
    start->motion_of = prescribe_motions(problem);
    problem.particles = InitialParticles(start);
    if (c.time.step == "fixed")
        problem.fixed_step = c.time.size ? *c.time.size : c.time.cfl * smoothing_length(c) / c.fluid.sound_speed;
    return problem;
}

}  // namespace halfulp
