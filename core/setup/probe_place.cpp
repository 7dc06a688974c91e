#include "core/setup/probe_place.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "kernels/smoothing.hpp"

namespace halfulp {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

using Interval = std::array<double, 2>;

// The parts of the kernel's support along an axis, from the probe, that are in its box, over which the kernel is
// integrated: with a period one of the images of a place is enough, as for particles. They don't overlap.
std::vector<Interval> parts_in_box(const ProbePlace& place, std::size_t axis, double reach, double period)
{
    std::vector<Interval> parts;
    for (const double images : {-1.0, 0.0, 1.0}) {
        if (images != 0 && period == 0) continue;
        const double moved = images == 0 ? 0 : images * period;
        Interval part{std::max(place.low[axis] + moved, -reach), std::min(place.high[axis] + moved, reach)};
        if (!parts.empty()) part[0] = std::max(part[0], parts.back()[1]);
        if (part[0] < part[1]) parts.push_back(part);
    }
    return parts;
}

// The fraction of the horizontal kernel inside the box of a gauge, by the midpoint rule: to 1e-6.
double share_in_box(const Case& c, const Units& units, const std::array<std::int32_t, 3>& period,
                    const ProbePlace& place)
{
    const double h = smoothing_length(c) / units.length;
    const double reach = support_radius(c) / units.length;
    const int horizontal = c.dimensions - 1;
    const int pieces = horizontal == 1 ? 4000 : 1000;
    std::vector<std::vector<Interval>> parts;
    for (int axis = 0; axis < c.dimensions; ++axis) {
        const auto i = static_cast<std::size_t>(axis);
        if (axis != place.axis) parts.push_back(parts_in_box(place, i, reach, period[i]));
    }
    if (horizontal == 1) parts.push_back({{0, h}});  // one row, at 0
    double share = 0;
    for (const Interval& along : parts[0]) {
        for (const Interval& across : parts[1]) {
            const int rows = horizontal == 2 ? pieces : 1;
            const double step_x = (along[1] - along[0]) / pieces;
            const double step_y = (across[1] - across[0]) / rows;
            double sum = 0;
            for (int row = 0; row < rows; ++row) {
                const double y = horizontal == 2 ? across[0] + (row + 0.5) * step_y : 0;
                for (int i = 0; i < pieces; ++i) {
                    const double x = along[0] + (i + 0.5) * step_x;
                    sum += shape_of(c.numerics.kernel, std::sqrt(x * x + y * y) / h);
                }
            }
            share += sum * ((step_x / h) * (step_y / h));
        }
    }
    const double normalisation =
        with_kernel(c.numerics.kernel, [&](auto kernel) { return kernel.normalisation(horizontal); });
    return share * normalisation;
}

void set_box(const Case& c, const Units& units, const Probe& probe, ProbePlace& place)
{
    for (std::size_t i = 0; i < 3; ++i) {
        const bool bounded = probe.within && i < static_cast<std::size_t>(c.dimensions);
        place.low[i] = bounded ? (probe.within->from[i] - probe.at[i]) / units.length : -infinite;
        place.high[i] = bounded ? (probe.within->to[i] - probe.at[i]) / units.length : infinite;
    }
}

void set_normal(const Probe& probe, ProbePlace& place)
{
    double largest = 0;
    for (const double component : probe.normal) largest = std::max(largest, std::abs(component));
    double square = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        place.normal[i] = probe.normal[i] / largest;
        square += place.normal[i] * place.normal[i];
    }
    for (double& component : place.normal) component /= std::sqrt(square);
}

}  // namespace

std::vector<ProbePlace> place_probes(const Case& c, const Units& units)
{
    const std::array<std::int32_t, 3> period = period_cells(c);
    std::vector<ProbePlace> places;
    for (std::size_t k = 0; k < c.probes.size(); ++k) {
        const Probe& probe = c.probes[k];
        const bool force = probe.measures == Probe::Measure::force;
        ProbePlace place{.probe = static_cast<int>(k), .measures = probe.measures};
        const std::string key = fmt::format("probes.{}.{}", probe.name, force ? "about" : "at");
        place.at =
            cell_position(c, units, force ? probe.about : probe.at, fmt::format("{}: {}", place_of(c, key), key));
        place.at = within_period(place.at, c.origin.cells, period);
        for (std::size_t m = 0; m < c.motions.size(); ++m) {
            if (c.motions[m].name == probe.attached && c.motions[m].frame == MotionFrame::laboratory)
                place.motion = static_cast<int>(m);
        }
        set_box(c, units, probe, place);
        if (probe.measures == Probe::Measure::flow) {
            set_normal(probe, place);
            // The plane lies at one place along such an axis, which is in the box.
            for (std::size_t i = 0; i < 3; ++i) {
                if (std::abs(place.normal[i]) != 1) continue;
                place.low[i] = -infinite;
                place.high[i] = infinite;
            }
        }
        if (probe.measures == Probe::Measure::level) {
            const auto acts = [](double component) { return component != 0; };
            place.axis = static_cast<int>(std::find_if(c.gravity.begin(), c.gravity.end(), acts) - c.gravity.begin());
            if (probe.within) place.share = share_in_box(c, units, period, place);
        }
        if (!force) {
            places.push_back(place);
            continue;
        }
        for (std::size_t shape = 0; shape < c.shapes.size(); ++shape) {
            place.body = static_cast<std::int32_t>(shape);
            if (c.shapes[shape].kind == Kind::wall && has_body(probe.bodies, c.shapes[shape].name))
                places.push_back(place);
        }
    }
    return places;
}

}  // namespace halfulp
