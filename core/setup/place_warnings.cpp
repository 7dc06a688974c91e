// Warnings about the positions and speeds of walls and fluid.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/setup/case_warnings.hpp"
#include "core/setup/for_each_particle.hpp"
#include "core/setup/point.hpp"
#include "core/setup/wall_speed.hpp"
#include "core/setup/wall_thickness.hpp"

namespace halfulp {

namespace {

// The remedy for a thin wall.
std::string remedy_of(const Case& c, const WallThickness& thin, std::int64_t layers, std::int64_t needed)
{
    const Shape& s = c.shapes[static_cast<std::size_t>(thin.shape)];
    const double finer = static_cast<double>(layers) / static_cast<double>(needed) * c.resolution.spacing;
    return s.layers > 0 ? fmt::format("set shapes.{}.layers to {} or more", s.name, needed)
                        : fmt::format("make it thicker, or lower resolution.spacing to {:.3g} m", finer);
}

void look_at_thickness(const Problem& problem, const std::vector<WallThickness>& walls, std::vector<std::string>& all)
{
    const Case& c = problem.source;
    const double support = support_radius(c) / c.resolution.spacing;
    const std::int64_t between = layers_between_fluids(c);
    for (const WallThickness& wall : walls) {
        const Shape& s = c.shapes[static_cast<std::size_t>(wall.shape)];
        const auto refuse = [&](std::int64_t found, const char* where, std::int64_t needed) {
            if (found >= needed) return;
            throw input_error(
                "{}: the wall \"{}\" is {} {} ({:.4g} m) thick {}, but the kernel's support of {:.4g} spacings needs "
                "{} there: fluid would come through; {}.",
                place_of(c, "shapes." + s.name), s.name, found, found == 1 ? "spacing" : "spacings",
                static_cast<double>(found) * c.resolution.spacing, where, support, needed,
                remedy_of(c, wall, found, needed));
        };
        refuse(wall.between, "between fluid on both of its sides", least_layers_between_fluids(c));
        refuse(wall.any, "where fluid can touch it", layers_for_support(c));
        if (follow_the_fluid(c.numerics.walls) && wall.between < between) {
            all.push_back(fmt::format(
                "the wall \"{}\" is {} spacings ({:.4g} m) thick or less at a quarter of its faces, and fluid can reach both of its sides; below {} spacings (twice the "
                "support, less one) its particles take their pressure from both sides, so that pressures beside it are "
                "wrong by some hundredths of their difference; {}",
                s.name, wall.between, static_cast<double>(wall.between) * c.resolution.spacing, between,
                remedy_of(c, wall, wall.between, between)));
        }
    }
    constexpr double widest = 5;  // spacings, of the support, for kernels of two smoothing lengths
    const bool reaches_farther = support > 2.01 * c.resolution.smoothing_ratio;  // in a tail
    if (support > widest * (1 + 1e-9) && !reaches_farther) {
        all.push_back(fmt::format(
            "resolution.smoothing_ratio is {}: such a wide kernel keeps fluid out of walls less well: fluid enters the "
            "corners of moving walls by up to h/2, here {:.2g} spacings; use 2 where there are walls",
            c.resolution.smoothing_ratio, c.resolution.smoothing_ratio / 2));
    }
}

// Two wall sites that touch at a corner only, with fluid kept in one of the places beside both and none in the other:
// it runs out between them, however thick each wall is. Not where a shape meets itself: the sites of a sharp lip do,
// past which fluid flows anyway.
void look_at_corners(const Problem& problem, const StartRegion& start, std::vector<std::string>& all)
{
    const Case& c = problem.source;
    const auto dimensions = static_cast<std::size_t>(c.dimensions);
    SiteRuns walls;
    for (const StartRun& run : start.runs()) {
        if (run.kind == Kind::wall) walls.add(run.first, run.last, static_cast<std::int32_t>(run.particle));
    }
    walls.sort();
    std::vector<std::size_t> ends;  // the particles before the end of each shape
    for (const std::uint64_t count : problem.of_shape) ends.push_back((ends.empty() ? 0 : ends.back()) + count);
    const auto shape_of = [&](std::size_t particle) {
        return static_cast<std::size_t>(std::ranges::upper_bound(ends, particle) - ends.begin());
    };
    const auto shape_at = [&](const Site& wall) {
        std::size_t near = 0;
        return shape_of(static_cast<std::size_t>(walls.at(start.within_periods(wall), near)));
    };
    struct OpenCorner {
        std::size_t shape = 0;  // of the wall site beside the fluid
        Site site{};
        Site other{};  // beyond the corner
    };
    const auto open = fold_particles(
        problem.particles.size(), std::optional<OpenCorner>{},
        [&](std::optional<OpenCorner>& first, std::size_t i) {
            if (first || problem.particles.without_velocity(i).kind != Kind::wall) return;
            const Site here = start.site(i);
            for (std::size_t inwards = 0; inwards < dimensions; ++inwards) {
                for (const std::int64_t step : {-1, 1}) {
                    Site wet = here;
                    wet[inwards] += step;
                    if (!start.reaches(wet) || start.lost(wet)) continue;
                    for (std::size_t along = 0; along < dimensions; ++along) {
                        for (const std::int64_t aside : {-1, 1}) {
                            if (along == inwards) continue;
                            Site other = wet;
                            other[along] += aside;
                            Site beyond = here;
                            beyond[along] += aside;
                            if (!start.blocks(other) || start.blocks(beyond) || !start.lost(beyond)) continue;
                            if (shape_of(i) != shape_at(other)) first = {shape_of(i), here, other};
                        }
                    }
                }
            }
        },
        [](std::optional<OpenCorner>& first, const std::optional<OpenCorner>& more) {
            if (!first) first = more;
        });
    if (!open) return;
    Point corner = centre_in_metres(c, open->site);
    const Point beyond = centre_in_metres(c, open->other);
    for (std::size_t i = 0; i < corner.size(); ++i) corner[i] = (corner[i] + beyond[i]) / 2;
    all.push_back(fmt::format(
        "the walls \"{}\" and \"{}\" meet only at {}, at {}: fluid runs out there, however thick they are; extend one of "
        "them over the end of the other",
        c.shapes[open->shape].name, c.shapes[shape_at(open->other)].name, c.dimensions == 2 ? "a corner" : "an edge",
        text_of(c, corner)));
}

// Whether a place for fluid is within so many sites straight from one of a wall's particles: first <= i < last.
bool any_wet_near(const StartRegion& start, std::size_t first, std::size_t last, std::int64_t reach, int dimensions)
{
    for (std::size_t i = first; i < last; ++i) {
        const Site here = start.site(i);
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimensions); ++axis) {
            for (std::int64_t step = -reach; step <= reach; ++step) {
                Site site = here;
                site[axis] += step;
                if (start.may_be_wet(site)) return true;
            }
        }
    }
    return false;
}

// The fluid particles that start where no wall holds them.
struct LostFluid {
    std::uint64_t number = 0;
    std::size_t first = 0;
};
LostFluid lost_fluid(const Problem& problem, const StartRegion& start)
{
    return fold_particles(
        problem.particles.size(), LostFluid{},
        [&](LostFluid& all, std::size_t i) {
            if (problem.particles.without_velocity(i).kind != Kind::fluid || !start.lost(start.site(i))) return;
            if (all.number++ == 0) all.first = i;
        },
        [](LostFluid& all, const LostFluid& more) {
            if (all.number == 0) all.first = more.first;
            all.number += more.number;
        });
}

// Walls at rest that fluid does not flow to: outside of a closed tank, or, of an open one, beside all other particles.
// Fluid that starts with a velocity may fly there, and a tank that moves may go there.
void look_at_untouched(const Problem& problem, const StartRegion& start, const std::vector<WallThickness>& touched,
                       std::vector<std::string>& all)
{
    const Case& c = problem.source;
    const bool closed = start.enclosed() > 0;
    const auto starts_at_rest = [](const Shape& s) { return s.velocity == std::array<Field, 3>{}; };
    if (!closed && closed_gravity_axes(c) == 0) return;
    if (!problem.motions.empty() || !std::all_of(c.shapes.begin(), c.shapes.end(), starts_at_rest)) return;
    const auto reach = static_cast<std::int64_t>(std::ceil(support_radius(c) / c.resolution.spacing));
    const std::vector<std::optional<SiteBox>> boxes = start.boxes();
    // Beyond the support from all others, another wall among them, along a level direction.
    const auto is_beside = [&](std::size_t shape) {
        for (std::size_t axis = 0; axis < static_cast<std::size_t>(c.dimensions); ++axis) {
            if (c.gravity[axis] != 0 || c.period[axis] > 0) continue;
            bool before = true;
            bool behind = true;
            bool any = false;
            for (std::size_t other = 0; other < boxes.size(); ++other) {
                if (other == shape || !boxes[other]) continue;
                any = any || c.shapes[other].kind == Kind::wall;
                before = before && boxes[shape]->to[axis] + reach <= boxes[other]->from[axis];
                behind = behind && boxes[shape]->from[axis] - reach >= boxes[other]->to[axis];
            }
            if (any && (before || behind)) return true;
        }
        return false;
    };
    const auto is_touched = [&](std::size_t shape) {
        return std::any_of(touched.begin(), touched.end(),
                           [&](const WallThickness& wall) { return wall.shape == static_cast<std::int32_t>(shape); });
    };
    std::size_t first = 0;
    for (std::size_t shape = 0; shape < boxes.size(); first += problem.of_shape[shape++]) {
        const std::size_t last = first + problem.of_shape[shape];
        if (!boxes[shape] || c.shapes[shape].kind != Kind::wall) continue;
        if (closed ? is_touched(shape) || any_wet_near(start, first, last, reach, c.dimensions) : !is_beside(shape))
            continue;
        if (closed && lost_fluid(problem, start).number > 0) return;  // which comes to walls outside
        all.push_back(fmt::format("the wall \"{}\" lies {}", c.shapes[shape].name,
                                  closed
                                      ? "outside of the closed tank, where no fluid comes; move it into the tank, or "
                                        "leave it out"
                                      : "apart from all other shapes, where fluid comes only through the air; move "
                                        "it into the tank, unless that is meant"));
    }
}

// Fraction of the sound speed that bounds the speeds of weakly compressible flow.
constexpr double weakly_compressible = 0.1;

// In a moving frame walls rest, whatever its speed: the fluid feels the inertial forces.
void look_at_frame(const Problem& problem, std::size_t motion, std::vector<std::string>& all)
{
    const Case& c = problem.source;
    const FrameLoad load = load_of_frame(problem, motion);
    const double sound = c.fluid.sound_speed;
    const double varies = load.potential / (sound * sound);
    if (!(varies > weakly_compressible * weakly_compressible * (1 + 1e-6))) return;
    const std::string turns =
        load.turning > 0 ? fmt::format("turns its frame at up to {:.3g} rad/s", load.turning) : "";
    const std::string shifts =
        load.acceleration > 0 ? fmt::format("accelerates its frame by up to {:.3g} m/s^2", load.acceleration) : "";
    all.push_back(fmt::format(
        "motions.{} {}{}{}: the fluid's density varies by about {:.2g} % for it (at t = {:.4g} s), and by less than 1 % "
        "with a fluid.sound_speed of {:.3g} m/s",
        c.motions[motion].name, turns, turns.empty() || shifts.empty() ? "" : " and ", shifts, 100 * varies, load.time,
        std::sqrt(load.potential) / weakly_compressible));
}

void look_at_speeds(const Problem& problem, std::vector<std::string>& all)
{
    const Case& c = problem.source;
    for (std::size_t k = 0; k < problem.motions.size(); ++k) {
        if (problem.motions[k].frame() == MotionFrame::moving) {
            look_at_frame(problem, k, all);
            continue;
        }
        const FastestWall fastest = fastest_wall(problem, k);
        const double mach = fastest.speed / c.fluid.sound_speed;
        if (!(mach > weakly_compressible * (1 + 1e-6))) continue;
        const bool own = k >= c.motions.size();  // of a wall with a velocity
        const std::string key = key_of_motion(c, k);
        const std::string found =
            fmt::format("{} moves walls at {:.4g} m/s{}, {:.3g} of fluid.sound_speed = {} m/s", key, fastest.speed,
                        own ? "" : fmt::format(" at t = {:.4g} s", fastest.time), mach, c.fluid.sound_speed);
        const std::string with_frame =
            may_move_its_frame(c) ? fmt::format("; or, as all walls move as one, {}", how_to_move_the_frame(c)) : "";
        if (mach >= 1) {
            throw input_error(
                "{}: {}, but no pressure can follow a wall that is as fast as sound; slow it down (are its units "
                "right?), or raise fluid.sound_speed to ten times the fastest flow{}.",
                place_of(c, key), found, with_frame);
        }
        all.push_back(fmt::format(
            "{}: density varies by about {:.2g} % where they move relative to the fluid; ten times the fastest "
            "wall is usual{}",
            found, 100 * mach * mach, with_frame));
    }
}

}  // namespace

Point centre_in_metres(const Case& c, const Site& site)
{
    Point x = centre_of(site);
    for (double& component : x) component *= c.resolution.spacing;
    return x;
}

std::string text_of(const Case& c, const Point& x)
{
    return c.dimensions == 2 ? fmt::format("({:.6g}, {:.6g}) m", x[0], x[1])
                             : fmt::format("({:.6g}, {:.6g}, {:.6g}) m", x[0], x[1], x[2]);
}

void add_wall_warnings(const Problem& problem, const StartRegion* start, std::vector<std::string>& all)
{
    if (start != nullptr) {
        const std::vector<WallThickness> walls = wall_thicknesses(problem, *start);
        look_at_thickness(problem, walls, all);
        look_at_corners(problem, *start, all);
        look_at_untouched(problem, *start, walls, all);
    }
    look_at_speeds(problem, all);
}

void add_fluid_warnings(const Problem& problem, const StartRegion& start, std::vector<std::string>& all)
{
    const Case& c = problem.source;
    const LostFluid lost = lost_fluid(problem, start);
    if (lost.number == 0 || (start.enclosed() == 0 && closed_gravity_axes(c) == 0)) return;
    const bool outside = start.enclosed() > 0;
    all.push_back(fmt::format(
        "{} of {} fluid particles {}, the first at {}; {}", lost.number, problem.fluid,
        outside ? "start outside of the closed tank that holds the others" : "have no wall beneath them to fall on",
        text_of(c, centre_in_metres(c, start.site(lost.first))),
        outside ? "enlarge the tank or move the fluid"
                : "unless they are to leave through an opening there, close it, enlarge the tank or move the fluid"));
}

}  // namespace halfulp
