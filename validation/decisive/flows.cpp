#include "validation/decisive/flows.hpp"

#include <bit>
#include <cmath>
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
                          {.name = "double, half the step", .precision = "double", .cfl = 0.1},
                          {.name = "double, start off by an ulp", .precision = "double", .one_ulp = true},
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

Flow seiche(const std::string& name, double height, double spacing, double end, Scale scale, bool defaults)
{
    constexpr Mode mode{.depth = 0.5};
    Flow flow;
    flow.name = name;
    flow.title = fmt::format("A standing wave of {} mm in a tank 1 m long and 0.5 m deep", 1000 * height);
    flow.text = fmt::format(
        "linear-sloshing-2d with its velocities scaled, particles of {} mm, {}, CFL 0.2 with a variable step. It starts "
        "as the mode, with the velocities of the potential flow. The signal is the projection of all velocities on that "
        "mode, as the height of the wave at the wall; offset, amplitude, phase, frequency and damping are fitted in each "
        "window of time.",
        1000 * spacing,
        defaults ? "the default walls and density diffusion, alpha 0.01" : "dynamic walls, no diffusion, alpha 0.002");
    flow.case_name = "linear-sloshing-2d";
    const double speed = height * gravity * pi / mode.frequency();
    flow.overrides = {fmt::format("resolution.spacing={}", spacing), fmt::format("time.end={}", end),
                      fmt::format("shapes.water.velocity=[\"{0} * cosh(pi*y)/cosh(0.5*pi) * sin(pi*x)\", \"-{0} * "
                                  "sinh(pi*y)/cosh(0.5*pi) * cos(pi*x)\"]",
                                  speed)};
    if (!defaults) {
        for (const char* more :
             {"numerics.walls=dynamic", "numerics.density_diffusion=none", "fluid.artificial_viscosity=0.002"})
            flow.overrides.emplace_back(more);
    }
    flow.arms = arms_of(scale, defaults ? parts_with_every_term : parts_switched_off, false);
    flow.windows = windows_of(end, std::min(0.25 * end, 8 * 2 * pi / mode.frequency()));
    flow.frequency = mode.frequency();
    flow.sample_every = 40;
    flow.signal_names = {"velocity[m]", "displacement[m]"};
    flow.measure = [=](const FluidState& now, const FluidState& first) { return mode.heights(now, first); };
    return flow;
}

// The channel between two plates of which one has begun to move.
Flow couette(double viscosity, int particles, double end, Scale scale)
{
    const double spacing = 1.0 / particles;
    const double length = 16 * spacing;
    const double thickness = 4 * spacing;
    Flow flow;
    flow.name = "couette";
    flow.title = "Couette flow from rest";
    flow.text = fmt::format(
        "couette-2d with a viscosity of {} m2/s, {} particles between the plates 1 m apart, default walls, no diffusion, "
        "CFL 0.2 with a variable step. The signal is the first sine of the difference of the velocity from its final "
        "profile, exactly -(2/pi) e^(-nu pi^2 t); errors are over the speed of the plate, 1 m/s. naive is not there: its "
        "positions have no periods.",
        viscosity, particles);
    flow.case_name = "couette-2d";
    flow.overrides = {fmt::format("resolution.spacing={}", spacing),
                      fmt::format("fluid.kinematic_viscosity={}", viscosity),
                      fmt::format("period=[{},0]", length),
                      fmt::format("shapes.lower-plate.box={{from=[0,{}],to=[{},0]}}", -thickness, length),
                      fmt::format("shapes.upper-plate.box={{from=[0,1],to=[{},{}]}}", length, 1 + thickness),
                      fmt::format("shapes.fluid.box.to=[{},1]", length),
                      fmt::format("time.end={}", end)};
    flow.arms = arms_of(scale, parts_with_every_term, true);
    flow.windows = windows_of(end, 0.1 * end);
    flow.scale = 1;
    flow.sample_every = scale == Scale::quick ? 5 : 50;
    flow.signal_names = {"first sine[m/s]", "largest velocity across[m/s]"};
    flow.measure = [](const FluidState& now, const FluidState& /*first*/) {
        double sum = 0;
        double across = 0;
        for (std::size_t i = 0; i < now.position.size(); ++i) {
            const double y = now.position[i][1];
            sum += (now.velocity[i][0] - y) * std::sin(pi * y);
            across = std::max(across, std::abs(now.velocity[i][1]));
        }
        return std::vector{2 * sum / static_cast<double>(now.position.size()), across};
    };
    flow.exact = [=](double time) { return -2 / pi * std::exp(-viscosity * pi * pi * time); };
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
void move_by_an_ulp(Problem& problem)
{
    std::mt19937 random(1);
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
    overrides.push_back(fmt::format("time.cfl={}", arm.cfl));
    overrides.push_back("numerics.precision=" + arm.precision);
    if (arm.cells != 0) overrides.push_back(fmt::format("origin.cells=[{},{}]", arm.cells, -arm.cells));
    return case_with(flow.case_name, overrides);
}

Recorded follow(const Flow& flow, const Arm& arm)
{
    Problem problem = prepare(case_of(flow, arm));
    if (arm.one_ulp) move_by_an_ulp(problem);
    Recorded recorded;
    recorded.particles = static_cast<double>(problem.particles.size());
    FluidState first;
    const auto every = static_cast<std::uint64_t>(std::round(static_cast<double>(flow.sample_every) * 0.2 / arm.cfl));
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

std::vector<Flow> decisive_flows(Scale scale)
{
    std::vector<Flow> flows;
    if (scale == Scale::quick) {
        flows.push_back(seiche("seiche-small", 2e-4, 0.05, 10, scale, false));
        flows.push_back(couette(0.1, 16, 1.5, scale));
        return flows;
    }
    const bool full = scale == Scale::full;
    constexpr double spacing = 0.025;
    const double end = full ? 120 : 60;
    flows.push_back(seiche("seiche-small", 2e-4, spacing, end, scale, false));
    flows.push_back(seiche("seiche-h200", 2.5e-3, spacing, end, scale, false));
    flows.push_back(seiche("seiche-h100", 5e-3, spacing, end, scale, false));
    flows.push_back(seiche("seiche-defaults", 2.5e-3, spacing, end, scale, true));
    flows.push_back(couette(full ? 1e-4 : 1e-3, 20, full ? 1000 : 100, scale));
    flows.push_back(rest(0.025, full ? 500 : 50, scale));
    return flows;
}

}  // namespace halfulp
