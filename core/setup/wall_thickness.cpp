#include "core/setup/wall_thickness.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_set>
#include <vector>

#include "core/setup/for_each_particle.hpp"
#include "core/setup/site_hash.hpp"
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

// The parts of a shape that are as thick as needed in every direction: balls of sites of that diameter.
class ThickParts {
public:
    ThickParts(const Problem& problem, const StartRegion& start, std::size_t first, std::size_t last,
               std::int64_t needed)
        : needed_(needed), solid_(problem.source.dimensions == 3)
    {
        // A body of so many sites whose edges decided would be thick everywhere else.
        constexpr std::size_t most = std::size_t{1} << 24U;
        if (last - first > most) return;
        Sites all;
        for (std::size_t k = first; k < last; ++k) all.insert(start.site(k));
        const std::vector<Site> ball = ball_of_sites();
        // One site of the ball, by which balls are looked for: the first site of the box around a ball need not belong
        // to it.
        const Site one = ball.front();
        for (const Site& site : all) {
            const Site corner{site[0] - one[0], site[1] - one[1], site[2] - one[2]};
            const auto is_held = [&](const Site& s) {
                return all.contains(Site{corner[0] + s[0], corner[1] + s[1], corner[2] + s[2]});
            };
            if (std::all_of(ball.begin(), ball.end(), is_held)) corners_.insert(corner);
        }
    }

    // Whether one of these balls is within needed_ sites of a place along each axis: the place is then at the edge of a
    // compact body, whose other side fluid reaches around it anyway.
    [[nodiscard]] bool any_near(const Site& place) const
    {
        if (corners_.empty()) return false;
        const std::int64_t first = 1 - 2 * needed_;
        for (std::int64_t z = solid_ ? first : 0; z <= (solid_ ? needed_ : 0); ++z) {
            for (std::int64_t y = first; y <= needed_; ++y) {
                for (std::int64_t x = first; x <= needed_; ++x) {
                    if (corners_.contains(Site{place[0] + x, place[1] + y, place[2] + z})) return true;
                }
            }
        }
        return false;
    }

private:
    using Sites = std::unordered_set<Site, SiteHash>;

    // From the lowest corner of the box around it.
    [[nodiscard]] std::vector<Site> ball_of_sites() const
    {
        std::vector<Site> ball;
        const auto squared = [&](std::int64_t k) { return (2 * k + 1 - needed_) * (2 * k + 1 - needed_); };
        for (std::int64_t z = 0; z < (solid_ ? needed_ : 1); ++z) {
            for (std::int64_t y = 0; y < needed_; ++y) {
                for (std::int64_t x = 0; x < needed_; ++x) {
                    if (squared(x) + squared(y) + (solid_ ? squared(z) : 0) <= needed_ * needed_)
                        ball.push_back({x, y, z});
                }
            }
        }
        return ball;
    }

    std::int64_t needed_;
    bool solid_;
    Sites corners_;  // lowest, of the boxes around them
};

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

namespace {

// The number of faces by thickness, for the wall particles first to last - 1: of all faces; and counting walls without
// fluid behind them as thick.
struct FacesOfShape {
    Faces any;
    Faces between;
};

// parts: if given, faces of thin edges near these count as thick as needed.
FacesOfShape faces_of(const Problem& problem, const StartRegion& start, std::size_t first, std::size_t last,
                      const ThickParts* parts)
{
    const std::int64_t most = layers_between_fluids(problem.source);
    const std::int64_t needed = least_layers_between_fluids(problem.source);
    FacesOfShape all{Faces(static_cast<std::size_t>(most) + 1), Faces(static_cast<std::size_t>(most) + 1)};
#pragma omp parallel if (last - first >= worth_threads)
    {
        FacesOfShape own{Faces(all.any.size()), Faces(all.any.size())};
#pragma omp for schedule(static)
        for (std::size_t particle = first; particle < last; ++particle) {
            const InitialParticle here = problem.particles.without_velocity(particle);
            if (here.kind != Kind::wall) continue;
            const FluidRegion& region = *start.region(here.motion);
            for (std::size_t axis = 0; axis < static_cast<std::size_t>(problem.source.dimensions); ++axis) {
                for (const std::int64_t outwards : {-1, 1}) {
                    Site beside = start.site(particle);
                    beside[axis] += outwards;
                    if (!start.may_be_wet(beside)) continue;
                    Depth depth = depth_from(start, region, start.site(particle), axis, -outwards, most);
                    if (parts != nullptr && depth.fluid_behind && depth.layers < needed &&
                        parts->any_near(start.site(particle)))
                        depth.layers = needed;
                    ++own.any[static_cast<std::size_t>(depth.layers)];
                    ++own.between[static_cast<std::size_t>(depth.fluid_behind ? depth.layers : most)];
                }
            }
        }
#pragma omp critical
        for (std::size_t layers = 0; layers < all.any.size(); ++layers) {
            all.any[layers] += own.any[layers];
            all.between[layers] += own.between[layers];
        }
    }
    return all;
}

}  // namespace

std::vector<WallThickness> wall_thicknesses(const Problem& problem, const StartRegion& start)
{
    const Case& c = problem.source;
    std::vector<WallThickness> thicknesses;
    std::size_t first = 0;
    for (std::size_t shape = 0; shape < c.shapes.size(); ++shape) {
        const std::size_t last = first + problem.of_shape[shape];
        FacesOfShape faces = faces_of(problem, start, first, last, nullptr);
        const bool touched = std::any_of(faces.any.begin(), faces.any.end(), [](std::uint64_t k) { return k > 0; });
        const std::int64_t needed = least_layers_between_fluids(c);
        if (touched && quartile(faces.between) < needed) {
            const ThickParts parts(problem, start, first, last, needed);
            faces = faces_of(problem, start, first, last, &parts);
        }
        first = last;
        if (touched) {
            thicknesses.push_back({.shape = static_cast<std::int32_t>(shape),
                                   .any = quartile(faces.any),
                                   .between = quartile(faces.between)});
        }
    }
    return thicknesses;
}

}  // namespace halfulp
