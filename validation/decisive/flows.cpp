#include "validation/decisive/flows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <numbers>
#include <optional>
#include <random>

#include "core/backends/make_backend.hpp"
#include "core/error.hpp"
#include "validation/decisive/devices.hpp"

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

// The first mode of a tank 1 m long: velocities are those of the potential a cosh(k y) cos(pi x), k = pi/m. In three
// dimensions the first diagonal one of a square tank: a cosh(k z) cos(pi x) cos(pi y), k = sqrt(2) pi/m.
struct Mode {
    double depth;
    bool diagonal = false;

    [[nodiscard]] double wave_number() const { return diagonal ? std::numbers::sqrt2 * pi : pi; }
    [[nodiscard]] double frequency() const
    {
        return std::sqrt(gravity * wave_number() * std::tanh(wave_number() * depth));
    }
    // At the surface along a wall, for a wave of that height there.
    [[nodiscard]] double speed(double height) const { return height * gravity * wave_number() / frequency(); }
    [[nodiscard]] std::array<double, 3> direction(const std::array<double, 3>& x) const
    {
        const double k = wave_number();
        const double scale = 1 / std::cosh(k * depth);
        if (!diagonal) {
            return {std::cosh(k * x[1]) * std::sin(pi * x[0]) * scale,
                    -std::sinh(k * x[1]) * std::cos(pi * x[0]) * scale, 0};
        }
        const double across = std::cosh(k * x[2]) * scale / std::numbers::sqrt2;
        return {across * std::sin(pi * x[0]) * std::cos(pi * x[1]), across * std::cos(pi * x[0]) * std::sin(pi * x[1]),
                -std::sinh(k * x[2]) * scale * std::cos(pi * x[0]) * std::cos(pi * x[1])};
    }
    // Of the projected velocity and displacement, as heights of the wave at the wall.
    [[nodiscard]] std::vector<double> heights(const FluidState& now, const FluidState& first) const
    {
        double speed = 0;
        double moved = 0;
        double norm = 0;
        for (std::size_t i = 0; i < first.position.size(); ++i) {
            const auto along = direction(first.position[i]);
            for (std::size_t c = 0; c < 3; ++c) {
                speed += along[c] * now.velocity[i][c];
                moved += along[c] * (now.position[i][c] - first.position[i][c]);
                norm += along[c] * along[c];
            }
        }
        const double of_speed = frequency() / (gravity * wave_number());
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
    const double speed = mode.speed(wave.height);
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
    if (wave.parts) flow.arms = arms_of(scale, wave.defaults ? parts_with_every_term : parts_switched_off, false);
    else flow.arms = arms_of(scale, {}, false);
    flow.windows = windows_of(wave.end, std::min(0.25 * wave.end, 8 * 2 * pi / mode.frequency()));
    flow.frequency = mode.frequency();
    flow.sample_every = 40;
    flow.signal_names = {"velocity[m]", "displacement[m]"};
    flow.measure = [=](const Simulation& /*now*/, const FluidState& fluid, const FluidState& first) {
        return mode.heights(fluid, first);
    };
    return flow;
}

Flow seiche_3d(int particles, double height, double end, Scale scale)
{
    // The smoothing length is two spacings, as in 2D: with a shorter one the lattice collapses within seconds.
    const double spacing = 1.0 / particles;
    const int layers = std::max(4, (particles * 25 + 36) / 72);
    const Mode mode{.depth = layers * spacing, .diagonal = true};
    const double k = mode.wave_number();
    const double sound_speed = 10 * std::sqrt(gravity * mode.depth);
    Flow flow;
    flow.name = "seiche-3d";
    flow.title = fmt::format("A standing wave of {} mm in a square tank 1 m wide and {:.3g} m deep, 3D", 1000 * height,
                             mode.depth);
    flow.text = fmt::format(
        "The first diagonal mode, {} x {} x {} particles of water with a smoothing length of two spacings, dynamic walls, no "
        "diffusion, alpha 0.002, sound speed {:.3g} m/s, CFL 0.2 with a variable step. It starts as the mode, with the "
        "velocities of the potential flow. The signal is the projection of all velocities on that mode, as the height of "
        "the wave at the corners.",
        particles, particles, layers, sound_speed);
    flow.case_name = "linear-sloshing-2d";
    const double speed = mode.speed(height);
    const std::string across = fmt::format("{}*cosh({}*z)", speed / std::cosh(k * mode.depth) / std::numbers::sqrt2, k);
    flow.overrides = {
        "dimensions=3",
        fmt::format("gravity=[0,0,-{}]", gravity),
        fmt::format("resolution={{spacing={},smoothing_ratio=2}}", spacing),
        fmt::format("time.end={}", end),
        fmt::format("fluid.sound_speed={}", sound_speed),
        fmt::format(
            "shapes=[{{name=\"tank\",kind=\"wall\",hollow_box={{from=[0,0,0],to=[1,1,{}]}}}},"
            "{{name=\"water\",kind=\"fluid\",box={{from=[0,0,0],to=[1,1,{}]}},hydrostatic=true,surface={},"
            "velocity=[\"{}*sin(pi*x)*cos(pi*y)\",\"{}*cos(pi*x)*sin(pi*y)\",\"-{}*sinh({}*z)*cos(pi*x)*cos(pi*y)\"]}}]",
            (layers + 6) * spacing, mode.depth, mode.depth, across, across, speed / std::cosh(k * mode.depth), k),
        "probes=[]",
        "numerics.walls=dynamic",
        "numerics.density_diffusion=none",
        "fluid.artificial_viscosity=0.002"};
    flow.arms = {
        {.name = "double", .precision = "double"},
        {.name = "robust", .precision = "robust"},
        {.name = "naive", .precision = "naive"},
        {.name = "double, half the step", .precision = "double", .step = 0.5},
        {.name = "robust, 10^6 cells away", .precision = "robust", .cells = 1'000'000, .part = 0.11},
        {.name = "naive, 1,000 cells away", .precision = "naive", .cells = 1000, .part = 0.42},  // the first window
        {.name = "double, start off by an ulp", .precision = "double", .ulp_seed = 1},
    };
    if (scale != Scale::full) {  // a device's back end has not these unless they are compiled for it
        for (const char* precision : {"gpusph", "dualsphysics", "robust/density=absolute", "robust/update=plain"})
            flow.arms.push_back({.name = precision, .precision = precision});
    }
    flow.windows = windows_of(end, std::min(0.4 * end, 2 * 2 * pi / mode.frequency()));
    flow.frequency = mode.frequency();
    flow.sample_every = scale == Scale::full ? 500 : 100;
    flow.large = scale == Scale::full;
    flow.signal_names = {"velocity[m]", "displacement[m]"};
    flow.measure = [=](const Simulation& /*now*/, const FluidState& fluid, const FluidState& first) {
        return mode.heights(fluid, first);
    };
    return flow;
}

Flow body_in_waves(int particles, int periods, Scale scale)
{
    constexpr double depth = 0.5;
    constexpr double side = 0.2;
    constexpr double amplitude = 0.002;
    const double spacing = side / particles;
    const double period = 1.5 * 2 * pi / Mode{.depth = depth}.frequency();
    const double end = periods * period;
    Flow flow;
    flow.name = "body";
    flow.title = fmt::format("The force on a body in a swayed tank over {} periods", periods);
    flow.text = fmt::format(
        "A square of {} m in the middle of a tank 1 m long with {} m of water, particles of {:.3g} mm, the default walls and "
        "diffusion, alpha 0.02, swayed by {} mm with a period of {:.4g} s, 1.5 times the first mode's, CFL 0.2 with a variable "
        "step. The signals are the force of the water on the body along the tank and upwards: mean and harmonics of the "
        "period are fitted in windows of whole periods. An error is the root mean square difference of both components' "
        "means and harmonics over that of double's harmonics.",
        side, depth, 1000 * spacing, 1000 * amplitude, period);
    flow.case_name = "sway-tank-2d";
    flow.overrides = {fmt::format("resolution.spacing={}", spacing),
                      fmt::format("time.end={}", end),
                      "fluid.sound_speed=22.2",
                      fmt::format(R"(shapes=[{{name="tank",kind="wall",hollow_box={{from=[0,0],to=[1,0.75]}}}},)"
                                  R"({{name="body",kind="wall",box={{from=[0.4,0.15],to=[0.6,0.35]}}}},)"
                                  R"({{name="water",kind="fluid",box={{from=[0,0],to=[1,{0}]}},without=["body"],)"
                                  R"(hydrostatic=true,surface={0}}}])",
                                  depth),
                      R"(probes=[{name="body",measures="force",bodies=["body"]}])",
                      fmt::format("motions.sway.translation.sine={{amplitude={},period={},smooth_start={}}}", amplitude,
                                  period, 2 * period)};
    flow.arms = arms_of(scale, parts_with_every_term, false);
    const int in_a_window = std::max(1, periods / 5);
    // They begin with whole periods, too, the first after the smooth start.
    for (int k = 0; k < 4; ++k) {
        const double begin = (2 + (periods - in_a_window - 2) * k / 3) * period;
        flow.windows.push_back({begin, begin + in_a_window * period});
    }
    flow.frequency = 2 * pi / period;
    flow.harmonics = 5;
    flow.exact_mean = 1000 * gravity * side * side;
    flow.sample_every = 20;
    flow.signal_names = {"force along the tank[N/m]", "force upwards[N/m]"};
    flow.measure = [](const Simulation& now, const FluidState& /*fluid*/, const FluidState& /*first*/) {
        const std::vector<double> force = now.sample({0}).front();
        return std::vector{force.at(0), force.at(1)};
    };
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
    flow.measure = [=](const Simulation& /*now*/, const FluidState& fluid, const FluidState& /*first*/) {
        double sum = 0;
        double across = 0;
        for (std::size_t i = 0; i < fluid.position.size(); ++i) {
            const double y = fluid.position[i][1];
            sum += (fluid.velocity[i][0] - speed * y) * std::sin(pi * y);
            across = std::max(across, std::abs(fluid.velocity[i][1]));
        }
        return std::vector{2 * sum / static_cast<double>(fluid.position.size()), across};
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
    flow.measure = [](const Simulation& /*now*/, const FluidState& fluid, const FluidState& first) {
        double moved = 0;
        double square = 0;
        for (std::size_t i = 0; i < fluid.position.size(); ++i) {
            moved += fluid.position[i][0] - first.position[i][0];
            for (const double u : fluid.velocity[i]) square += u * u;
        }
        const auto count = static_cast<double>(fluid.position.size());
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
    flow.measure = [](const Simulation& /*now*/, const FluidState& fluid, const FluidState& first) {
        double square = 0;
        double rise = 0;
        for (std::size_t i = 0; i < fluid.position.size(); ++i) {
            for (const double u : fluid.velocity[i]) square += u * u;
            rise += fluid.position[i][1] - first.position[i][1];
        }
        const auto count = static_cast<double>(fluid.position.size());
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

// At random by a distance that is uniformly distributed along each axis.
void displace(Problem& problem, unsigned seed, double displaced)
{
    std::mt19937 random(seed);
    const double largest = std::sqrt(3.0) * displaced * problem.source.resolution.spacing / problem.units.length;
    for (InitialParticle& particle : problem.particles) {
        if (particle.kind != Kind::fluid) continue;
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(problem.source.dimensions); ++axis)
            particle.offset[axis] += static_cast<float>(largest * (0x1p-31 * random() - 1));
    }
}

}  // namespace

Case case_of(const Flow& flow, const Arm& arm)
{
    std::vector<std::string> overrides = flow.overrides;
    overrides.push_back("time.step=variable");
    overrides.push_back(fmt::format("time.cfl={}", flow.cfl * arm.step));
    overrides.push_back("numerics.precision=" + arm.precision);
    if (arm.cells != 0) {
        overrides.push_back(
            fmt::format("origin.cells=[{},{}{}]", arm.cells, -arm.cells,
                        std::ranges::count(overrides, "dimensions=3") > 0 ? fmt::format(",{}", arm.cells) : ""));
    }
    Case c = case_with(flow.case_name, overrides);
    c.time.end *= arm.part;
    return c;
}

Recorded follow(const Flow& flow, const Arm& arm, bool on_devices)
{
    Problem problem = prepare(case_of(flow, arm));
    if (arm.displaced > 0) displace(problem, arm.ulp_seed, arm.displaced);
    else if (arm.ulp_seed != 0) move_by_an_ulp(problem, arm.ulp_seed);
    Recorded recorded;
    recorded.particles = static_cast<double>(problem.particles.size());
    FluidState first;
    const auto every = static_cast<std::uint64_t>(std::round(static_cast<double>(flow.sample_every) / arm.step));
    const auto look = [&](const Problem& of, const Simulation& now) {
        const FluidState fluid = fluid_of(of, now.snapshot());
        if (recorded.times.empty()) first = fluid;
        recorded.times.push_back(now.time());
        recorded.signals.push_back(flow.measure(now, fluid, first));
        std::uint64_t bits = recorded.velocity_bits.empty() ? 0 : recorded.velocity_bits.back();
        for (const auto& u : fluid.velocity) {
            for (const double component : u) bits = (bits ^ std::bit_cast<std::uint64_t>(component)) * 1099511628211U;
        }
        recorded.velocity_bits.push_back(bits);
    };
    std::optional<DeviceLease> lease;
    if (flow.large || on_devices) lease.emplace(problem);
    const Simulated run = simulate(std::move(problem), every, look, [&](const Problem& of) {
        if (lease && lease->device() >= 0) return make_cuda_backend(of, {.device = lease->device()});
        if (flow.large) complain(fmt::format("decisive: {}, {} takes days without a CUDA device", flow.name, arm.name));
        return make_cpu_backend(of, one_thread);
    });
    recorded.broke = run.broke;
    recorded.steps = run.steps;
    return recorded;
}

bool have_same_bits(const Recorded& one, const Recorded& other)
{
    std::size_t common = std::min(one.times.size(), other.times.size());
    if (one.times.back() != other.times.back()) --common;
    return common > 1 &&
           std::equal(one.velocity_bits.begin(), one.velocity_bits.begin() + common, other.velocity_bits.begin()) &&
           std::equal(one.times.begin(), one.times.begin() + common, other.times.begin());
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
             {.name = "ladder-tall", .height = 25 * height, .end = end},
             {.name = "ladder-tall-fine", .height = 25 * height, .spacing = 0.0125, .end = end},
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

// A wave on particles that do not start on a lattice: what displacements change of its frequency, in double; and what
// rounded coordinates change of it, which displace particles on the way.
std::vector<Flow> displaced_flows(Scale scale)
{
    constexpr double displaced = 0.002;  // spacings; the change is in proportion to it
    constexpr unsigned starts = 8;
    std::vector<Flow> flows;
    for (const Seiche& wave :
         std::vector<Seiche>{{.name = "displaced-coarse", .height = 5e-3, .spacing = 0.05, .end = 12},
                             {.name = "displaced", .height = 5e-3, .end = 12},
                             {.name = "displaced-fine", .height = 5e-3, .spacing = 0.0125, .end = 12},
                             {.name = "displaced-finest", .height = 5e-3, .spacing = 0.00625, .end = 12}}) {
        Flow flow = seiche(wave, scale);
        flow.arms = {{.name = "double", .precision = "double"}};
        for (unsigned start = 1; start <= starts; ++start) {
            flow.arms.push_back({.name = fmt::format("double, start {} displaced", start),
                                 .precision = "double",
                                 .ulp_seed = start,
                                 .displaced = displaced});
        }
        for (unsigned start = 1; start <= starts; ++start) {
            flow.arms.push_back(
                {.name = fmt::format("naive, start {} off by an ulp", start), .precision = "naive", .ulp_seed = start});
        }
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
        flows.push_back(body_in_waves(4, 4, scale));
        return flows;
    }
    const bool full = scale == Scale::full;
    const double end = full ? 120 : 60;
    flows.push_back(seiche({.name = "seiche-small", .height = 2e-4, .end = end}, scale));
    flows.push_back(seiche({.name = "seiche-h200", .height = 2.5e-3, .end = end}, scale));
    flows.push_back(seiche({.name = "seiche-h100", .height = 5e-3, .end = end, .parts = false}, scale));
    flows.push_back(seiche({.name = "seiche-defaults", .height = 2.5e-3, .end = end, .defaults = true}, scale));
    flows.push_back(seiche(
        {.name = "seiche-everything", .height = 2.5e-3, .end = end / 2, .defaults = true, .every_term = true}, scale));
    flows.push_back(couette(1e-3, 1e-4, 20, full ? 500 : 100, scale));
    flows.push_back(
        seiche({.name = "seiche-deep", .height = 5e-3, .end = end / 2, .depth = 1, .sound_speed = 62.6}, scale));
    flows.push_back(low_fill(0.02, full ? 200 : 20, scale));
    flows.push_back(rest(0.025, full ? 500 : 50, scale));
    flows.push_back(body_in_waves(8, full ? 60 : 30, scale));
    flows.push_back(seiche_3d(full ? 144 : 36, 5e-4, full ? 2.5 : 6, scale));
    std::ranges::move(ladder_flows(scale), std::back_inserter(flows));
    std::ranges::move(displaced_flows(scale), std::back_inserter(flows));
    return flows;
}

}  // namespace halfulp
