#include "validation/decisive/flows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <numbers>
#include <random>

namespace halfulp {

namespace {

constexpr double pi = std::numbers::pi;
constexpr double gravity = 9.81;  // m/s^2

const std::vector<std::string> parts_switched_off{"robust/update=plain",    "robust/density=absolute",
                                                  "robust/pressure=powers", "robust/kernels=powers",
                                                  "robust/sums=plain",      "robust/position=global"};
// Those that take every term.
const std::vector<std::string> parts_with_every_term{"robust/update=plain", "robust/pressure=powers"};

// double first, then its controls, then the precisions. `more`: parts of robust exchanged, as the flow allows.
std::vector<Arm> arms_of(Scale scale, const std::vector<std::string>& more, bool periodic)
{
    std::vector<Arm> arms{{.name = "double", .precision = "double"},
                          {.name = "double, half the step", .precision = "double", .step = 0.5},
                          {.name = "double, start off by an ulp", .precision = "double", .ulp_seed = 1},
                          {.name = "robust", .precision = "robust"},
                          {.name = "robust, 10^6 cells away", .precision = "robust", .cells = 1'000'000}};
    // Whose pair loops lack what the default walls and viscosities need.
    if (more == parts_switched_off) arms.push_back({.name = "double, other units", .precision = "double/units=si"});
    for (const char* precision : {"gpusph", "dualsphysics", "naive"}) {
        if (periodic && std::string_view(precision) == "naive") continue;  // which has no periods
        arms.push_back({.name = precision, .precision = precision});
    }
    if (!periodic) arms.push_back({.name = "naive, 1,000 cells away", .precision = "naive", .cells = 1000});
    if (scale == Scale::quick) return arms;
    for (const std::string& precision : more) arms.push_back({.name = precision, .precision = precision});
    return arms;
}

// Windows of time, evenly spread from the start to the end.
std::vector<std::array<double, 2>> windows_of(double end, double length)
{
    constexpr int count = 8;
    std::vector<std::array<double, 2>> windows;
    for (int k = 0; k < count; ++k) {
        const double begin = (end - length) * k / (count - 1);
        windows.push_back({begin, begin + length});
    }
    return windows;
}

// The first mode of a tank 1 m long: velocities are those of the potential a cosh(k y) cos(k x), k = pi/m.
struct Mode {
    double depth;

    [[nodiscard]] double frequency() const { return std::sqrt(gravity * pi * std::tanh(pi * depth)); }
    [[nodiscard]] std::array<double, 2> direction(const std::array<double, 3>& x) const
    {
        const double scale = 1 / std::cosh(pi * depth);
        return {std::cosh(pi * x[1]) * std::sin(pi * x[0]) * scale,
                -std::sinh(pi * x[1]) * std::cos(pi * x[0]) * scale};
    }
    // Of the projected velocity and displacement, as heights of the wave at the wall.
    [[nodiscard]] std::vector<double> heights(const FluidState& now, const FluidState& first) const
    {
        double speed = 0;
        double moved = 0;
        double norm = 0;
        for (std::size_t i = 0; i < first.position.size(); ++i) {
            const auto along = direction(first.position[i]);
            for (std::size_t c = 0; c < 2; ++c) {
                speed += along[c] * now.velocity[i][c];
                moved += along[c] * (now.position[i][c] - first.position[i][c]);
                norm += along[c] * along[c];
            }
        }
        const double of_speed = frequency() / (gravity * pi);
        return {of_speed * speed / norm, of_speed * frequency() * moved / norm};
    }
};

}  // namespace

Flow seiche(const Seiche& wave, Scale scale)
{
    const Mode mode{.depth = wave.depth};
    Flow flow;
    flow.name = wave.name;
    flow.title =
        fmt::format("A standing wave of {} mm in a tank 1 m long and {} m deep", 1000 * wave.height, wave.depth);
    flow.text = fmt::format(
        "linear-sloshing-2d with its velocities scaled, particles of {} mm, {}, sound speed {} m/s, CFL {} with a variable "
        "step. It starts as the mode, with the velocities of the potential flow. The signal is the projection of all "
        "velocities on that mode, as the height of the wave at the wall; offset, amplitude, phase, frequency and damping "
        "are fitted in each window of time.",
        1000 * wave.spacing,
        wave.defaults ? "the default walls and density diffusion, alpha 0.01"
                      : "dynamic walls, no diffusion, alpha 0.002",
        wave.sound_speed, wave.cfl);
    flow.case_name = "linear-sloshing-2d";
    flow.cfl = wave.cfl;
    const double speed = wave.height * gravity * pi / mode.frequency();
    flow.overrides = {fmt::format("resolution.spacing={}", wave.spacing), fmt::format("time.end={}", wave.end),
                      fmt::format("fluid.sound_speed={}", wave.sound_speed),
                      fmt::format("shapes.water.velocity=[\"{0} * cosh(pi*y)/cosh({1}*pi) * sin(pi*x)\", \"-{0} * "
                                  "sinh(pi*y)/cosh({1}*pi) * cos(pi*x)\"]",
                                  speed, wave.depth)};
    if (wave.depth != 0.5) {
        flow.overrides.push_back(fmt::format("shapes.water.box.to=[1,{}]", wave.depth));
        flow.overrides.push_back(fmt::format("shapes.tank.hollow_box.to=[1,{}]", wave.depth + 0.25));
    }
    if (!wave.defaults) {
        for (const char* more :
             {"numerics.walls=dynamic", "numerics.density_diffusion=none", "fluid.artificial_viscosity=0.002"})
            flow.overrides.emplace_back(more);
    }
    if (wave.every_term) {
        for (const char* more :
             {"numerics.velocity_smoothing=0.1", "numerics.particle_shifting=2", "numerics.density_filter=shepard",
              "fluid.laminar_viscosity=morris", "fluid.kinematic_viscosity=1e-5", "numerics.tensile_correction=true"})
            flow.overrides.emplace_back(more);
        flow.text +=
            " With every term: XSPH, particle shifting, Shepard's filter, laminar viscosity, tensile correction.";
    }
    flow.arms = arms_of(scale, wave.defaults ? parts_with_every_term : parts_switched_off, false);
    flow.windows = windows_of(wave.end, std::min(0.25 * wave.end, 8 * 2 * pi / mode.frequency()));
    flow.frequency = mode.frequency();
    flow.sample_every = 40;
    flow.signal_names = {"velocity[m]", "displacement[m]"};
    flow.measure = [=](const FluidState& now, const FluidState& first) { return mode.heights(now, first); };
    return flow;
}

namespace {

// The channel between two plates of which one has begun to move, so slowly that the lattice of particles is sheared by
// less than a spacing: a lattice sheared further breaks up, at a place that rounding decides.
Flow couette(double viscosity, double speed, int particles, double end, Scale scale)
{
    const double spacing = 1.0 / particles;
    const double length = 16 * spacing;
    const double thickness = 4 * spacing;
    Flow flow;
    flow.name = "couette";
    flow.title = "Couette flow from rest";
    flow.text = fmt::format(
        "couette-2d with a viscosity of {} m2/s, {} particles between the plates 1 m apart, a plate's speed of {} m/s, default "
        "walls, no diffusion, CFL 0.2 with a variable step. The signal is the first sine of the difference of the velocity "
        "from its final profile, over the speed of the plate exactly -(2/pi) e^(-nu pi^2 t); errors are over that speed. "
        "naive is not there: its positions have no periods.",
        viscosity, particles, speed);
    flow.case_name = "couette-2d";
    flow.overrides = {fmt::format("resolution.spacing={}", spacing),
                      fmt::format("fluid.kinematic_viscosity={}", viscosity),
                      fmt::format("period=[{},0]", length),
                      fmt::format("shapes.lower-plate.box={{from=[0,{}],to=[{},0]}}", -thickness, length),
                      fmt::format("shapes.upper-plate.box={{from=[0,1],to=[{},{}]}}", length, 1 + thickness),
                      fmt::format("shapes.upper-plate.velocity=[{},0]", speed),
                      fmt::format("shapes.fluid.box.to=[{},1]", length),
                      fmt::format("time.end={}", end)};
    flow.arms = arms_of(scale, parts_with_every_term, true);
    flow.windows = windows_of(end, 0.1 * end);
    flow.scale = speed;
    flow.sample_every = scale == Scale::quick ? 5 : 50;
    flow.signal_names = {"first sine[m/s]", "largest velocity across[m/s]"};
    flow.measure = [=](const FluidState& now, const FluidState& /*first*/) {
        double sum = 0;
        double across = 0;
        for (std::size_t i = 0; i < now.position.size(); ++i) {
            const double y = now.position[i][1];
            sum += (now.velocity[i][0] - speed * y) * std::sin(pi * y);
            across = std::max(across, std::abs(now.velocity[i][1]));
        }
        return std::vector{2 * sum / static_cast<double>(now.position.size()), across};
    };
    flow.exact = [=](double time) { return -2 / pi * speed * std::exp(-viscosity * pi * pi * time); };
    return flow;
}

// Shallow water in a tank that is swayed more slowly than its first mode, so gently that it does not break: the
// sloshing of Green and Peiro (Comput. Fluids 174 (2018) 179), who used double for it.
Flow low_fill(double spacing, int periods, Scale scale)
{
    constexpr double depth = 0.1;
    constexpr double amplitude = 0.005;
    const double natural = std::sqrt(gravity * pi * std::tanh(pi * depth));
    const double period = 1.5 * 2 * pi / natural;
    Flow flow;
    flow.name = "low-fill";
    flow.title = fmt::format("Sloshing at a tenth of the tank's length over {} periods", periods);
    flow.text = fmt::format(
        "sway-tank-2d with water {} m deep in a tank 1 m long, particles of {} mm, its default walls and diffusion, swayed by "
        "{} mm with a period of {:.4g} s, 1.5 times the first mode's, CFL 0.2 with a variable step. The signal is the centre of "
        "mass along the tank, to which an oscillation is fitted in each window, and beside it the kinetic energy of a unit "
        "of mass.",
        depth, 1000 * spacing, 1000 * amplitude, period);
    flow.case_name = "sway-tank-2d";
    const double end = periods * period;
    flow.overrides = {fmt::format("resolution.spacing={}", spacing),
                      fmt::format("time.end={}", end),
                      "fluid.sound_speed=10",
                      fmt::format("shapes.water.box.to=[1,{}]", depth),
                      "shapes.tank.hollow_box.to=[1,0.3]",
                      fmt::format("motions.sway.translation.sine={{amplitude={},period={},smooth_start={}}}", amplitude,
                                  period, 4 * period)};
    flow.arms = arms_of(scale, parts_with_every_term, false);
    flow.windows = windows_of(end, std::min(0.2 * end, 10 * period));
    flow.frequency = 2 * pi / period;
    flow.sample_every = 50;
    flow.signal_names = {"centre of mass[m]", "kinetic energy[J/kg]"};
    flow.measure = [](const FluidState& now, const FluidState& first) {
        double moved = 0;
        double square = 0;
        for (std::size_t i = 0; i < now.position.size(); ++i) {
            moved += now.position[i][0] - first.position[i][0];
            for (const double u : now.velocity[i]) square += u * u;
        }
        const auto count = static_cast<double>(now.position.size());
        return std::vector{moved / count, 0.5 * square / count};
    };
    return flow;
}

// Water at rest: what it moves by itself.
Flow rest(double spacing, double end, Scale scale)
{
    Flow flow;
    flow.name = "rest";
    flow.title = "Water at rest";
    flow.text = fmt::format(
        "still-water with particles of {} mm, its default walls, diffusion and viscosity, CFL 0.2 with a variable step. The "
        "signal is the root mean square velocity, and beside it the height of the centre of mass over that of the start; "
        "errors are over the speed of the longest wave, 1.57 m/s. The exact answer is no motion.",
        1000 * spacing);
    flow.case_name = "still-water";
    flow.overrides = {fmt::format("resolution.spacing={}", spacing), fmt::format("time.end={}", end)};
    flow.arms = arms_of(scale, parts_with_every_term, false);
    flow.windows = windows_of(end, 0.1 * end);
    flow.scale = std::sqrt(gravity * 0.25);
    flow.sample_every = 50;
    flow.signal_names = {"rms velocity[m/s]", "centre of mass[m]"};
    flow.measure = [](const FluidState& now, const FluidState& first) {
        double square = 0;
        double rise = 0;
        for (std::size_t i = 0; i < now.position.size(); ++i) {
            for (const double u : now.velocity[i]) square += u * u;
            rise += now.position[i][1] - first.position[i][1];
        }
        const auto count = static_cast<double>(now.position.size());
        return std::vector{std::sqrt(square / count), rise / count};
    };
    flow.exact = [](double /*time*/) { return 0.0; };
    return flow;
}

// One ulp of single precision up or down, of each component of velocities and offsets that is not zero.
void move_by_an_ulp(Problem& problem, unsigned seed)
{
    std::mt19937 random(seed);
    for (InitialParticle& particle : problem.particles) {
        if (particle.kind != Kind::fluid) continue;
        for (auto* const numbers : {&particle.velocity, &particle.offset}) {
            for (float& number : *numbers) {
                const float towards = (random() & 1U) != 0 ? 1e30F : -1e30F;
                if (number != 0) number = std::nextafter(number, towards);
            }
        }
    }
}

}  // namespace

Case case_of(const Flow& flow, const Arm& arm)
{
    std::vector<std::string> overrides = flow.overrides;
    overrides.push_back("time.step=variable");
    overrides.push_back(fmt::format("time.cfl={}", flow.cfl * arm.step));
    overrides.push_back("numerics.precision=" + arm.precision);
    if (arm.cells != 0) overrides.push_back(fmt::format("origin.cells=[{},{}]", arm.cells, -arm.cells));
    return case_with(flow.case_name, overrides);
}

Recorded follow(const Flow& flow, const Arm& arm)
{
    Problem problem = prepare(case_of(flow, arm));
    if (arm.ulp_seed != 0) move_by_an_ulp(problem, arm.ulp_seed);
    Recorded recorded;
    recorded.particles = static_cast<double>(problem.particles.size());
    FluidState first;
    const auto every = static_cast<std::uint64_t>(std::round(static_cast<double>(flow.sample_every) / arm.step));
    const Simulated run = simulate(std::move(problem), every, [&](const Problem& of, const Simulation& now) {
        const FluidState fluid = fluid_of(of, now.snapshot());
        if (recorded.times.empty()) first = fluid;
        recorded.times.push_back(now.time());
        recorded.signals.push_back(flow.measure(fluid, first));
        for (const auto& u : fluid.velocity) {
            for (const double component : u)
                recorded.velocity_bits =
                    (recorded.velocity_bits ^ std::bit_cast<std::uint64_t>(component)) * 1099511628211U;
        }
    });
    recorded.broke = run.broke;
    recorded.steps = run.steps;
    return recorded;
}

namespace {

// The small wave with one of its parameters changed at a time, in plain precisions.
std::vector<Flow> ladder_flows(Scale scale)
{
    const double end = scale == Scale::full ? 120 : 60;
    const double height = 2e-4;
    std::vector<Flow> flows;
    for (const Seiche& wave : std::vector<Seiche>{
             {.name = "ladder-base", .height = height, .end = end},
             {.name = "ladder-quarter", .height = height / 4, .end = end},
             {.name = "ladder-fourfold", .height = 4 * height, .end = end},
             {.name = "ladder-cfl-0.1", .height = height, .end = end, .cfl = 0.1},
             {.name = "ladder-cfl-0.4", .height = height, .end = end, .cfl = 0.4},
             {.name = "ladder-fast-sound", .height = height, .end = end, .sound_speed = 44.4},
             {.name = "ladder-shallow", .height = height, .end = end, .depth = 0.25, .sound_speed = 22.2},
             {.name = "ladder-fine", .height = height, .spacing = 0.0125, .end = end},
         }) {
        Flow flow = seiche(wave, scale);
        flow.arms = {{.name = "double", .precision = "double"},
                     {.name = "robust/update=plain", .precision = "robust/update=plain"},
                     {.name = "gpusph", .precision = "gpusph"},
                     {.name = "dualsphysics", .precision = "dualsphysics"},
                     {.name = "naive", .precision = "naive"},
                     {.name = "naive, start off by an ulp", .precision = "naive", .ulp_seed = 1},
                     {.name = "naive, 10 cells away", .precision = "naive", .cells = 10},
                     {.name = "naive, 100 cells away", .precision = "naive", .cells = 100}};
        flows.push_back(flow);
    }
    return flows;
}

}  // namespace

std::vector<Flow> decisive_flows(Scale scale)
{
    std::vector<Flow> flows;
    if (scale == Scale::quick) {
        flows.push_back(seiche({.name = "seiche-small", .height = 2e-4, .spacing = 0.05, .end = 10}, scale));
        flows.push_back(couette(0.1, 1, 16, 1.5, scale));
        return flows;
    }
    const bool full = scale == Scale::full;
    const double end = full ? 120 : 60;
    flows.push_back(seiche({.name = "seiche-small", .height = 2e-4, .end = end}, scale));
    flows.push_back(seiche({.name = "seiche-h200", .height = 2.5e-3, .end = end}, scale));
    flows.push_back(seiche({.name = "seiche-h100", .height = 5e-3, .end = end}, scale));
    flows.push_back(seiche({.name = "seiche-defaults", .height = 2.5e-3, .end = end, .defaults = true}, scale));
    flows.push_back(seiche(
        {.name = "seiche-everything", .height = 2.5e-3, .end = end / 2, .defaults = true, .every_term = true}, scale));
    flows.push_back(couette(1e-3, 1e-4, 20, full ? 500 : 100, scale));
    flows.push_back(
        seiche({.name = "seiche-deep", .height = 5e-3, .end = end / 2, .depth = 1, .sound_speed = 62.6}, scale));
    flows.push_back(low_fill(0.02, full ? 200 : 20, scale));
    flows.push_back(rest(0.025, full ? 500 : 50, scale));
    std::ranges::move(ladder_flows(scale), std::back_inserter(flows));
    return flows;
}

}  // namespace halfulp
