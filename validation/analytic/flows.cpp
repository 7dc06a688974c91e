// Flows in tanks, channels and periodic domains: a standing wave, Taylor and Green's vortices, Poiseuille's and
// Couette's channel; water at rest and a rotating square patch.
#include <numbers>

#include "validation/analytic/analytic.hpp"

namespace halfulp {

namespace {

constexpr double pi = std::numbers::pi;

// The maxima (x, height) of a curve, each by the parabola through three points.
std::vector<std::array<double, 2>> maxima(const std::vector<CurvePoint>& curve)
{
    std::vector<std::array<double, 2>> found;
    for (std::size_t i = 1; i + 1 < curve.size(); ++i) {
        const double before = curve[i - 1].measured;
        const double here = curve[i].measured;
        const double after = curve[i + 1].measured;
        if (!(here > before && here >= after)) continue;
        const double bend = before - 2 * here + after;
        const double shift = 0.5 * (before - after) / bend;
        const double step = 0.5 * (curve[i + 1].x - curve[i - 1].x);
        // Noise is not a maximum: the next has to be a good part of a period away.
        if (!found.empty() && curve[i].x - found.back()[0] < 0.2) {
            if (here > found.back()[1]) found.back() = {curve[i].x + shift * step, here};
            continue;
        }
        found.push_back({curve[i].x + shift * step, here - 0.25 * (before - after) * shift});
    }
    return found;
}

AnalyticResult run_standing_wave(int particles)
{
    constexpr double depth = 1;
    constexpr double steepness = 0.1;
    constexpr double length = 2;
    constexpr double wave_number = 2 * pi / length;
    const double spacing = depth / particles;
    double exact_decay = 0;
    double frequency = 0;
    AnalyticResult result = follow(
        "standing-wave-2d",
        {fmt::format("resolution.spacing={}", spacing),
         fmt::format("shapes.bed.box.from=[0,{}]", -depth - 4 * spacing)},
        20, [&](AnalyticResult& so_far, const Problem& problem, const Simulation& now) {
            const Case& c = problem.source;
            const double g = -c.gravity[1];
            exact_decay = 4 * c.fluid.kinematic_viscosity * wave_number * wave_number;
            frequency = std::sqrt(g * wave_number * std::tanh(wave_number * depth));
            const double scale = c.fluid.density * steepness * steepness * g * depth * depth * length / 32;
            const double exact = scale * (1 + std::cos(2 * frequency * now.time())) *
                                 std::exp(-4 * c.fluid.kinematic_viscosity * wave_number * wave_number * now.time());
            so_far.curve.push_back({now.time(), now.ledger_row().kinetic, exact});
        });
    // The kinetic energy is largest every half period. The first maximum is at the start.
    const auto peaks = maxima(result.curve);
    if (peaks.size() < 2) {
        result.errors = {1, 1};
        return result;
    }
    const auto& last = peaks.back();
    const double measured_frequency = std::round(last[0] * frequency / pi) * pi / last[0];
    const double decay = std::log(result.curve.front().measured / last[1]) / last[0];
    result.errors = {std::abs(measured_frequency - frequency) / frequency, std::abs(decay - exact_decay) / exact_decay};
    return result;
}

AnalyticResult run_taylor_green(int particles)
{
    double start = 0;
    return follow("taylor-green-2d", {fmt::format("resolution.spacing={}", 1.0 / particles)}, 10,
                  [&](AnalyticResult& result, const Problem& problem, const Simulation& now) {
                      const double energy = now.ledger_row().kinetic;
                      if (now.steps() == 0) start = energy;
                      const double decay = 16 * pi * pi * problem.source.fluid.kinematic_viscosity;
                      const double exact = std::exp(-decay * now.time());
                      result.curve.push_back({now.time(), energy / start, exact});
                      result.raise(0, std::abs(energy / start - exact) / exact);
                  });
}

// A velocity u(y, t) in a channel from y = 0 to 1 m.
using ChannelVelocity = double (*)(double, double);

// The profile of u over y at the end.
AnalyticResult run_channel(const std::string& case_file, int particles, ChannelVelocity exact)
{
    const double spacing = 1.0 / particles;
    // 16 spacings of the channel, and plates as thick as the support.
    const double length = 16 * spacing;
    const double thickness = 4 * spacing;
    double error = 0;
    AnalyticResult result =
        follow(case_file,
               {fmt::format("resolution.spacing={}", spacing), fmt::format("period=[{},0]", length),
                fmt::format("shapes.lower-plate.box={{from=[0,{}],to=[{},0]}}", -thickness, length),
                fmt::format("shapes.upper-plate.box={{from=[0,1],to=[{},{}]}}", length, 1 + thickness),
                fmt::format("shapes.fluid.box.to=[{},1]", length)},
               1'000'000'000, [&](AnalyticResult& so_far, const Problem& problem, const Simulation& now) {
                   const FluidState fluid = fluid_of(problem, now.snapshot());
                   double square = 0;
                   double largest = 0;
                   so_far.curve.clear();
                   for (std::size_t i = 0; i < fluid.position.size(); ++i) {
                       const double y = fluid.position[i][1];
                       const double u = exact(y, now.time());
                       so_far.curve.push_back({y, fluid.velocity[i][0], u});
                       square += (fluid.velocity[i][0] - u) * (fluid.velocity[i][0] - u);
                       largest = std::max(largest, u);
                   }
                   error = std::sqrt(square / static_cast<double>(fluid.position.size())) / largest;
               });
    std::ranges::sort(result.curve, {}, &CurvePoint::x);
    result.errors = {error};
    return result;
}

constexpr double channel_viscosity = 0.1;  // m^2/s, of both cases
constexpr double driving = 0.8;            // m/s^2
constexpr double plate_speed = 1;          // m/s

// Morris, Fox and Zhu 1997, eqs. 19 and 17, for a channel 1 m wide.
double poiseuille_velocity(double y, double time)
{
    double u = driving / (2 * channel_viscosity) * y * (1 - y);
    for (int n = 0; n < 20; ++n) {
        const double k = pi * (2 * n + 1);
        u -= 4 * driving / (channel_viscosity * k * k * k) * std::sin(k * y) *
             std::exp(-k * k * channel_viscosity * time);
    }
    return u;
}

double couette_velocity(double y, double time)
{
    double u = plate_speed * y;
    for (int n = 1; n < 40; ++n) {
        const double sign = n % 2 == 0 ? 1 : -1;
        u += 2 * plate_speed * sign / (n * pi) * std::sin(n * pi * y) *
             std::exp(-channel_viscosity * n * n * pi * pi * time);
    }
    return u;
}

AnalyticCase channel(const std::string& name, const std::string& summary, ChannelVelocity exact, double tolerance,
                     double quick_tolerance, double least_order)
{
    return {
        .name = name,
        .summary = summary,
        .case_file = name + "-2d",
        .resolution = "particles across",
        .y_label = "velocity (m/s)",
        .x_label = "y (m)",
        .particles = {20, 40, 80},
        .quick = 20,
        .criteria = {{"velocity, root mean square error over the largest", tolerance, quick_tolerance, least_order}},
        .run = [name, exact](int particles) { return run_channel(name + "-2d", particles, exact); }};
}

// The largest errors of the whole run; the curve is that of its end.
AnalyticResult run_hydrostatic(int particles)
{
    constexpr double depth = 0.25;
    AnalyticResult result =
        follow("still-water", {fmt::format("resolution.spacing={}", depth / particles)}, 20,
               [](AnalyticResult& so_far, const Problem& problem, const Simulation& now) {
                   const FluidState fluid = fluid_of(problem, now.snapshot());
                   const double g = -problem.source.gravity[1];
                   const double weight = g * problem.source.fluid.density;
                   double deviation = 0;
                   so_far.curve.clear();
                   for (std::size_t i = 0; i < fluid.position.size(); ++i) {
                       const double height = fluid.position[i][1];
                       const double exact = weight * (depth - height);
                       so_far.curve.push_back({height, fluid.pressure[i], exact});
                       deviation += std::abs(fluid.pressure[i] - exact);
                   }
                   so_far.raise(0, deviation / (static_cast<double>(fluid.position.size()) * weight * depth));
                   so_far.raise(1, now.ledger_row().max_speed / std::sqrt(g * depth));
               });
    std::ranges::sort(result.curve, {}, &CurvePoint::x);
    return result;
}

AnalyticResult run_rotating_square(int particles)
{
    LedgerRow start;
    return follow("rotating-square-2d", {fmt::format("resolution.spacing={}", 1.0 / particles)}, 10,
                  [&](AnalyticResult& result, const Problem&, const Simulation& now) {
                      const LedgerRow row = now.ledger_row();
                      if (now.steps() == 0) start = row;
                      const double change = row.angular_momentum_z / start.angular_momentum_z - 1;
                      result.curve.push_back({now.time(), change, 0});
                      result.raise(0, std::abs(change));
                      result.raise(1, std::abs(row.residual) / start.total);
                  });
}

}  // namespace

std::vector<AnalyticCase> flows()
{
    return {
        {.name = "standing-wave",
         .summary = "one wavelength in a periodic tank; frequency and viscous decay",
         .case_file = "standing-wave-2d",
         .resolution = "particles in the depth",
         .y_label = "kinetic energy (J/m)",
         .particles = {20, 40, 60},
         .quick = 20,
         .criteria = {{"frequency, relative error", 0.005, 0.01}, {"rate of decay, relative error", 0.1, 0.3}},
         .run = run_standing_wave},
        {.name = "taylor-green",
         .summary = "vortices decay at Re = 100; their kinetic energy",
         .case_file = "taylor-green-2d",
         .resolution = "particles a wavelength",
         .y_label = "kinetic energy over its start",
         .particles = {40, 60, 100},
         .quick = 40,
         .criteria = {{"kinetic energy, largest relative error", 0.1, 0.15}},
         .run = run_taylor_green},
        channel("poiseuille", "flow between plates, driven along them; its profile", poiseuille_velocity, 1e-3, 0.01,
                1.5),
        channel("couette", "flow between plates, one of which moves; its profile", couette_velocity, 5e-4, 2e-3, 0.7),
        {.name = "hydrostatic",
         .summary = "water at rest in a closed tank; its pressure and what moves",
         .case_file = "still-water",
         .resolution = "particles in the depth",
         .y_label = "pressure (Pa)",
         .x_label = "height (m)",
         .particles = {10, 20, 40},
         .quick = 20,
         .criteria = {{"pressure, mean error over that at the bottom, largest of all times", 0.02, 0.02, 0.4},
                      {"speed over sqrt(g H), largest of all times", 0.015, 0.025, 0.5}},
         .run = run_hydrostatic},
        {.name = "rotating-square",
         .summary = "a square patch turns and throws out its corners; its angular momentum",
         .case_file = "rotating-square-2d",
         .resolution = "particles a side",
         .y_label = "change of angular momentum over its start",
         .particles = {25, 50, 100},
         .quick = 25,
         .criteria = {{"angular momentum, largest relative change", 1e-7, 1e-6},
                      {"energy, largest relative error", 1e-5, 1e-4}},
         .run = run_rotating_square}};
}

}  // namespace halfulp
