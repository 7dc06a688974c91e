// Flows with a free surface: a standing wave, water at rest, a rotating square patch.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "validation/analytic/analytic.hpp"

namespace halfulp {

namespace {

constexpr double pi = std::numbers::pi;

// The maxima of a curve, each by the parabola through three points.
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
    AnalyticResult result;
    double viscosity = 0;
    double frequency = 0;
    follow(result, "standing-wave-2d",
           {fmt::format("resolution.spacing={}", spacing),
            fmt::format("shapes.bed.box.from=[0,{}]", -depth - 4 * spacing)},
           20, [&](const Problem& problem, const Simulation& now) {
               const Case& c = problem.source;
               const double g = -c.gravity[1];
               viscosity = c.fluid.kinematic_viscosity;
               frequency = std::sqrt(g * wave_number * std::tanh(wave_number * depth));
               const double scale = c.fluid.density * steepness * steepness * g * depth * depth * length / 32;
               const double exact = scale * (1 + std::cos(2 * frequency * now.time())) *
                                    std::exp(-4 * viscosity * wave_number * wave_number * now.time());
               result.curve.push_back({now.time(), now.ledger_row().kinetic, exact});
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
    const double exact_decay = 4 * viscosity * wave_number * wave_number;
    result.errors = {std::abs(measured_frequency - frequency) / frequency, std::abs(decay - exact_decay) / exact_decay};
    return result;
}

// The largest errors of the whole run; the curve is that of its end.
AnalyticResult run_hydrostatic(int particles)
{
    constexpr double depth = 0.25;
    AnalyticResult result;
    double pressure_error = 0;
    double speed = 0;
    follow(result, "still-water", {fmt::format("resolution.spacing={}", depth / particles)}, 20,
           [&](const Problem& problem, const Simulation& now) {
               const FluidState fluid = fluid_of(problem, now.snapshot());
               const double g = -problem.source.gravity[1];
               const double weight = g * problem.source.fluid.density;
               double deviation = 0;
               result.curve.clear();
               for (std::size_t i = 0; i < fluid.position.size(); ++i) {
                   const double height = fluid.position[i][1];
                   const double exact = weight * (depth - height);
                   result.curve.push_back({height, fluid.pressure[i], exact});
                   deviation += std::abs(fluid.pressure[i] - exact);
               }
               deviation /= static_cast<double>(fluid.position.size()) * weight * depth;
               pressure_error = std::max(pressure_error, deviation);
               speed = std::max(speed, now.ledger_row().max_speed / std::sqrt(g * depth));
           });
    std::ranges::sort(result.curve, {}, &CurvePoint::x);
    result.errors = {pressure_error, speed};
    return result;
}

AnalyticResult run_rotating_square(int particles)
{
    AnalyticResult result;
    double moment = 0;
    double total = 0;
    double moment_error = 0;
    double energy_error = 0;
    follow(result, "rotating-square-2d", {fmt::format("resolution.spacing={}", 1.0 / particles)}, 10,
           [&](const Problem&, const Simulation& now) {
               const LedgerRow row = now.ledger_row();
               if (now.steps() == 0) {
                   moment = row.angular_momentum_z;
                   total = row.total;
               }
               const double ratio = row.angular_momentum_z / moment;
               result.curve.push_back({now.time(), ratio - 1, 0});
               moment_error = std::max(moment_error, std::abs(ratio - 1));
               energy_error = std::max(energy_error, std::abs(row.residual) / total);
           });
    result.errors = {moment_error, energy_error};
    return result;
}

}  // namespace

AnalyticCase standing_wave()
{
    return {.name = "standing-wave",
            .summary = "one wavelength in a periodic tank; frequency and viscous decay",
            .case_file = "standing-wave-2d",
            .resolution = "particles in the depth",
            .x_label = "time (s)",
            .y_label = "kinetic energy (J/m)",
            .particles = {20, 40, 60},
            .quick = 20,
            .criteria = {{"frequency, relative error", 0.005, 0.01}, {"rate of decay, relative error", 0.1, 0.3}},
            .run = run_standing_wave};
}

AnalyticCase hydrostatic_tank()
{
    return {.name = "hydrostatic",
            .summary = "water at rest in a closed tank; its pressure and what moves",
            .case_file = "still-water",
            .resolution = "particles in the depth",
            .x_label = "height (m)",
            .y_label = "pressure (Pa)",
            .particles = {10, 20, 40},
            .quick = 20,
            .criteria = {{"pressure, mean error over that at the bottom, largest of all times", 0.02, 0.02, 0.4},
                         {"speed over sqrt(g H), largest of all times", 0.015, 0.025, 0.5}},
            .run = run_hydrostatic};
}

AnalyticCase rotating_square()
{
    return {.name = "rotating-square",
            .summary = "a square patch turns and throws out its corners; its angular momentum",
            .case_file = "rotating-square-2d",
            .resolution = "particles a side",
            .x_label = "time (s)",
            .y_label = "change of angular momentum over its start",
            .particles = {25, 50, 100},
            .quick = 25,
            .criteria = {{"angular momentum, largest relative change", 1e-7, 1e-6},
                         {"energy, largest relative error", 1e-5, 1e-4}},
            .run = run_rotating_square};
}

}  // namespace halfulp
