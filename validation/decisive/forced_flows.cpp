// Flows that are driven from outside, and rest.
#include "validation/decisive/flow_parts.hpp"

namespace halfulp {

using namespace decisive;

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
    flow.arms = arms_of(scale, parts_with_every_term);
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
    flow.measure = [](const Simulation& now, const FluidState& /*fluid*/, const FluidState& /*first*/) {
        const std::vector<double> force = now.sample({0}).front();
        return std::vector{force.at(0), force.at(1)};
    };
    return flow;
}

namespace decisive {

Flow couette(double viscosity, double speed, int particles, double end, Scale scale)
{
    const double spacing = 1.0 / particles;
    const double length = 16 * spacing;
    const double thickness = 4 * spacing;
    Flow flow;
    flow.name = "couette";
    flow.title = "Couette flow from rest";
    flow.text = fmt::format(
        "couette-2d with Morris's viscosity of {} m2/s, {} particles between the plates 1 m apart, a plate's speed of {} m/s, default "
        "walls, no diffusion, CFL 0.2 with a variable step. The signal is the first sine of the difference of the velocity "
        "from its final profile, over the speed of the plate exactly -(2/pi) e^(-nu pi^2 t); errors are over that speed.",
        viscosity, particles, speed);
    flow.case_name = "couette-2d";
    flow.overrides = {fmt::format("resolution.spacing={}", spacing),
                      "fluid.laminar_viscosity=morris",  // of the committed results, whatever the case has
                      fmt::format("fluid.kinematic_viscosity={}", viscosity),
                      fmt::format("period=[{},0]", length),
                      fmt::format("shapes.lower-plate.box={{from=[0,{}],to=[{},0]}}", -thickness, length),
                      fmt::format("shapes.upper-plate.box={{from=[0,1],to=[{},{}]}}", length, 1 + thickness),
                      fmt::format("shapes.upper-plate.velocity=[{},0]", speed),
                      fmt::format("shapes.fluid.box.to=[{},1]", length),
                      fmt::format("time.end={}", end)};
    flow.arms = arms_of(scale, parts_with_every_term);
    flow.windows = windows_of(end, 0.1 * end);
    flow.scale = speed;
    flow.sample_every = scale == Scale::quick ? 5 : 50;
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
    flow.arms = arms_of(scale, parts_with_every_term);
    flow.windows = windows_of(end, std::min(0.2 * end, 10 * period));
    flow.frequency = 2 * pi / period;
    flow.sample_every = 50;
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
    flow.arms = arms_of(scale, parts_with_every_term);
    flow.windows = windows_of(end, 0.1 * end);
    flow.scale = std::sqrt(gravity * 0.25);
    flow.sample_every = 50;
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

}  // namespace decisive

}  // namespace halfulp
