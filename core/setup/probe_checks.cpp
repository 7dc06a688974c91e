#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "core/setup/case_checks.hpp"
#include "core/setup/spelling.hpp"

namespace halfulp {

namespace {

void check_attachment(const Case& c, const Probe& probe, const KeyPlaces& places)
{
    if (probe.attached.empty()) return;
    std::vector<std::string_view> motions;
    for (const Motion& motion : c.motions) motions.push_back(motion.name);
    if (std::find(motions.begin(), motions.end(), probe.attached) != motions.end()) return;
    const std::string path = fmt::format("probes.{}.attached", probe.name);
    if (motions.empty()) {
        throw places.fault(path, "{} is \"{}\", but the case has no motions; remove it.", path, probe.attached);
    }
    throw places.fault(path, "{} is \"{}\", but must name a motion of the case: {}.", path, probe.attached,
                       enumerate_names(motions, "or"));
}

void check_force(const Case& c, const Probe& probe, const KeyPlaces& places)
{
    const std::vector<std::string> walls = wall_names(c);
    const std::string path = fmt::format("probes.{}.bodies", probe.name);
    if (walls.empty()) {
        throw places.fault(path, "probes.{} measures the force on walls, but the case has no wall; remove the probe.",
                           probe.name);
    }
    check_bodies(probe.bodies, walls, path, places);
}

void check_box(const Case& c, const Probe& probe, const KeyPlaces& places)
{
    const std::string path = fmt::format("probes.{}", probe.name);
    const Box& box = *probe.within;
    check_corners(box, c.dimensions, path + ".within", places);
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.dimensions); ++i) {
        if (probe.measures == Probe::Measure::level && c.gravity[i] != 0)
            continue;  // the height of a gauge is not used
        if (box.from[i] <= probe.at[i] && probe.at[i] <= box.to[i]) continue;
        throw places.fault(path + ".at",
                           "{}.at.{} is {}, outside of {}.within, which is from {} to {} there; move one of them.",
                           path, i, probe.at[i], path, box.from[i], box.to[i]);
    }
}

}  // namespace

void check_probes(const Case& c, const KeyPlaces& places)
{
    for (const Probe& probe : c.probes) {
        check_attachment(c, probe, places);
        const std::string path = "probes." + probe.name;
        if (probe.measures == Probe::Measure::force) check_force(c, probe, places);
        const auto axes = std::count_if(c.gravity.begin(), c.gravity.end(), [](double g) { return g != 0; });
        if (probe.measures == Probe::Measure::level && axes != 1) {
            throw places.fault(path,
                               "{} measures \"level\", which is a depth along gravity, but gravity has {} components, "
                               "and must act along one axis; set gravity or remove the probe.",
                               path, axes);
        }
        if (probe.measures == Probe::Measure::flow && probe.normal == std::array<double, 3>{}) {
            throw places.fault(path + ".normal",
                               "{}.normal is zero, but must point across the plane; give its direction.", path);
        }
        if (probe.within) check_box(c, probe, places);
    }
}

}  // namespace halfulp
