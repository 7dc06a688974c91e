// Warnings about motions that begin with a jump: of the walls' velocity, or of their acceleration.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include <fmt/format.h>

#include "core/setup/case_warnings.hpp"
#include "core/setup/for_each_particle.hpp"
#include "core/setup/wall_speed.hpp"

namespace halfulp {

namespace {

// The fastest that problem.motions[motion] moves walls into or off resting fluid beside them at t = 0, m/s. A steady
// rotation is left out: a drum slides along its fluid, but the faces of its sites do not.
double speed_of_blow(const Problem& problem, const StartRegion& start, std::size_t motion)
{
    const Case& c = problem.source;
    Pose pose = problem.motions[motion].at(0);
    const auto* rotation =
        motion < c.motions.size() && c.motions[motion].rotation ? &*c.motions[motion].rotation : nullptr;
    if (rotation == nullptr || rotation->angle.form == Signal::Form::steady) pose.turning = 0;
    if (pose.turning == 0 && dot(pose.moving, pose.moving) == 0) return 0;
    const auto has_resting_fluid = [&](const Site& site) {
        const std::int32_t fluid = start.fluid_at(site);
        if (fluid < 0) return false;
        const InitialParticle there = problem.particles[static_cast<std::size_t>(fluid)];
        return std::ranges::all_of(there.velocity, [](float component) { return component == 0; });
    };
    return problem.units.velocity *
           fold_particles(
               problem.particles.size(), 0.0,
               [&](double& fastest, std::size_t i) {
                   const InitialParticle particle = problem.particles.without_velocity(i);
                   if (particle.kind != Kind::wall || particle.motion != static_cast<std::int32_t>(motion)) return;
                   const Vec<3, double> velocity = velocity_at(pose, turned(pose, anchor_of(problem, particle, pose)));
                   for (std::size_t axis = 0; axis < static_cast<std::size_t>(c.dimensions); ++axis) {
                       Site above = start.site(i);
                       Site below = above;
                       ++above[axis];
                       --below[axis];
                       if (has_resting_fluid(above) || has_resting_fluid(below))
                           fastest = std::max(fastest, std::abs(velocity[static_cast<int>(axis)]));
                   }
               },
               [](double& most, double more) { most = std::max(most, more); });
}

// A wall that starts with a speed strikes fluid that rests.
void look_at_start_of_walls(const Problem& problem, const StartRegion& start, std::vector<std::string>& all)
{
    const Case& c = problem.source;
    constexpr double negligible = 1e-3;  // of the sound speed: the pressure of fluid at a thirtieth of it
    for (std::size_t k = 0; k < problem.motions.size(); ++k) {
        if (problem.motions[k].frame() == MotionFrame::moving) continue;
        const double speed = speed_of_blow(problem, start, k);
        if (!(speed > negligible * c.fluid.sound_speed)) continue;
        all.push_back(fmt::format(
            "{} moves walls at {:.3g} m/s from the first moment, but the fluid beside them starts at rest: the "
            "blow changes its pressure by up to {:.3g} Pa (density times sound_speed times speed); {} or the fluid the "
            "velocity of its walls",
            key_of_motion(c, k), speed, c.fluid.density * c.fluid.sound_speed * speed,
            k < c.motions.size()
                ? "give a sine its smooth_start, a steady motion an acceleration or a table that begins at rest,"
                : "give the wall a motion that begins at rest instead,"));
    }
}

// The largest acceleration at t = 0 that problem.motions[motion] gives its walls or, in a moving frame, the fluid,
// m/s^2, but along no period, where a uniform force raises no pressure. Walls that turn steadily leave fluid at rest
// alone; in their frame it is thrown outwards.
double acceleration_at_start(const Problem& problem, std::size_t motion)
{
    const bool of_frame = problem.motions[motion].frame() == MotionFrame::moving;
    Pose pose = problem.motions[motion].at(0);
    if (!of_frame) pose.centripetal = 0;
    for (int i = 0; i < 3; ++i) {
        if (problem.source.period[static_cast<std::size_t>(i)] > 0) pose.speeding_up[i] = 0;
    }
    if (pose.turning_up == 0 && pose.centripetal == 0 && dot(pose.speeding_up, pose.speeding_up) == 0) return 0;
    const double squared = fold_particles(
        problem.particles.size(), 0.0,
        [&](double& most, std::size_t i) {
            const InitialParticle particle = problem.particles.without_velocity(i);
            const bool feels =
                of_frame ? particle.kind == Kind::fluid
                         : particle.kind == Kind::wall && particle.motion == static_cast<std::int32_t>(motion);
            if (!feels) return;
            const Vec<3, double> acceleration = acceleration_at(pose, turned(pose, anchor_of(problem, particle, pose)));
            most = std::max(most, dot(acceleration, acceleration));
        },
        [](double& most, double more) { most = std::max(most, more); });
    return std::sqrt(squared) * problem.units.acceleration();
}

// The pressure that `hydrostatic` gives is that of walls at rest.
void look_at_start_of_pressure(const Problem& problem, std::vector<std::string>& all)
{
    const Case& c = problem.source;
    if (std::ranges::none_of(c.shapes, &Shape::hydrostatic)) return;
    constexpr double negligible = 1.0 / 30;
    const double gravity = std::hypot(c.gravity[0], c.gravity[1], c.gravity[2]);
    for (std::size_t k = 0; k < problem.motions.size(); ++k) {
        const double acceleration = acceleration_at_start(problem, k);
        if (!(acceleration > negligible * gravity)) continue;
        all.push_back(fmt::format(
            "{} accelerates its {} by {:.3g} m/s^2 from the first moment, which hydrostatic = true leaves out of the "
            "fluid's pressure, and sound waves follow: begin without acceleration (a sine with smooth_start, or a table), "
            "or give the fluid its pressure",
            key_of_motion(c, k), problem.motions[k].frame() == MotionFrame::moving ? "frame" : "walls", acceleration));
    }
}

}  // namespace

void add_motion_warnings(const Problem& problem, const StartRegion* start, std::vector<std::string>& all)
{
    look_at_start_of_pressure(problem, all);
    if (start != nullptr) look_at_start_of_walls(problem, *start, all);
}

}  // namespace halfulp
