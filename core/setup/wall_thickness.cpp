#include "core/setup/wall_thickness.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/setup/for_each_particle.hpp"
#include "core/setup/units.hpp"

namespace halfulp {

namespace {

// Number of faces by thickness.
using Faces = std::vector<std::uint64_t>;

// Straight inwards from a face: the thickness of the wall, and whether fluid can be at its end.
struct Depth {
    std::int64_t layers = 0;
    bool fluid_behind = false;
};

// own: region of the walls that move with the one that has the face.
Depth depth_from(const StartRegion& start, const FluidRegion& own, Site site, std::size_t axis, std::int64_t inwards,
                 std::int64_t most)
{
    Depth depth;
    while (depth.layers < most && own.blocks(site)) {
        site[axis] += inwards;
        ++depth.layers;
    }
    depth.fluid_behind = depth.layers < most && start.may_be_wet(site);
    return depth;
}

// Whether the wall is as thick as needed, along the axis, within as many sites beside: then a place is at the edge of a
// body that is thick, and fluid comes to its other side around it anyway.
bool is_edge_of_thick(const FluidRegion& own, const Site& place, std::size_t axis, std::int64_t needed, int dimensions)
{
    const auto blocked_from = [&](Site site, std::int64_t step) {
        std::int64_t sites = 0;
        for (site[axis] += step; sites < needed && own.blocks(site); site[axis] += step) ++sites;
        return sites;
    };
    for (std::size_t beside = 0; beside < static_cast<std::size_t>(dimensions); ++beside) {
        if (beside == axis) continue;
        for (const std::int64_t step : {-1, 1}) {
            Site site = place;
            for (std::int64_t k = 0; k < needed; ++k) {
                site[beside] += step;
                if (!own.blocks(site)) break;
                if (1 + blocked_from(site, -1) + blocked_from(site, 1) >= needed) return true;
            }
        }
    }
    return false;
}

// The lower quartile.
std::int64_t quartile(const Faces& faces)
{
    std::uint64_t all = 0;
    for (const std::uint64_t count : faces) all += count;
    std::uint64_t thinner = 0;
    for (std::size_t layers = 0; layers < faces.size(); ++layers) {
        thinner += faces[layers];
        if (4 * thinner >= all) return static_cast<std::int64_t>(layers);
    }
    return 0;
}

constexpr double decimal_rounding = 1e-9;  // of decimal numbers

double support_in_spacings(const Case& c) { return support_radius(c) / c.resolution.spacing; }

}  // namespace

std::int64_t layers_for_support(const Case& c)
{
    return static_cast<std::int64_t>(std::ceil(support_in_spacings(c) - 1 - decimal_rounding));
}

std::int64_t layers_between_fluids(const Case& c)
{
    return static_cast<std::int64_t>(std::ceil(2 * support_in_spacings(c) - 1 - decimal_rounding));
}

std::int64_t least_layers_between_fluids(const Case& c)
{
    constexpr double widest = 4;  // spacings
    const double support = support_in_spacings(c);
    return support <= widest + decimal_rounding ? static_cast<std::int64_t>(std::ceil(support - decimal_rounding))
                                                : layers_between_fluids(c);
}

std::vector<WallThickness> wall_thicknesses(const Problem& problem, const StartRegion& start)
{
    const Case& c = problem.source;
    const std::int64_t most = layers_between_fluids(c);
    const std::int64_t needed = least_layers_between_fluids(c);
    std::vector<WallThickness> thicknesses;
    std::size_t first = 0;
    for (std::size_t shape = 0; shape < c.shapes.size(); ++shape) {
        Faces any(static_cast<std::size_t>(most) + 1);
        Faces between(any.size());
        const std::size_t last = first + problem.of_shape[shape];
#pragma omp parallel if (last - first >= worth_threads)
        {
            Faces own_any(any.size());
            Faces own_between(any.size());
#pragma omp for schedule(static)
            for (std::size_t particle = first; particle < last; ++particle) {
                const InitialParticle here = problem.particles.without_velocity(particle);
                if (here.kind != Kind::wall) continue;
                const FluidRegion& own = *start.region(here.motion);
                for (std::size_t axis = 0; axis < static_cast<std::size_t>(c.dimensions); ++axis) {
                    for (const std::int64_t outwards : {-1, 1}) {
                        Site beside = start.site(particle);
                        beside[axis] += outwards;
                        if (!start.may_be_wet(beside)) continue;
                        Depth depth = depth_from(start, own, start.site(particle), axis, -outwards, most);
                        if (depth.fluid_behind && depth.layers < needed) {
                            Site middle = start.site(particle);
                            middle[axis] -= outwards * (depth.layers / 2);
                            if (is_edge_of_thick(own, middle, axis, needed, c.dimensions)) depth.layers = needed;
                        }
                        ++own_any[static_cast<std::size_t>(depth.layers)];
                        ++own_between[static_cast<std::size_t>(depth.fluid_behind ? depth.layers : most)];
                    }
                }
            }
#pragma omp critical
            for (std::size_t layers = 0; layers < any.size(); ++layers) {
                any[layers] += own_any[layers];
                between[layers] += own_between[layers];
            }
        }
        first = last;
        if (std::any_of(any.begin(), any.end(), [](std::uint64_t faces) { return faces > 0; }))
            thicknesses.push_back(
                {.shape = static_cast<std::int32_t>(shape), .any = quartile(any), .between = quartile(between)});
    }
    return thicknesses;
}

}  // namespace halfulp
