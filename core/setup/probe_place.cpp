#include "core/setup/probe_place.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "kernels/smoothing.hpp"

namespace halfulp {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// The fraction of the horizontal kernel inside the box of a gauge, by the midpoint rule: to 1e-6.
double share_in_box(const Case& c, const Units& units, const ProbePlace& place)
{
    const double h = smoothing_length(c) / units.length;
    const double reach = support_radius(c) / units.length;
    const int horizontal = c.dimensions - 1;
    const int pieces = horizontal == 1 ? 4000 : 1000;
    double from[2] = {};
    double step[2] = {};
    double volume = 1;
    int k = 0;
    for (int axis = 0; axis < c.dimensions; ++axis) {
        if (axis == place.axis) continue;
        const auto i = static_cast<std::size_t>(axis);
        from[k] = std::max(place.low[i], -reach);
        step[k] = (std::min(place.high[i], reach) - from[k]) / pieces;
        volume *= step[k] / h;
        ++k;
    }
    double sum = 0;
    for (int row = 0; row < (horizontal == 2 ? pieces : 1); ++row) {
        const double y = horizontal == 2 ? from[1] + (row + 0.5) * step[1] : 0;
        for (int i = 0; i < pieces; ++i) {
            const double x = from[0] + (i + 0.5) * step[0];
            sum += shape_of(c.numerics.kernel, std::sqrt(x * x + y * y) / h);
        }
    }
    const double normalisation =
        with_kernel(c.numerics.kernel, [&](auto kernel) { return kernel.normalisation(horizontal); });
    return sum * volume * normalisation;
}

// Maps to the image within the period, like particles.
void wrap(const Case& c, const std::array<std::int32_t, 3>& period, CellPosition& at)
{
    for (std::size_t i = 0; i < 3; ++i) {
        if (period[i] == 0) continue;
        const std::int64_t cell = std::int64_t(at.cell[i]) - c.origin.cells[i];
        const std::int64_t within = (cell % period[i] + period[i]) % period[i];
        at.cell[i] = static_cast<std::int32_t>(c.origin.cells[i] + within);
    }
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

bool counts(const Probe& probe, const Shape& shape)
{
    if (shape.kind != Kind::wall) return false;
    return probe.bodies.empty() ||
           std::find(probe.bodies.begin(), probe.bodies.end(), shape.name) != probe.bodies.end();
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
        wrap(c, period, place.at);
        for (std::size_t m = 0; m < c.motions.size(); ++m) {
            if (c.motions[m].name == probe.attached && c.motions[m].frame == MotionFrame::laboratory)
                place.motion = static_cast<int>(m);
        }
        set_box(c, units, probe, place);
        if (probe.measures == Probe::Measure::flow) set_normal(probe, place);
        if (probe.measures == Probe::Measure::level) {
            const auto acts = [](double component) { return component != 0; };
            place.axis = static_cast<int>(std::find_if(c.gravity.begin(), c.gravity.end(), acts) - c.gravity.begin());
            if (probe.within) place.share = share_in_box(c, units, place);
        }
        if (!force) {
            places.push_back(place);
            continue;
        }
        for (std::size_t shape = 0; shape < c.shapes.size(); ++shape) {
            place.body = static_cast<std::int32_t>(shape);
            if (counts(probe, c.shapes[shape])) places.push_back(place);
        }
    }
    return places;
}

}  // namespace halfulp
