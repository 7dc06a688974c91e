// Laminar flows in periodic domains: Taylor and Green's vortices, Poiseuille's and Couette's channel.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "validation/analytic/analytic.hpp"

namespace halfulp {

namespace {

constexpr double pi = std::numbers::pi;

AnalyticResult run_taylor_green(int particles)
{
    AnalyticResult result;
    double start = 0;
    double largest = 0;
    follow(result, "taylor-green-2d", {fmt::format("resolution.spacing={}", 1.0 / particles)}, 10,
           [&](const Problem& problem, const Simulation& now) {
               const double energy = now.ledger_row().kinetic;
               if (now.steps() == 0) start = energy;
               const double decay = 16 * pi * pi * problem.source.fluid.kinematic_viscosity;
               const double exact = std::exp(-decay * now.time());
               result.curve.push_back({now.time(), energy / start, exact});
               largest = std::max(largest, std::abs(energy / start - exact) / exact);
           });
    result.errors = {largest};
    return result;
}

// The profile of u over y at the end, for a channel from y = 0 to 1 m.
AnalyticResult run_channel(const std::string& case_file, int particles,
                           const std::function<double(double, double)>& exact)
{
    const double spacing = 1.0 / particles;
    AnalyticResult result;
    FluidState fluid;
    double time = 0;
    // 16 spacings of the channel, and plates as thick as the support.
    const double length = 16 * spacing;
    const double thickness = 4 * spacing;
    follow(result, case_file,
           {fmt::format("resolution.spacing={}", spacing), fmt::format("period=[{},0]", length),
            fmt::format("shapes.lower-plate.box={{from=[0,{}],to=[{},0]}}", -thickness, length),
            fmt::format("shapes.upper-plate.box={{from=[0,1],to=[{},{}]}}", length, 1 + thickness),
            fmt::format("shapes.fluid.box.to=[{},1]", length)},
           1'000'000'000, [&](const Problem& problem, const Simulation& now) {
               fluid = fluid_of(problem, now.snapshot());
               time = now.time();
           });
    double square = 0;
    double largest = 0;
    for (std::size_t i = 0; i < fluid.position.size(); ++i) {
        const double y = fluid.position[i][1];
        const double u = exact(y, time);
        result.curve.push_back({y, fluid.velocity[i][0], u});
        square += (fluid.velocity[i][0] - u) * (fluid.velocity[i][0] - u);
        largest = std::max(largest, u);
    }
    std::ranges::sort(result.curve, {}, &CurvePoint::x);
    result.errors = {std::sqrt(square / static_cast<double>(fluid.position.size())) / largest};
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

AnalyticCase channel(const std::string& name, const std::string& summary, double (*exact)(double, double),
                     double tolerance, double quick_tolerance, double least_order)
{
    return {
        .name = name,
        .summary = summary,
        .case_file = name + "-2d",
        .resolution = "particles across",
        .x_label = "y (m)",
        .y_label = "velocity (m/s)",
        .particles = {20, 40, 80},
        .quick = 20,
        .criteria = {{"velocity, root mean square error over the largest", tolerance, quick_tolerance, least_order}},
        .run = [name, exact](int particles) { return run_channel(name + "-2d", particles, exact); }};
}

}  // namespace

AnalyticCase taylor_green()
{
    return {.name = "taylor-green",
            .summary = "vortices decay at Re = 100; their kinetic energy",
            .case_file = "taylor-green-2d",
            .resolution = "particles a wavelength",
            .x_label = "time (s)",
            .y_label = "kinetic energy over its start",
            .particles = {40, 60, 100},
            .quick = 40,
            .criteria = {{"kinetic energy, largest relative error", 0.1, 0.15}},
            .run = run_taylor_green};
}

AnalyticCase poiseuille()
{
    return channel("poiseuille", "flow between plates, driven along them; its profile", poiseuille_velocity, 0.05, 0.06,
                   0);
}

AnalyticCase couette()
{
    return channel("couette", "flow between plates, one of which moves; its profile", couette_velocity, 5e-4, 2e-3,
                   0.7);
}

}  // namespace halfulp
