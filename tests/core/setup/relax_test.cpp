// Relaxed fills: how even they are, measured by the kernel's sum over the particles against its integral over the disc.
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string>
#include <vector>

#include "case_text.hpp"
#include "core/setup/fill.hpp"
#include "core/setup/problem.hpp"
#include "hand_made.hpp"
#include "kernels/smoothing.hpp"
#include "stl.hpp"

namespace halfulp {
namespace {

Shape relaxed(Shape s)
{
    s.fill = "relaxed";
    return s;
}

constexpr double smoothing = 2;  // spacings, the default of a case
constexpr double support = WendlandC2::support * smoothing;

double kernel(double r)
{
    return WendlandC2::normalisation(2) / (smoothing * smoothing) * WendlandC2::shape(r / smoothing);
}

// The integral of W over a disc of the radius, at a distance from its middle; by the midpoint rule on 160 x 160 points,
// whose error is below 1e-3 by the width of the cells at the disc's edge.
double integral_over_disc(double radius, double distance)
{
    constexpr int n = 160;
    constexpr double side = 2 * support / n;
    double sum = 0;
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < n; ++j) {
            const double x = -support + (i + 0.5) * side;
            const double y = -support + (j + 0.5) * side;
            if (std::hypot(distance + x, y) < radius) sum += kernel(std::hypot(x, y)) * side * side;
        }
    }
    return sum;
}

struct Unevenness {
    double near_boundary = 0;  // rms of sum V W less the integral, over particles within a support of the boundary
    double inside = 0;         // rms of sum V W less 1, over all others
    double outline = 0;        // rms of the outermost particles' radii in 72 sectors about their mean, spacings
    double nearest = 1e300;    // least distance of two particles, spacings
};

// Of a disc of the radius around `centre`, both in spacings.
Unevenness measure(const PlacedParticles& placed, const std::array<double, 2>& centre, double radius)
{
    const std::vector<PlacedParticle> particles(placed.begin(), placed.end());
    constexpr int entries = 100;
    std::vector<double> integral;
    const auto entry = [&](double distance) { return (distance - radius + support) / (support + 1) * entries; };
    for (int i = 0; i <= entries; ++i)
        integral.push_back(integral_over_disc(radius, radius - support + (support + 1) * i / entries));

    Unevenness u;
    double within = 0;
    std::array<double, 72> outermost{};
    for (const auto& p : particles) {
        double sum = 0;
        for (const auto& q : particles) {
            const double r = std::hypot(p.position[0] - q.position[0], p.position[1] - q.position[1]);
            if (r < support) sum += kernel(r);
            if (&p != &q) u.nearest = std::min(u.nearest, r);
        }
        const double x = p.position[0] - centre[0];
        const double y = p.position[1] - centre[1];
        const double distance = std::hypot(x, y);
        if (distance < radius - support) {
            u.inside += (sum - 1) * (sum - 1);
            ++within;
        } else {
            const double at = std::min(entry(distance), entries - 1e-9);
            const auto i = static_cast<std::size_t>(at);
            const double expected = integral[i] + (at - static_cast<double>(i)) * (integral[i + 1] - integral[i]);
            u.near_boundary += (sum - expected) * (sum - expected);
        }
        const double turn = (std::atan2(y, x) / std::numbers::pi + 1) / 2;
        double& most = outermost[std::min<std::size_t>(static_cast<std::size_t>(turn * 72), 71)];
        most = std::max(most, distance);
    }
    u.inside = std::sqrt(u.inside / within);
    u.near_boundary = std::sqrt(u.near_boundary / (static_cast<double>(particles.size()) - within));
    double mean = 0;
    for (const double r : outermost) mean += r / 72;
    for (const double r : outermost) u.outline += (r - mean) * (r - mean) / 72;
    u.outline = std::sqrt(u.outline);
    return u;
}

// Measured for radii of 20, 50 and 100 spacings: 0.026 near the boundary of a lattice, 0.007 to 0.008 relaxed; outlines
// 0.23, 0.15 and 0.09 spacings against 0.05, 0.03 and 0.03.
TEST(Relax, FollowsACircleMoreEvenlyThanTheLattice)
{
    for (const double radius : {20.0, 50.0}) {
        const Shape drop = circle("drop", Kind::fluid, {0.3, 0.1, 0}, radius);
        const Unevenness before = measure(arrange(case_of(2, 1, {drop})).particles, {0.3, 0.1}, radius);
        const Unevenness after = measure(arrange(case_of(2, 1, {relaxed(drop)})).particles, {0.3, 0.1}, radius);
        EXPECT_LT(after.near_boundary, before.near_boundary / 2.5) << radius;
        EXPECT_LT(after.near_boundary, 0.01) << radius;
        EXPECT_LT(after.outline, before.outline / 3) << radius;
        // No worse inside than the lattice itself, whose sum is 1.2e-3 off.
        EXPECT_LT(after.inside, before.inside) << radius;
        EXPECT_GT(after.nearest, 0.85) << radius;
    }
}

TEST(Relax, HasTheMassOfTheShape)
{
    for (const double radius : {3.3, 7.77, 20.0, 31.4}) {
        const Arrangement a = arrange(case_of(2, 1, {relaxed(circle("drop", Kind::fluid, {0.3, 0.1, 0}, radius))}));
        ASSERT_EQ(a.volumes.size(), 1U);
        EXPECT_EQ(a.volumes[0].particles, a.fluid);
        EXPECT_DOUBLE_EQ(a.volumes[0].volume, std::numbers::pi * radius * radius);
        EXPECT_LE(std::abs(static_cast<double>(a.fluid) - a.volumes[0].volume), 0.5);
    }
    const Arrangement ball = arrange(case_of(3, 0.1, {relaxed(sphere("drop", Kind::fluid, {0, 0, 0}, 0.61))}));
    EXPECT_EQ(ball.fluid, static_cast<std::uint64_t>(std::lround(4 * std::numbers::pi / 3 * 6.1 * 6.1 * 6.1)));
    // Two cubes of a mesh that overlap by half: their union, not their sum.
    StlBody crossed = stl_box({0, 0, 0}, {8, 8, 8});
    for (const StlTriangle& t : stl_box({4, 0, 0}, {12, 8, 8})) crossed.push_back(t);
    const StlFile file(binary_stl(crossed));
    EXPECT_EQ(arrange(case_of(3, 1, {relaxed(mesh("part", Kind::fluid, file.path()))})).fluid, 12U * 8U * 8U);
    // Of what is cut the volume is that of the finer lattice, eight times in each direction: to its surface cells.
    const Arrangement ring = arrange(case_of(2, 1,
                                             {without(relaxed(circle("ring", Kind::fluid, {0, 0, 0}, 12)), {"core"}),
                                              circle("core", Kind::wall, {0, 0, 0}, 5)}));
    ASSERT_EQ(ring.volumes.size(), 2U);  // the core's of the lattice first
    EXPECT_NEAR(ring.volumes[1].volume, std::numbers::pi * (144 - 25), 2 * std::numbers::pi * 17 / 8);
    EXPECT_LE(std::abs(static_cast<double>(ring.fluid) - ring.volumes[1].volume), 0.5);
}

TEST(Relax, LeavesABoxOnTheLattice)
{
    Shape water = box("water", Kind::fluid, {-3, 0}, {9, 7});
    const Arrangement lattice = arrange(case_of(2, 1, {water}));
    const Arrangement after = arrange(case_of(2, 1, {relaxed(water)}));
    ASSERT_EQ(after.particles.size(), lattice.particles.size());
    for (std::size_t i = 0; i < after.particles.size(); ++i) {
        // The forces cancel but for their rounding.
        for (int k = 0; k < 2; ++k)
            EXPECT_NEAR(after.particles[i].position[k], lattice.particles[i].position[k], 1e-12);
    }
}

TEST(Relax, KeepsItsDistanceFromWalls)
{
    const Shape tank = hollow(circle("tank", Kind::wall, {0.2, -0.1, 0}, 15), 0);
    const Arrangement a = arrange(case_of(2, 1, {relaxed(circle("water", Kind::fluid, {0.2, -0.1, 0}, 15)), tank}));
    const std::vector<PlacedParticle> particles(a.particles.begin(), a.particles.end());
    double nearest = 1e300;
    for (const auto& p : particles) {
        if (p.kind != Kind::fluid) continue;
        for (const auto& q : particles) {
            if (&p == &q) continue;
            nearest = std::min(nearest, std::hypot(p.position[0] - q.position[0], p.position[1] - q.position[1]));
        }
    }
    EXPECT_GT(nearest, 0.8);
}

TEST(Relax, GivesTheSameBitsForAnyNumberOfThreads)
{
    const int threads = omp_get_max_threads();
    const Case plane = case_of(2, 1, {relaxed(circle("drop", Kind::fluid, {0.3, 0.1, 0}, 30))});
    const Case space = case_of(3, 1, {relaxed(sphere("drop", Kind::fluid, {0.3, 0.1, 0.2}, 9))});
    for (const Case& c : {plane, space}) {
        omp_set_num_threads(1);
        const Arrangement one = arrange(c);
        omp_set_num_threads(2);
        const Arrangement two = arrange(c);
        omp_set_num_threads(threads);
        ASSERT_GT(one.particles.size(), 2000U);
        ASSERT_EQ(one.particles.size(), two.particles.size());
        for (std::size_t i = 0; i < one.particles.size(); ++i)
            EXPECT_EQ(one.particles[i].position, two.particles[i].position);
    }
}

// The centre of a site is no centre of the finer lattice: a shape may have the one and none of the others.
TEST(Relax, LeavesAShapeBetweenTheFinerSitesOnTheLattice)
{
    const Arrangement plane = arrange(case_of(2, 1, {relaxed(circle("drop", Kind::fluid, {0.5, 0.5, 0}, 0.05))}));
    ASSERT_EQ(plane.particles.size(), 1U);
    EXPECT_EQ(plane.particles[0].position[0], 0.5);
    EXPECT_EQ(plane.particles[0].position[1], 0.5);
    EXPECT_EQ(arrange(case_of(3, 1, {relaxed(sphere("drop", Kind::fluid, {0.5, 0.5, 0.5}, 0.1))})).particles.size(),
              1U);
}

TEST(Relax, StartsARun)
{
    const std::string text =
        with(least_case, "box = { from = [0, 0], to = [1, 0.5] }",
             "circle = { centre = [0.03, 0.02], radius = 1 }\nfill = \"relaxed\"\nhydrostatic = true");
    const Problem problem = prepare(case_from(text));
    EXPECT_EQ(problem.fluid, 314U);
    ASSERT_EQ(problem.volumes.size(), 1U);
    EXPECT_EQ(problem.of_shape, std::vector<std::uint64_t>{314});
    for (const InitialParticle& p : problem.particles) {
        double squared = 0;
        for (int k = 0; k < 2; ++k) {
            const double x =
                (p.cell[k] + static_cast<double>(p.offset[k])) * problem.units.length - (k == 0 ? 0.03 : 0.02);
            squared += x * x;
        }
        EXPECT_LT(squared, 1);
        EXPECT_GE(p.density, 0);
    }
}

}  // namespace
}  // namespace halfulp
