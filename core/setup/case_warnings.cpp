#include "core/setup/case_warnings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "core/schemes/integrators.hpp"
#include "core/setup/damping.hpp"
#include "core/setup/for_each_particle.hpp"
#include "core/setup/mesh_scale.hpp"
#include "core/setup/policy_table.hpp"
#include "kernels/time_step.hpp"
#include "kernels/viscosity.hpp"

namespace halfulp {

namespace {

// c0 dt/h: for some fixed steps and resolutions collapses and impacts break down from 0.6, water at rest above 1.4
// (docs/physics.md, time integration).
constexpr double largest_cfl = 0.4;

const char* name_of(LaminarViscosity form)
{
    HALFULP_OF_MODEL(HALFULP_LAMINAR_VISCOSITIES, LaminarViscosity, form, name);
}

// Whether walls turn in the frame of the computation.
bool has_turning_walls(const Case& c)
{
    return std::ranges::any_of(
        c.motions, [](const Motion& m) { return m.rotation.has_value() && m.frame != MotionFrame::moving; });
}

// Whether all walls turn steadily and as one, with no gravity across their axis that would hold back fluid inside.
bool turns_steadily(const Case& c)
{
    if (!may_move_its_frame(c)) return false;
    const Motion& motion = c.motions.front();
    if (!motion.rotation || motion.translation) return false;
    const Signal& angle = motion.rotation->angle;
    if (angle.form != Signal::Form::steady || angle.steady.rate == 0 || angle.steady.acceleration != 0) return false;
    const std::array<double, 3> axis = c.dimensions == 2 ? std::array{0.0, 0.0, 1.0} : motion.rotation->axis;
    constexpr double rounding = 1e-6;
    for (std::size_t i = 0; i < 3; ++i) {
        const std::size_t j = (i + 1) % 3;
        const double one = c.gravity[i] * axis[j];
        const double other = c.gravity[j] * axis[i];
        if (std::abs(one - other) > rounding * (std::abs(one) + std::abs(other))) return false;
    }
    return true;
}

// No dissipation, and energy-conserving steps: the settings of energy studies.
bool is_energy_study(const Case& c)
{
    return c.fluid.artificial_viscosity == 0 && c.fluid.laminar_viscosity == LaminarViscosity::none &&
           c.numerics.density_diffusion == DensityDiffusion::none && c.time.step == "fixed";
}

// A bound to three digits, never above it.
double rounded_down(double bound)
{
    const double digit = std::pow(10, std::floor(std::log10(bound)) - 2);
    return std::floor(bound / digit * (1 + 1e-9)) * digit;
}

// Intervals between Verlet's correctors with which sound does not grow, steps: they are steps of Euler's scheme.
double shortest_interval(const DampingRates& rates, double step)
{
    constexpr double undamped = 40;  // the default: grows slowly, from rounding
    return std::min(undamped, std::ceil(rates.euler * step));
}

// Where a dissipative term makes the shortest waves grow, since they are damped too much in a step for the integrator.
// Returns whether that is said of the viscosity.
bool add_damping_warnings(const Problem& problem, std::vector<std::string>& all)
{
    const Case& c = problem.source;
    const IntegratorInfo info = info_of(c.numerics.integrator);
    const int every = c.numerics.corrector_every;
    const bool verlet = c.numerics.integrator == Integrator::verlet;
    const double h = smoothing_length(c);
    const double step = problem.fixed_step > 0
                            ? problem.fixed_step
                            : stable_step(c.time.cfl, h, 0, c.fluid.sound_speed, lengthwise_viscosity(c));
    const double most = info.most_damping(every);
    const DampingRates rates = damping_rates(c);
    const auto warn = [&](const std::string& key, double value, double rate) {
        constexpr double scatter = 1.05;  // stays stable in runs
        if (!(rate * step > scatter * most)) return false;
        std::string remedy =
            c.time.size && problem.fixed_step > 0
                ? fmt::format("give a time.size of at most {:.3g} s", rounded_down(most / rate))
                : fmt::format("lower time.cfl to {:.3g}", rounded_down(most / rate * c.fluid.sound_speed / h));
        if (verlet) {
            for (const int fewer : {20, 10, 4}) {
                if (fewer >= every || fewer < shortest_interval(rates, step)) break;
                if (rate * step > info.most_damping(fewer)) continue;
                remedy += fmt::format(", or set numerics.corrector_every to {}", fewer);
                break;
            }
        }
        all.push_back(fmt::format(
            "{} = {} takes {:.2g} times their height from the shortest waves in a step, but with {} they grow beyond "
            "{:.2g}; {}, or take a smaller {}",
            key, value, rate * step,
            verlet ? fmt::format("\"verlet\" and a corrector every {} steps", every)
                   : fmt::format("the integrator \"{}\"", info.name),
            most, remedy, key));
        return true;
    };
    warn("numerics.diffusion_coefficient", c.numerics.diffusion_coefficient, rates.density);
    const double viscous = rates.artificial + rates.laminar;
    const bool of_viscosity = rates.artificial >= rates.laminar
                                  ? warn("fluid.artificial_viscosity", c.fluid.artificial_viscosity, viscous)
                                  : warn("fluid.kinematic_viscosity", c.fluid.kinematic_viscosity, viscous);
    if (const double shortest = shortest_interval(rates, step); verlet && every < shortest) {
        all.push_back(fmt::format(
            "numerics.corrector_every = {}: Verlet's correctors are steps of Euler's scheme, and so many feed sound faster "
            "than it is damped; give {} or more, or take \"kick-drift-kick\"",
            every, shortest));
    }
    return of_viscosity;
}

// Wall particles that fluid can touch, and those of them without fluid next to them.
struct Touched {
    std::uint64_t all = 0;
    std::uint64_t dry = 0;
};

Touched touched_walls(const Problem& problem, const StartRegion& start)
{
    std::uint64_t all = 0;
    std::uint64_t dry = 0;
#pragma omp parallel for schedule(static) reduction(+ : all, dry) if (problem.particles.size() >= worth_threads)
    for (std::size_t i = 0; i < problem.particles.size(); ++i) {
        if (problem.particles.without_velocity(i).kind != Kind::wall) continue;
        bool any = false;
        bool wet = false;
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(problem.source.dimensions); ++axis) {
            for (const std::int64_t side : {-1, 1}) {
                Site beside = start.site(i);
                beside[axis] += side;
                if (!start.may_be_wet(beside)) continue;
                any = true;
                wet = wet || start.near_fluid(beside);
            }
        }
        all += any ? 1 : 0;
        dry += any && !wet ? 1 : 0;
    }
    return {.all = all, .dry = dry};
}

}  // namespace

bool may_move_its_frame(const Case& c)
{
    if (c.motions.size() != 1 || c.central_force) return false;
    const Motion& motion = c.motions.front();
    if (motion.frame == MotionFrame::moving || info_of(c.numerics.integrator).force_time == ForceTime::both)
        return false;
    return std::ranges::all_of(c.shapes, [&](const Shape& s) {
        return s.kind != Kind::wall || (has_body(motion.bodies, s.name) && !s.slides());
    });
}

std::string how_to_move_the_frame(const Case& c)
{
    const Motion& motion = c.motions.front();
    return fmt::format("set motions.{}.frame = \"moving\"{} (velocities at the start are then relative to the walls)",
                       motion.name, motion.bodies.empty() ? "" : " and leave out its bodies");
}

void add_output_warnings(const Problem& problem, std::vector<std::string>& all)
{
    const Case& c = problem.source;
    if (!c.output.within) return;
    const Box& box = *c.output.within;
    const bool only_fluid = c.output.particles == Case::Output::Particles::fluid;
    const int any = fold_particles(
        problem.particles.size(), 0,
        [&](int& found, std::size_t i) {
            if (found != 0) return;
            const InitialParticle particle = problem.particles.without_velocity(i);
            if (only_fluid && particle.kind == Kind::wall) return;
            const Point x = position_of(c, problem.units, particle);
            bool inside = true;
            for (std::size_t k = 0; k < static_cast<std::size_t>(c.dimensions); ++k)
                inside = inside && x[k] >= box.from[k] && x[k] <= box.to[k];
            found = inside ? 1 : 0;
        },
        [](int& found, int more) { found |= more; });
    if (any != 0) return;
    all.push_back(
        fmt::format("output.within, from {} to {}, holds no {} at the start, and outputs are empty as long as none "
                    "comes there; move it to where the fluid is, or remove it",
                    text_of(c, box.from), text_of(c, box.to), only_fluid ? "fluid" : "particle"));
}

void add_step_warnings(const Problem& problem, std::vector<std::string>& all)
{
    const Case& c = problem.source;
    const double h = smoothing_length(c);
    const double sound = h / c.fluid.sound_speed;
    const bool fixed = problem.fixed_step > 0;
    const double cfl = fixed ? problem.fixed_step / sound : c.time.cfl;
    if (cfl > largest_cfl * (1 + 1e-9)) {
        const bool size = fixed && c.time.size;
        all.push_back(fmt::format(
            "{} is a CFL number c0 dt/h of {:.3g}, but flows that strike walls need {} or less, and water at rest 1.4; {}",
            size ? fmt::format("time.size = {} s", *c.time.size) : fmt::format("time.cfl = {}", c.time.cfl), cfl,
            largest_cfl,
            size ? fmt::format("give a time.size of at most {:.3g} s", largest_cfl * sound)
                 : fmt::format("lower it to {} or less", largest_cfl)));
    }
    const bool told_of_viscosity = add_damping_warnings(problem, all);
    if (c.fluid.laminar_viscosity == LaminarViscosity::none) return;
    const double artificial = c.fluid.artificial_viscosity * h * c.fluid.sound_speed / (2 * (c.dimensions + 2));
    if (problem.wall > 0 && artificial > c.fluid.kinematic_viscosity && !c.places.contains("numerics.wall_slip")) {
        all.push_back(fmt::format(
            "fluid.artificial_viscosity = {} acts at walls, too, as walls do not slip for a fluid with a laminar viscosity, "
            "and like one of {:.2g} m^2/s, {:.2g} times that; set numerics.wall_slip = \"free-slip\" if the boundary layer is "
            "thinner than a spacing, or fluid.artificial_viscosity = 0",
            c.fluid.artificial_viscosity, artificial, artificial / c.fluid.kinematic_viscosity));
    }
    const bool turns = has_turning_walls(c);
    if (acts_along_velocity(c.fluid.laminar_viscosity) && (turns || c.central_force)) {
        all.push_back(fmt::format(
            "fluid.laminar_viscosity is \"{}\", which does not conserve angular momentum: {}; take \"monaghan-gingold\"",
            name_of(c.fluid.laminar_viscosity),
            turns ? "torques and dissipation beside walls that turn can be wrong by half and more"
                  : "a free surface slows down water that turns"));
    }
    const double longest = viscous_step(h, lengthwise_viscosity(c));
    const std::string bound = fmt::format("h^2/({} nu)", 8 * lengthwise_viscosity(c.fluid.laminar_viscosity));
    constexpr double thick_oil = 1e-3;  // m^2/s
    if (constexpr double much_shorter = 0.1; !fixed && longest < much_shorter * cfl * sound) {
        all.push_back(fmt::format(
            "fluid.kinematic_viscosity = {} m^2/s bounds steps by {} = {:.3g} s, {:.3g} of what the sound speed "
            "allows{}",
            c.fluid.kinematic_viscosity, bound, longest, longest / (cfl * sound),
            c.fluid.kinematic_viscosity > thick_oil ? "; is it meant in m^2/s? Water has 1e-6" : ""));
    }
    if (problem.fixed_step > longest && !told_of_viscosity) {
        all.push_back(
            fmt::format("fixed steps of {:.3g} s are longer than {} = {:.3g} s, up to which viscosity is stable; {}",
                        problem.fixed_step, bound, longest,
                        c.time.size ? fmt::format("give a time.size of at most {:.3g} s", rounded_down(longest))
                                    : fmt::format("lower time.cfl to {:.3g} or less", rounded_down(longest / sound))));
    }
}

bool is_sheared(const Problem& problem)
{
    // Of fluid: a velocity, and whether there is another.
    struct Velocities {
        std::optional<std::array<float, 3>> first;
        bool differ = false;
        void add(const std::array<float, 3>& velocity)
        {
            if (!first) first = velocity;
            differ = differ || velocity != *first;
        }
    };
    const Velocities all = fold_particles(
        problem.particles.size(), Velocities{},
        [&](Velocities& velocities, std::size_t i) {
            if (velocities.differ) return;
            const InitialParticle particle = problem.particles[i];
            if (particle.kind == Kind::fluid) velocities.add(particle.velocity);
        },
        [](Velocities& velocities, const Velocities& more) {
            if (more.first) velocities.add(*more.first);
            velocities.differ = velocities.differ || more.differ;
        });
    return all.differ;
}

bool fills_its_periods(const Problem& problem)
{
    const Case& c = problem.source;
    double sites = 1;
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.dimensions); ++i)
        sites *= c.period[i] / c.resolution.spacing;
    return problem.wall == 0 && sites > 0 && sites <= 1.02 * static_cast<double>(problem.fluid);
}

void add_numerics_warnings(const Problem& problem, const StartRegion* start, std::vector<std::string>& all)
{
    const Case& c = problem.source;
    const Case::Numerics& n = c.numerics;
    const PolicyInfo* const policy = find_policy(n.precision);
    const Touched walls = start ? touched_walls(problem, *start) : Touched{};
    if (n.walls == Walls::dynamic && walls.dry > 0) {
        all.push_back(fmt::format(
            "numerics.walls is \"dynamic\", and {} of the {} wall particles that fluid can touch start dry: they stop "
            "fluid one to two spacings away, at pressures of several times its weight; use \"extrapolated\", or do not "
            "evaluate anything near walls (studies of the energy need dynamic walls)",
            walls.dry, walls.all));
    }
    if (continue_gradient(n.walls)) {
        all.emplace_back(
            "numerics.walls is \"modified-dynamic\", which continues the fluid's own gradient of pressure into walls: "
            "sound grows between them, and water at rest may move by itself; take \"pressure-cloning\", which has the same "
            "mirror nodes, or \"extrapolated\"");
    }
    const bool free_surface = closed_gravity_axes(c) > 0 && walls.dry > 0;
    const bool everything = policy != nullptr && policy->every_physics && !policy->reversible;
    if (free_surface && n.density_diffusion == DensityDiffusion::none && n.density_filter == DensityFilter::none &&
        everything && !is_energy_study(c)) {
        all.emplace_back(
            "numerics.density_diffusion is \"none\", so pressures in a flow with a free surface scatter by more than "
            "the hydrostatic pressure; use \"balanced\", or evaluate only mean pressures");
    }
    if (n.density_diffusion == DensityDiffusion::molteni_colagrossi && (free_surface || c.central_force)) {
        all.emplace_back(
            "numerics.density_diffusion is \"molteni-colagrossi\", which treats the hydrostatic pressure as noise and "
            "lifts water at rest by a hundredth of its depth in ten seconds; use \"balanced\"");
    }
    if (n.density_diffusion == DensityDiffusion::fourtakas) {
        const char* const wrong = problem.physics.driven ? "along a period, where no pressure carries it"
                                  : problem.physics.moving_frame
                                      ? "in a moving frame, where it is not the case's gravity"
                                  : problem.wall == 0 ? "in free fall, where there is none"
                                                      : nullptr;
        if (wrong != nullptr) {
            all.push_back(
                fmt::format("numerics.density_diffusion is \"fourtakas\", which subtracts a hydrostatic pressure "
                            "that is wrong {}; use \"balanced\"",
                            wrong));
        }
    }
    if (!(start != nullptr ? start->is_full() : fills_its_periods(problem))) return;
    if (problem.wall > 0 && turns_steadily(c)) {
        all.push_back(fmt::format(
            "motions.{} turns all walls steadily, and in the frame of the laboratory the pressure of fluid that comes to "
            "turn with them keeps rising (docs/physics.md, prescribed motion); {}, in which such fluid rests",
            c.motions.front().name, how_to_move_the_frame(c)));
    }
    if (!n.wall_tension && problem.wall > 0) {
        all.emplace_back(
            "numerics.wall_tension is false, but the fluid fills all of the space that it can reach: walls that do not pull tear voids into "
            "it; remove it");
    }
    const auto moves_through = [&](const Motion& m) {
        if (m.frame == MotionFrame::moving) return false;
        if (m.rotation || !m.translation) return true;
        // Walls may move along a period indefinitely.
        for (std::size_t i = 0; i < 3; ++i) {
            if (m.translation->direction[i] != 0 && c.period[i] == 0) return true;
        }
        return false;
    };
    const auto presses = [](const Shape& s) { return s.kind == Kind::fluid && (s.pressure || s.hydrostatic); };
    if (std::any_of(c.shapes.begin(), c.shapes.end(), presses)) return;
    if (std::any_of(c.motions.begin(), c.motions.end(), moves_through)) {
        all.emplace_back(
            "the fluid fills all of the space that it can reach and starts without pressure, so walls that move "
            "through it may put it under tension, in which it breaks up; give it a pressure of some rho U^2");
    } else if (is_sheared(problem)) {
        all.emplace_back(
            "the fluid fills all of the space that it can reach, moves and starts without pressure, so that its vortices are under tension, "
            "where it comes apart; give it a pressure of some rho U^2");
    }
}

std::vector<std::string> case_warnings(const Problem& problem)
{
    const Case& c = problem.source;
    const std::optional<StartRegion> start = start_region(problem);
    std::vector<std::string> all;
    const auto is_mesh = [](const Shape& s) { return s.form == Shape::Form::mesh; };
    if (std::any_of(c.shapes.begin(), c.shapes.end(), is_mesh)) {
        const std::string mesh = mesh_in_other_units(c, Geometry(c), 100);
        if (!mesh.empty()) all.push_back(mesh);
    }
    add_output_warnings(problem, all);
    add_step_warnings(problem, all);
    add_numerics_warnings(problem, start ? &*start : nullptr, all);
    add_wall_warnings(problem, start ? &*start : nullptr, all);
    add_flow_warnings(problem, start ? &*start : nullptr, all);
    add_motion_warnings(problem, start ? &*start : nullptr, all);
    if (start) {
        add_fluid_warnings(problem, *start, all);
        add_probe_warnings(problem, *start, all);
    }
    return all;
}

}  // namespace halfulp
