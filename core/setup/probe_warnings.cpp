// Warnings about the positions of probes.
#include <algorithm>
#include <cmath>
#include <unordered_set>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/motion/brought_back.hpp"
#include "core/setup/case_warnings.hpp"
#include "core/setup/geometry.hpp"
#include "core/setup/point.hpp"
#include "core/setup/site_hash.hpp"

namespace halfulp {

namespace {

// Whether fluid can reach a site whose centre is nearer than `reach` to a place; spacings.
bool any_reached(const FluidRegion& region, const Point& x, double reach, int dimensions)
{
    const auto n = static_cast<std::int64_t>(std::ceil(reach));
    const std::int64_t deep = dimensions == 3 ? n : 0;
    Site middle{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(dimensions); ++i)
        middle[i] = static_cast<std::int64_t>(std::floor(x[i]));
    for (std::int64_t dz = -deep; dz <= deep; ++dz) {
        for (std::int64_t dy = -n; dy <= n; ++dy) {
            for (std::int64_t dx = -n; dx <= n; ++dx) {
                const Site site{middle[0] + dx, middle[1] + dy, middle[2] + dz};
                const Point centre = centre_of(site);
                double squared = 0;
                for (std::size_t i = 0; i < static_cast<std::size_t>(dimensions); ++i)
                    squared += (centre[i] - x[i]) * (centre[i] - x[i]);
                if (squared < reach * reach && region.reaches(site)) return true;
            }
        }
    }
    return false;
}

// The wall that occupies a site, for a message; empty if there is none.
std::string wall_at(const Problem& problem, const StartRegion& start, const Site& site)
{
    std::size_t particle = 0;
    for (std::size_t shape = 0; shape < problem.of_shape.size(); ++shape) {
        for (std::uint64_t k = 0; k < problem.of_shape[shape]; ++k, ++particle) {
            if (problem.particles.without_velocity(particle).kind == Kind::wall && start.site(particle) == site)
                return problem.source.shapes[shape].name;
        }
    }
    return {};
}

// A point, or the base of a gauge.
void look_at_point(const Problem& problem, const StartRegion& start, const Probe& probe, std::vector<std::string>& all)
{
    const Case& c = problem.source;
    std::int32_t motion = -1;
    bool moves = false;
    for (std::size_t k = 0; k < c.motions.size(); ++k) {
        if (c.motions[k].name != probe.attached || c.motions[k].frame != MotionFrame::laboratory) continue;
        motion = static_cast<std::int32_t>(k);
        moves = true;
    }
    const FluidRegion* const region = start.region(motion);
    Point x = probe.at;
    for (double& component : x) component /= c.resolution.spacing;
    const Site site = start_site(problem, x);
    const std::string key = fmt::format("probes.{}.at", probe.name);
    const std::string wall = wall_at(problem, start, site);
    const std::string where = wall.empty() ? "where no fluid can come" : fmt::format("inside the wall \"{}\"", wall);
    if (region != nullptr && !region->holds(x)) {
        const double support = support_radius(c) / c.resolution.spacing;
        if (!any_reached(*region, x, support, c.dimensions)) {
            throw input_error(
                "{}: {} = {} lies {}, farther than the kernel's support of {:.4g} m from all that fluid can reach, and "
                "would read zeros; move it to where the fluid is, or onto a wall's face.",
                place_of(c, key), key, text_of(c, probe.at), where, support_radius(c));
        }
        all.push_back(
            fmt::format("{} = {} lies {}, and reads the edge of the fluid beside it only; move it onto the wall's face",
                        key, text_of(c, probe.at), where));
        return;
    }
    if (!moves && start.is_outside(site) && start.lost(site) && !start.near_fluid(site) &&
        (closed_gravity_axes(c) > 0 ||
         !std::equal(site.begin(), site.end(), start.low().begin(), std::greater_equal<>()) ||
         !std::equal(site.begin(), site.end(), start.high().begin(), std::less_equal<>()))) {
        all.push_back(
            fmt::format("{} = {} lies outside of the case, and reads zeros as long as no fluid comes there; "
                        "move it to where the fluid is, or onto a wall's face",
                        key, text_of(c, probe.at)));
    }
}

// Whether a place is inside the walls of a motion at all of many times of the run.
bool stays_within(const Problem& problem, const StartRegion& start, const Point& at, std::size_t motion)
{
    const Case& c = problem.source;
    const double side = problem.units.length;
    const double spacing = c.resolution.spacing;
    constexpr int times = 500;
    std::unordered_set<Site, SiteHash> sites;  // where it is in the body, among the sites at the start
    for (int k = 0; k <= times; ++k) {
        const Vec<3, double> back = brought_back(problem.motions[motion].at(c.time.end * k / times),
                                                 Vec<3, double>{at[0] / side, at[1] / side, at[2] / side});
        sites.insert(
            start_site(problem, {back[0] * side / spacing, back[1] * side / spacing, back[2] * side / spacing}));
    }
    for (std::size_t i = 0; i < problem.particles.size() && !sites.empty(); ++i) {
        const InitialParticle particle = problem.particles.without_velocity(i);
        if (particle.kind == Kind::wall && particle.motion == static_cast<std::int32_t>(motion))
            sites.erase(start.site(i));
    }
    return sites.empty();
}

// The walls half a spacing from a probe to each side, first against and then along each axis; empty where there is
// none.
std::vector<std::string> walls_beside(const Problem& problem, const StartRegion& start, const Probe& probe)
{
    const Case& c = problem.source;
    Point x = probe.at;
    for (double& component : x) component /= c.resolution.spacing;
    std::vector<std::string> beside;
    for (std::size_t side = 0; side < 2 * static_cast<std::size_t>(c.dimensions); ++side) {
        Point there = x;
        there[side / 2] += side % 2 == 0 ? 0.5 : -0.5;
        beside.push_back(wall_at(problem, start, start_site(problem, there)));
    }
    return beside;
}

// A place on the face of a wall that moves should move with it, or it is soon in the wall, or off it.
void look_at_moving_wall(const Problem& problem, const StartRegion& start, const Probe& probe,
                         std::vector<std::string>& all)
{
    const Case& c = problem.source;
    const auto carries = [](const Motion& motion) { return motion.frame != MotionFrame::moving; };
    if (!probe.attached.empty() || std::none_of(c.motions.begin(), c.motions.end(), carries)) return;
    const std::vector<std::string> beside = walls_beside(problem, start, probe);
    const bool within = std::find(beside.begin(), beside.end(), "") == beside.end();
    if (!within && probe.measures != Probe::Measure::pressure) return;
    for (std::size_t k = 0; k < c.motions.size(); ++k) {
        const Motion& motion = c.motions[k];
        if (!carries(motion)) continue;
        const auto moves = [&](const std::string& wall) { return !wall.empty() && has_body(motion.bodies, wall); };
        const auto wall = std::find_if(beside.begin(), beside.end(), moves);
        if (wall == beside.end()) continue;
        if (within) {
            if (stays_within(problem, start, probe.at, k)) {
                all.push_back(fmt::format(
                    "probes.{0}.at = {1} stays inside the wall \"{2}\" however the motion \"{3}\" moves that, and reads "
                    "the edge of the fluid beside it at most; move it onto the wall's face, with probes.{0}.attached = "
                    "\"{3}\" if it is to go along",
                    probe.name, text_of(c, probe.at), *wall, motion.name));
            }
            return;
        }
        all.push_back(fmt::format(
            "probes.{0}.at = {1} lies on the wall \"{2}\" and stays where it is when the motion \"{3}\" moves that; "
            "let it go along with probes.{0}.attached = \"{3}\"",
            probe.name, text_of(c, probe.at), *wall, motion.name));
        return;
    }
}

// The same of a wall with a velocity of its own, unless it slides along the face on which the place lies.
void look_at_wall_with_velocity(const Problem& problem, const StartRegion& start, const Probe& probe,
                                std::vector<std::string>& all)
{
    const Case& c = problem.source;
    if (!probe.attached.empty() || std::ranges::none_of(c.shapes, &Shape::slides)) return;
    const std::vector<std::string> beside = walls_beside(problem, start, probe);
    if (std::ranges::find(beside, "") == beside.end()) return;
    for (std::size_t side = 0; side < beside.size(); ++side) {
        // Along its face there is the wall on both sides.
        if (beside[side].empty() || beside[side] == beside[side ^ 1U]) continue;
        const Shape& wall = c.shapes[static_cast<std::size_t>(shape_named(c, beside[side]))];
        if (!wall.slides() || value_at(wall.velocity[side / 2], {}) == 0) continue;
        all.push_back(fmt::format(
            "probes.{0}.at = {1} lies on the wall \"{2}\" and stays where it is when shapes.{2}.velocity moves that; give "
            "the wall a motion with such a steady translation instead, with which probes.{0}.attached lets it go along",
            probe.name, text_of(c, probe.at), wall.name));
        return;
    }
}

void look_at_interval(const Problem& problem, const Probe& probe, std::vector<std::string>& all)
{
    const Case& c = problem.source;
    if (probe.interval <= c.time.end) return;
    all.push_back(fmt::format(
        "probes.{0}.interval = {1} s is longer than the run of {2} s, so that the probe may have the sample of the start alone; "
        "lower it to {3:.3g} s, say",
        probe.name, probe.interval, c.time.end, c.time.end / 1000));
}

// A gauge takes walls within the kernel's support for air, unless its box leaves them out. At half of the heights where
// it can be wet or more: not the foot of a slope, or a step.
void look_at_air_of_gauge(const Problem& problem, const FluidRegion& region, const Probe& probe, std::size_t axis,
                          const std::vector<Site>& wet, std::vector<std::string>& all)
{
    if (probe.within) return;
    const Case& c = problem.source;
    const double support = support_radius(c) / c.resolution.spacing;
    const auto n = static_cast<std::int64_t>(std::ceil(support)) + 1;
    const std::int64_t deep = c.dimensions == 3 ? n : 0;
    const std::size_t across = axis == 0 ? 1 : 0;
    const std::size_t along = axis == 2 ? 1 : 2;
    double nearest = support;  // face of a wall, spacings
    for (std::int64_t da = -n; da <= n; ++da) {
        for (std::int64_t db = -deep; db <= deep; ++db) {
            double squared = 0;
            for (const auto& [i, d] : {std::pair(across, da), std::pair(along, db)}) {
                if (i >= static_cast<std::size_t>(c.dimensions)) continue;
                const double at = probe.at[i] / c.resolution.spacing;
                const double from = std::floor(at) + static_cast<double>(d);  // the site's lower face
                const double off = std::max({from - at, at - from - 1, 0.0});
                squared += off * off;
            }
            if (!(squared < nearest * nearest)) continue;
            const auto blocked = std::count_if(wet.begin(), wet.end(), [&](Site site) {
                site[across] += da;
                site[along] += db;
                return region.blocks(site);
            });
            if (2 * blocked >= static_cast<std::ptrdiff_t>(wet.size())) nearest = std::sqrt(squared);
        }
    }
    if (!(nearest < support * (1 - 1e-9))) return;
    all.push_back(fmt::format(
        "the gauge probes.{0} at {1} is {2:.4g} m from a wall, which within the kernel's support of {3:.4g} m counts as "
        "air, so that it reads less than the level; give probes.{0}.within, the inside of the tank",
        probe.name, text_of(c, probe.at), nearest * c.resolution.spacing, support_radius(c)));
}

// Somewhere along a level gauge there must be a place that fluid can reach.
void look_at_gauge(const Problem& problem, const StartRegion& start, const Probe& probe, std::vector<std::string>& all)
{
    const Case& c = problem.source;
    const FluidRegion* const region = start.region(-1);
    if (region == nullptr) return;  // a moving tank may pass
    const auto acts = [](double component) { return component != 0; };
    const auto axis =
        static_cast<std::size_t>(std::find_if(c.gravity.begin(), c.gravity.end(), acts) - c.gravity.begin());
    Point x = probe.at;
    for (double& component : x) component /= c.resolution.spacing;
    bool any = false;
    std::vector<Site> wet;  // along the gauge, with room for fluid there or beside it
    for (std::int64_t height = start.low()[axis]; height <= start.high()[axis]; ++height) {
        x[axis] = static_cast<double>(height) + 0.5;
        const Site site = start_site(problem, x);
        if (!region->holds(x) || (start.lost(site) && !start.near_fluid(site))) continue;
        any = true;
        bool room = region->reaches(site);
        for (std::size_t i = 0; i < static_cast<std::size_t>(c.dimensions); ++i) {
            for (const std::int64_t side : {-1, 1}) {
                Site beside = site;
                beside[i] += side;
                room = room || (i != axis && region->reaches(beside));
            }
        }
        if (room) wet.push_back(site);
    }
    if (any) {
        look_at_air_of_gauge(problem, *region, probe, axis, wet, all);
        return;
    }
    all.push_back(
        fmt::format("the gauge probes.{0} stands at probes.{0}.at = {1}, where no fluid can come at any height; "
                    "move it to where the fluid is",
                    probe.name, text_of(c, probe.at)));
}

}  // namespace

void add_probe_warnings(const Problem& problem, const StartRegion& start, std::vector<std::string>& all)
{
    for (const Probe& probe : problem.source.probes) {
        look_at_interval(problem, probe, all);
        if (probe.measures == Probe::Measure::pressure) look_at_wall_with_velocity(problem, start, probe, all);
        if (probe.measures == Probe::Measure::pressure || probe.measures == Probe::Measure::velocity) {
            look_at_point(problem, start, probe, all);
            look_at_moving_wall(problem, start, probe, all);
        }
        if (probe.measures == Probe::Measure::level) look_at_gauge(problem, start, probe, all);
    }
}

}  // namespace halfulp
