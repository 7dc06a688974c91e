#include "core/setup/rounding_loss.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/setup/for_each_particle.hpp"
#include "core/setup/wall_speed.hpp"
#include "kernels/time_step.hpp"

namespace halfulp {

namespace {

// The unit in the last place of a number in single precision.
double ulp_of(double number)
{
    const double magnitude = std::max(std::abs(number), double{std::numeric_limits<float>::min()});
    return std::scalbn(1.0, std::ilogb(magnitude) - (std::numeric_limits<float>::digits - 1));
}

struct FluidAtStart {
    double ulp_squared = 0;          // m^2; mean over particles, summed over axes
    double speed_squared = 0;        // m^2/s^2; mean
    std::array<double, 3> extent{};  // m
};

FluidAtStart fluid_at_start(const Problem& problem, Coordinates coordinates)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    struct Sums {
        double ulp_squared = 0;
        double speed_squared = 0;
        std::array<double, 3> low{infinity, infinity, infinity};
        std::array<double, 3> high{-infinity, -infinity, -infinity};
    };
    const auto dimensions = static_cast<std::size_t>(problem.source.dimensions);
    const auto add = [&](Sums& sums, std::size_t i) {
        const InitialParticle particle = problem.particles[i];
        if (particle.kind != Kind::fluid) return;
        for (std::size_t axis = 0; axis < dimensions; ++axis) {
            const double offset = double{particle.offset[axis]} * problem.units.length;
            const double coordinate = offset + static_cast<double>(particle.cell[axis]) * problem.units.length;
            const double ulp = ulp_of(coordinates == Coordinates::global ? coordinate : offset);
            const double speed = double{particle.velocity[axis]} * problem.units.velocity;
            sums.ulp_squared += ulp * ulp;
            sums.speed_squared += speed * speed;
            sums.low[axis] = std::min(sums.low[axis], coordinate);
            sums.high[axis] = std::max(sums.high[axis], coordinate);
        }
    };
    const auto join = [](Sums& all, const Sums& more) {
        all.ulp_squared += more.ulp_squared;
        all.speed_squared += more.speed_squared;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            all.low[axis] = std::min(all.low[axis], more.low[axis]);
            all.high[axis] = std::max(all.high[axis], more.high[axis]);
        }
    };
    const Sums sums = fold_particles(problem.particles.size(), Sums{}, add, join);
    const auto count = static_cast<double>(std::max<std::uint64_t>(problem.fluid, 1));
    FluidAtStart fluid{.ulp_squared = sums.ulp_squared / count, .speed_squared = sums.speed_squared / count};
    for (std::size_t axis = 0; axis < dimensions; ++axis)
        fluid.extent[axis] = std::max(sums.high[axis] - sums.low[axis], 0.0) + problem.source.resolution.spacing;
    return fluid;
}

double magnitude_of(const std::array<double, 3>& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

// The speed along gravity at which the change of the weight of the water above a particle changes its density, in one
// step, by half an ulp of the density at rest in kg/m^3; a smaller change is rounded to zero.
double stalling_speed_of(const Case& c, double step)
{
    const double g = magnitude_of(c.gravity);
    if (!(g > 0)) return 0;
    const double smallest = ulp_of(c.fluid.density) / 2 / c.fluid.density;
    return smallest * c.fluid.sound_speed * c.fluid.sound_speed / (g * step);
}

// The angular frequency, rad/s, of the longest wave between walls; without gravity, of a flow at that speed over that
// length.
double frequency_of(const Case& c, const FluidAtStart& fluid, double speed)
{
    const double g = magnitude_of(c.gravity);
    double across = 0;
    double depth = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double share = g > 0 ? std::abs(c.gravity[axis]) / g : 0;
        depth += share * fluid.extent[axis];
        if (share < std::numbers::sqrt2 / 2) across = std::max(across, fluid.extent[axis]);
    }
    if (!(across > 0)) return 0;  // no fluid
    const double k = std::numbers::pi / across;
    return g > 0 ? std::sqrt(g * k * std::tanh(k * depth)) : k * speed;
}

}  // namespace

double RoundingLoss::amplitude(double time) const
{
    // Twice in each period, when it is fastest, the motion loses the kinetic energy of the drift error, and half of
    // that fraction of its amplitude. It loses less at first, while neighbours are still in lattice positions and have
    // equal errors, but loses at once if most increments round to zero.
    constexpr double until_disordered = 25;  // periods; measured
    const double ratio = drift_error / speed;
    const double periods = frequency * time / (2 * std::numbers::pi);
    const double counted = ratio > 1                    ? periods
                           : periods < until_disordered ? periods * periods / (2 * until_disordered)
                                                        : periods - until_disordered / 2;
    return ratio * ratio * counted;
}

double RoundingLoss::phase(double time) const
{
    // The roundings of all half steps add up to a random walk: each particle is displaced by drift_error sqrt(time step
    // / 2), with a factor sqrt(1/3) for the mean over the time for which that counts. Displaced particles change the
    // frequency; by how much was measured, with 200 to 3,200 particles of water, and always in one direction
    // (docs/decisive.md).
    constexpr double frequency_by_displacement = 0.2;  // relative change over displacement in spacings
    return frequency_by_displacement * frequency * time * drift_error * std::sqrt(time * step / 6) / spacing;
}

double RoundingLoss::error(double time) const { return std::hypot(amplitude(time), phase(time)); }

RoundingLoss rounding_loss(const Problem& problem, Coordinates coordinates)
{
    const Case& c = problem.source;
    const FluidAtStart fluid = fluid_at_start(problem, coordinates);
    RoundingLoss loss;
    loss.step = problem.fixed_step > 0
                    ? problem.fixed_step
                    : stable_step(c.time.cfl, smoothing_length(c), 0, c.fluid.sound_speed, lengthwise_viscosity(c));
    loss.steps = std::ceil(c.time.end / loss.step);
    loss.spacing = c.resolution.spacing;
    loss.stalling_speed = stalling_speed_of(c, loss.step);
    // A rounding is uniform between -1/2 and 1/2 ulp, and there is one in each half of a step.
    loss.drift_error = std::sqrt(fluid.ulp_squared / 3) / loss.step;
    double speed_squared = fluid.speed_squared;
    const double mass = problem.units.mass * static_cast<double>(problem.fluid);
    if (mass > 0 && problem.available_energy_from_rest)
        speed_squared = std::max(speed_squared, 2 * problem.available_energy / mass);
    for (std::size_t motion = 0; motion < problem.motions.size(); ++motion) {
        // In a moving frame walls are at rest.
        const bool of_frame = problem.motions[motion].frame() == MotionFrame::moving;
        const double speed = of_frame ? load_of_frame(problem, motion).speed() : fastest_wall(problem, motion).speed;
        speed_squared = std::max(speed_squared, speed * speed);
    }
    loss.speed = std::sqrt(speed_squared);
    loss.frequency = frequency_of(c, fluid, loss.speed);
    return loss;
}

}  // namespace halfulp
