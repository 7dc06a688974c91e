// Warnings about the sound speed, the depth of the fluid and the effect of gravity on it.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "core/setup/case_warnings.hpp"
#include "core/setup/extremes.hpp"
#include "core/setup/for_each_particle.hpp"
#include "core/setup/units.hpp"
#include "core/setup/wall_speed.hpp"
#include "kernels/time_step.hpp"

namespace halfulp {

namespace {

// c0 over the speed to expect: ten is usual. At four density varies by 6 %; at fifty steps are five times as short as
// they need to be.
constexpr double usual_ratio = 10;
constexpr double least_ratio = 4;
constexpr double largest_ratio = 50;
constexpr const char* the_fastest_wall = "the fastest wall";

struct Expected {
    double speed = 0;  // m/s
    std::string of;
    double certain = 0;  // m/s: that of the fluid at the start, of which a run warns above a tenth

    void raise(double other, std::string what)
    {
        if (other <= speed) return;
        speed = other;
        of = std::move(what);
    }
};

// From the highest layer of fluid along gravity, but not along a period, to the lowest one, or to a wall straight
// beneath.
struct Fall {
    double speed = 0;  // m/s
    bool to_a_wall = false;
};
Fall fall_of_fluid(const Problem& problem, const StartRegion* start)
{
    const Case& c = problem.source;
    double step = 0;  // of the potential from a layer's middle to the next, m^2/s^2
    for (std::size_t i = 0; i < 3; ++i) {
        if (c.period[i] == 0) step = std::max(step, std::abs(c.gravity[i]) * c.resolution.spacing);
    }
    const auto potential_at = [&](const std::array<double, 3>& x) {
        double potential = 0;
        for (std::size_t i = 0; i < 3; ++i) potential -= c.period[i] > 0 ? 0 : c.gravity[i] * x[i];
        return potential;
    };
    const auto fluid = fold_particles(
        problem.particles.size(), Extremes{},
        [&](Extremes& all, std::size_t k) {
            const InitialParticle particle = problem.particles.without_velocity(k);
            if (particle.kind != Kind::fluid) return;
            std::array<double, 3> x{};
            for (std::size_t i = 0; i < 3; ++i) {
                x[i] = (static_cast<double>(particle.cell[i]) - static_cast<double>(c.origin.cells[i]) +
                        static_cast<double>(particle.offset[i])) *
                       problem.units.length;
            }
            all.add(potential_at(x));
        },
        [](Extremes& all, const Extremes& more) { all.add(more); });
    if (!fluid.any()) return {};
    double lowest = fluid.low;
    const std::optional<std::size_t> axis = steepest_axis(c);
    if (start != nullptr && axis) {
        const std::int64_t down = c.gravity[*axis] < 0 ? -1 : 1;
        // By rows of sites: one with fluid beneath both of its ends is taken to be inside of the fluid.
        for (const StartRun& run : start->runs()) {
            if (run.kind != Kind::fluid) continue;
            const auto beneath = [&](std::int64_t x) {
                Site site{x, run.first[1], run.first[2]};
                site[*axis] += down;
                return site;
            };
            if (*axis != 0 && start->has_fluid(beneath(run.first[0])) && start->has_fluid(beneath(run.last - 1)))
                continue;
            for (std::int64_t x = run.first[0]; x < run.last; ++x) {
                Site site = beneath(x);
                if (start->has_fluid(site)) continue;
                const auto is_inside = [&] {
                    return site[*axis] >= start->low()[*axis] && site[*axis] <= start->high()[*axis];
                };
                while (is_inside() && !start->blocks(site)) site[*axis] += down;
                if (!is_inside()) continue;
                site[*axis] -= down;
                lowest = std::min(lowest, potential_at(centre_in_metres(c, site)));
            }
        }
    }
    return {std::sqrt(2 * (fluid.high - lowest + step)), lowest < fluid.low - step / 2};
}

Expected expected_speed(const Problem& problem, const StartRegion* start)
{
    const Case& c = problem.source;
    Expected expected;
    const double fastest = fold_particles(
        problem.particles.size(), 0.0,
        [&](double& most, std::size_t i) {
            const InitialParticle particle = problem.particles[i];
            if (particle.kind != Kind::fluid) return;
            double squared = 0;
            for (const float component : particle.velocity)
                squared += static_cast<double>(component) * static_cast<double>(component);
            most = std::max(most, squared);
        },
        [](double& most, double more) { most = std::max(most, more); });
    expected.certain = std::sqrt(fastest) * problem.units.velocity;
    expected.raise(expected.certain, "the fastest fluid at the start");
    if (problem.wall > 0 && closed_gravity_axes(c) > 0) {
        const Fall fall = fall_of_fluid(problem, start);
        expected.raise(fall.speed, fall.to_a_wall ? "a fall from the fluid's top to the lowest wall beneath it"
                                                  : "a fall from the fluid's top to its bottom");
    }
    if (problem.available_energy_from_rest && problem.available_energy > 0) {
        const double mass = problem.units.mass * static_cast<double>(problem.fluid);
        expected.raise(std::sqrt(2 * problem.available_energy / mass), "all available energy as motion");
    }
    return expected;
}

// Whether sound rather than viscosity bounds the steps.
bool steps_follow_sound(const Problem& problem)
{
    const Case& c = problem.source;
    const double h = smoothing_length(c);
    const double viscosity = lengthwise_viscosity(c);
    return !(viscosity > 0) || c.time.cfl * h / c.fluid.sound_speed < viscous_step(h, viscosity);
}

// The fluid's least extent at the start along an axis without a period, m.
double least_extent(const Problem& problem)
{
    using Extents = std::array<Extremes, 3>;
    const Extents extents = fold_particles(
        problem.particles.size(), Extents{},
        [&](Extents& all, std::size_t k) {
            const InitialParticle particle = problem.particles.without_velocity(k);
            if (particle.kind != Kind::fluid) return;
            for (std::size_t i = 0; i < all.size(); ++i)
                all[i].add(static_cast<double>(particle.cell[i]) + static_cast<double>(particle.offset[i]));
        },
        [](Extents& all, const Extents& more) {
            for (std::size_t i = 0; i < all.size(); ++i) all[i].add(more[i]);
        });
    const Case& c = problem.source;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.dimensions); ++i) {
        if (c.period[i] == 0) least = std::min(least, extents[i].width() * problem.units.length + c.resolution.spacing);
    }
    return least;
}

// Viscous stresses at a speed u across a length L change the pressure by about rho nu u / L, like a flow at the speed
// sqrt(nu u / L) (Morris, Fox and Zhu 1997, J. Comput. Phys. 136, on the choice of the sound speed).
void raise_by_viscosity(Expected& expected, const Case& c, double speed, double length)
{
    if (c.fluid.laminar_viscosity == LaminarViscosity::none) return;
    expected.raise(
        std::sqrt(c.fluid.kinematic_viscosity * speed / length),
        fmt::format("what viscous stresses at {:.3g} m/s across {:.3g} m ask for, sqrt(nu u / L)", speed, length));
}

void look_at_sound(const Problem& problem, const StartRegion* start, std::vector<std::string>& all)
{
    const Case& c = problem.source;
    if (c.central_force || problem.physics.driven) return;  // the speed that they lead to is not known at the start
    Expected expected = expected_speed(problem, start);
    const double sound = c.fluid.sound_speed;
    // Walls too fast for it have a warning of their own.
    bool too_low = sound < least_ratio * expected.speed;
    double imposed = expected.certain;  // that viscosity does not keep the fluid from
    double across_in_a_period = 0;
    bool low = too_low || sound < usual_ratio * expected.certain * (1 - 1e-6);
    for (std::size_t k = 0; k < problem.motions.size(); ++k) {
        if (problem.motions[k].frame() == MotionFrame::moving) {
            expected.raise(load_of_frame(problem, k).speed(), "all that the moving frame can give");
            continue;
        }
        const double fastest = fastest_wall(problem, k).speed;
        expected.raise(fastest, the_fastest_wall);
        imposed = std::max(imposed, fastest);
        if (start != nullptr && start->is_full())
            across_in_a_period = std::max(across_in_a_period, length_per_period(problem, k));
    }
    Expected viscous = expected;
    raise_by_viscosity(viscous, c, imposed, least_extent(problem));
    const bool too_low_for_viscosity = viscous.speed > expected.speed && sound < least_ratio * viscous.speed;
    if (too_low_for_viscosity) expected = viscous;
    Expected most = expected;
    // Where no surface yields, sound has to cross the fluid ten times in a period.
    most.raise(across_in_a_period, "the fluid's length in a period of a motion");
    // There may be narrower gaps than the fluid's extent, but none that are resolved below this.
    raise_by_viscosity(most, c, expected.speed, smoothing_length(c));
    const bool high = most.speed > 0 && sound > largest_ratio * most.speed;
    if (high) expected = most;
    too_low = too_low || too_low_for_viscosity;
    low = low || too_low;
    if (!low && !high) return;
    const double mach = expected.speed / sound;
    all.push_back(fmt::format(
        "fluid.sound_speed = {} m/s is {:.3g} times the {:.3g} m/s to expect ({}), but ten times is usual; {} about "
        "{:.3g} m/s{}",
        sound, sound / expected.speed, expected.speed, expected.of,
        low ? fmt::format("density would vary by some {:.0f} %{}{}: raise it to", 100 * mach * mach,
                          too_low ? " and the run may break down" : "",
                          problem.wall == 0 ? ", unless all of the fluid drifts as one" : "")
            : fmt::format(
                  "{}rounding errors of pressure larger than they need be: unless sound itself is meant, lower it to",
                  steps_follow_sound(problem) ? "steps are as much shorter and " : "it makes "),
        usual_ratio * expected.speed,
        // A wedge of 30 degrees throws them at five times its own speed (Zhao and Faltinsen 1993, J. Fluid Mech. 246).
        high && expected.of == the_fastest_wall
            ? " or, where it strikes a free surface, ten times the speed of the jets beside it, which "
              "are several times as fast as the wall"
            : ""));
}

// The longest row of fluid sites along an axis, as far as `enough`; one that is empty does not end it, since relaxed
// fills leave some.
std::int64_t longest_row(const Problem& problem, const StartRegion& start, std::size_t axis, std::int64_t enough)
{
    std::int64_t longest = 0;
    for (std::size_t i = 0; i < problem.particles.size() && longest < enough; ++i) {
        if (problem.particles.without_velocity(i).kind != Kind::fluid) continue;
        Site site = start.site(i);
        const std::int64_t first = site[axis];
        for (int empty = 0; empty < 2 && longest < enough;) {
            if (start.has_fluid(site)) {
                longest = std::max(longest, site[axis] - first + 1);
                empty = 0;
            } else {
                ++empty;
            }
            ++site[axis];
        }
    }
    return longest;
}

void look_at_depth(const Problem& problem, const StartRegion& start, std::vector<std::string>& all)
{
    const Case& c = problem.source;
    const auto support = static_cast<std::int64_t>(std::ceil(support_radius(c) / c.resolution.spacing - 1e-9));
    for (std::size_t axis = static_cast<std::size_t>(c.dimensions); axis-- > 0;) {
        if (c.period[axis] > 0) continue;
        const std::int64_t layers = longest_row(problem, start, axis, support + 1);
        if (layers > support) continue;
        all.push_back(fmt::format(
            "the fluid is at most {} {} deep along {}, and the kernel's support of {} spacings reaches through all of "
            "it; even ten over the smallest relevant depth are few: lower resolution.spacing to {:.3g} m or less",
            layers, layers == 1 ? "particle" : "particles", "xyz"[axis], support,
            static_cast<double>(layers) * c.resolution.spacing /
                static_cast<double>(std::max<std::int64_t>(10, support + 1))));
        return;
    }
}

// Fluid with walls above it, against gravity, and none beneath: its sign is the wrong one, most likely.
void look_at_gravity(const Problem& problem, const StartRegion& start, std::vector<std::string>& all)
{
    const Case& c = problem.source;
    const std::optional<std::size_t> axis = steepest_axis(c);
    if (!axis) return;
    const std::int64_t down = c.gravity[*axis] < 0 ? -1 : 1;
    struct Touching {
        bool beneath = false;
        bool above = false;
    };
    const Touching walls = fold_particles(
        problem.particles.size(), Touching{},
        [&](Touching& touching, std::size_t i) {
            if (touching.beneath || problem.particles.without_velocity(i).kind != Kind::fluid) return;
            Site site = start.site(i);
            site[*axis] += down;
            touching.beneath = !start.reaches(site);
            site[*axis] -= 2 * down;
            touching.above = touching.above || !start.reaches(site);
        },
        [](Touching& all, const Touching& more) {
            all = {all.beneath || more.beneath, all.above || more.above};
        });
    if (walls.beneath || !walls.above) return;
    all.push_back(
        fmt::format("gravity = [{}] pulls the fluid off the walls that it touches, and none is beneath it: it falls, "
                    "as far as there is room; is the sign right?",
                    fmt::join(c.gravity.begin(), c.gravity.begin() + c.dimensions, ", ")));
}

// In the gravity of the Earth, in m/s^2, a liquid of a density in g/cm^3 or relative to water.
void look_at_density(const Case& c, std::vector<std::string>& all)
{
    const double g = std::hypot(c.gravity[0], c.gravity[1], c.gravity[2]);
    constexpr double lightest_liquid = 50;  // kg/m^3; hydrogen has 71
    if (g < 9.7 || g > 9.9 || !(c.fluid.density < lightest_liquid)) return;
    all.push_back(fmt::format(
        "fluid.density = {} kg/m^3 is that of no liquid, and forces and pressures are in proportion to it; is it meant in "
        "kg/m^3? Water has 1000",
        c.fluid.density));
}

}  // namespace

void add_flow_warnings(const Problem& problem, const StartRegion* start, std::vector<std::string>& all)
{
    const Case& c = problem.source;
    if (problem.wall == 0 && !c.central_force && c.gravity != std::array<double, 3>{}) {
        all.push_back(
            fmt::format("gravity acts, but the case has no wall, so that all of its fluid falls freely; set "
                        "gravity = {}, or give it a wall beneath",
                        c.dimensions == 2 ? "[0, 0]" : "[0, 0, 0]"));
    }
    look_at_density(c, all);
    look_at_sound(problem, start, all);
    if (start == nullptr) return;
    look_at_gravity(problem, *start, all);
    look_at_depth(problem, *start, all);
}

bool decays_too_fast(const Problem& problem)
{
    const Case& c = problem.source;
    return c.fluid.laminar_viscosity != LaminarViscosity::none && c.resolution.smoothing_ratio < 3 &&
           fills_its_periods(problem) && is_sheared(problem);
}

}  // namespace halfulp
