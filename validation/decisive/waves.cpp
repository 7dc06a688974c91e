// Standing waves.
#include "validation/decisive/flow_parts.hpp"

namespace halfulp {

using namespace decisive;

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
                      fmt::format("fluid.sound_speed={}", wave.sound_speed)};
    if (wave.settle > 0) {
        flow.overrides.emplace_back("shapes.water.velocity=[0,0]");
        flow.settle = wave.settle;
        flow.added = [=](const std::array<double, 3>& place) {
            std::array<double, 3> added = mode.direction(place);
            for (double& component : added) component *= speed;
            return added;
        };
        flow.text += fmt::format(" The water has come to rest for {} s before, in double.", wave.settle);
    } else {
        flow.overrides.push_back(
            fmt::format("shapes.water.velocity=[\"{0} * cosh(pi*y)/cosh({1}*pi) * sin(pi*x)\", "
                        "\"-{0} * sinh(pi*y)/cosh({1}*pi) * cos(pi*x)\"]",
                        speed, wave.depth));
    }
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
    flow.overrides.insert(flow.overrides.end(), wave.more.begin(), wave.more.end());
    if (!wave.more.empty()) flow.text += fmt::format(" Of the settings: {}.", fmt::join(wave.more, ", "));
    if (wave.parts) flow.arms = arms_of(scale, wave.defaults ? parts_with_every_term : parts_switched_off);
    else flow.arms = arms_of(scale, {});
    flow.windows = windows_of(wave.end, std::min(0.25 * wave.end, 8 * 2 * pi / mode.frequency()));
    flow.frequency = mode.frequency();
    flow.sample_every = 40;
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
    flow.measure = [=](const Simulation& /*now*/, const FluidState& fluid, const FluidState& first) {
        return mode.heights(fluid, first);
    };
    return flow;
}

namespace decisive {

namespace {

constexpr unsigned starts = 8;

// Of waves with these arms, or their own where none is given.
std::vector<Flow> flows_of(const std::vector<Seiche>& waves, Scale scale, const std::vector<Arm>& arms = {})
{
    std::vector<Flow> flows;
    for (const Seiche& wave : waves) {
        Flow& flow = flows.emplace_back(seiche(wave, scale));
        if (!arms.empty()) flow.arms = arms;
    }
    return flows;
}

// Each off by an ulp.
void add_starts_in_plain_float(std::vector<Arm>& arms, unsigned count = starts)
{
    for (unsigned start = 1; start <= count; ++start)
        arms.push_back(
            {.name = fmt::format("naive, start {} off by an ulp", start), .precision = "naive", .ulp_seed = start});
}

}  // namespace

std::vector<Flow> ladder_flows(Scale scale)
{
    const double end = scale == Scale::full ? 120 : 60;
    const double height = 2e-4;
    const std::vector<Arm> arms{{.name = "double", .precision = "double"},
                                {.name = "robust/update=plain", .precision = "robust/update=plain"},
                                {.name = "gpusph", .precision = "gpusph"},
                                {.name = "dualsphysics", .precision = "dualsphysics"},
                                {.name = "naive", .precision = "naive"},
                                {.name = "naive, start off by an ulp", .precision = "naive", .ulp_seed = 1},
                                {.name = "naive, 10 cells away", .precision = "naive", .cells = 10},
                                {.name = "naive, 100 cells away", .precision = "naive", .cells = 100}};
    return flows_of({{.name = "ladder-base", .height = height, .end = end},
                     {.name = "ladder-quarter", .height = height / 4, .end = end},
                     {.name = "ladder-fourfold", .height = 4 * height, .end = end},
                     {.name = "ladder-cfl-0.1", .height = height, .end = end, .cfl = 0.1},
                     {.name = "ladder-cfl-0.4", .height = height, .end = end, .cfl = 0.4},
                     {.name = "ladder-fast-sound", .height = height, .end = end, .sound_speed = 44.4},
                     {.name = "ladder-shallow", .height = height, .end = end, .depth = 0.25, .sound_speed = 22.2},
                     {.name = "ladder-fine", .height = height, .spacing = 0.0125, .end = end},
                     {.name = "ladder-tall", .height = 25 * height, .end = end},
                     {.name = "ladder-tall-fine", .height = 25 * height, .spacing = 0.0125, .end = end}},
                    scale, arms);
}

// Displacements at the start, and rounded coordinates, which displace particles on the way.
std::vector<Flow> displaced_flows(Scale scale)
{
    constexpr double displaced = 0.002;  // spacings; the change is in proportion to it
    std::vector<Arm> arms{{.name = "double", .precision = "double"}};
    for (unsigned start = 1; start <= starts; ++start)
        arms.push_back({.name = fmt::format("double, start {} displaced", start),
                        .precision = "double",
                        .ulp_seed = start,
                        .displaced = displaced});
    add_starts_in_plain_float(arms);
    return flows_of({{.name = "displaced-coarse", .height = 5e-3, .spacing = 0.05, .end = 12},
                     {.name = "displaced", .height = 5e-3, .end = 12},
                     {.name = "displaced-fine", .height = 5e-3, .spacing = 0.0125, .end = 12},
                     {.name = "displaced-finest", .height = 5e-3, .spacing = 0.00625, .end = 12}},
                    scale, arms);
}

std::vector<Flow> starts_flows(Scale scale)
{
    const double end = scale == Scale::full ? 120 : 60;
    std::vector<Arm> arms{{.name = "double", .precision = "double"}};
    add_starts_in_plain_float(arms);
    return flows_of(
        {{.name = "starts-h200", .height = 2.5e-3, .end = end},
         {.name = "starts-h100", .height = 5e-3, .end = end},
         {.name = "starts-defaults", .height = 2.5e-3, .end = end, .defaults = true},
         {.name = "starts-everything", .height = 2.5e-3, .end = end / 2, .defaults = true, .every_term = true}},
        scale, arms);
}

// What of the defaults the law of the coordinates does not know, and in waves of which height.
std::vector<Flow> settled_starts_flows(Scale scale)
{
    const std::string dynamic = "numerics.walls=dynamic";
    const std::string none = "numerics.density_diffusion=none";
    std::vector<Seiche> waves{{.name = "settled-starts-h200", .height = 2.5e-3},
                              {.name = "settled-starts-h100", .height = 5e-3},
                              {.name = "settled-starts-h50", .height = 1e-2},
                              {.name = "settled-starts-dynamic", .height = 2.5e-3, .more = {dynamic}},
                              {.name = "settled-starts-undiffused", .height = 2.5e-3, .more = {none}},
                              {.name = "settled-starts-viscous", .height = 2.5e-3, .more = {dynamic, none}}};
    for (Seiche& wave : waves) {
        wave.end = 60;
        wave.settle = 20;
        wave.defaults = true;
    }
    std::vector<Arm> arms{{.name = "double", .precision = "double"}, {.name = "naive", .precision = "naive"}};
    add_starts_in_plain_float(arms, 2);
    std::vector<Flow> flows = flows_of(waves, scale, arms);
    for (const char* part : {"naive/update=compensated", "naive/pressure=horner"})
        flows.front().arms.push_back({.name = part, .precision = part});
    return flows;
}

std::vector<Flow> settled_flows(double end, Scale scale)
{
    return flows_of(
        {{.name = "settled-h200", .height = 2.5e-3, .end = end, .parts = false, .settle = 20},
         {.name = "settled-h100", .height = 5e-3, .end = end, .parts = false, .settle = 20},
         {.name = "settled-defaults", .height = 2.5e-3, .end = end, .defaults = true, .parts = false, .settle = 20}},
        scale);
}

}  // namespace decisive

}  // namespace halfulp
