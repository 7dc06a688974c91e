// Mirror images in every form of surface, against reflections by hand.
#include "core/setup/mirror_images.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "core/setup/units.hpp"
#include "hand_made.hpp"
#include "stl.hpp"

namespace halfulp {
namespace {

using Point = std::array<double, 3>;

// A wall's particle, and its image if it has one, m.
struct Mirrored {
    Point at{};
    std::optional<Point> image;
    std::int32_t shape = 0;
};

std::vector<Mirrored> mirrored(Case c)
{
    c.numerics.walls = Walls::modified_dynamic;
    const Arrangement a = arrange(c);
    EXPECT_EQ(a.mirror_images.size(), a.particles.size());
    std::vector<Mirrored> walls;
    for (std::size_t i = 0; i < a.particles.size(); ++i) {
        if (a.particles[i].kind != Kind::wall) {
            EXPECT_FALSE(a.mirror_images[i]);
            continue;
        }
        Mirrored one{.at = {}, .image = {}, .shape = a.particles[i].shape};
        for (std::size_t k = 0; k < static_cast<std::size_t>(c.dimensions); ++k)
            one.at[k] = a.particles[i].position[k] * c.resolution.spacing;
        if (a.mirror_images[i]) {
            one.image = one.at;
            for (std::size_t k = 0; k < 3; ++k) (*one.image)[k] += (*a.mirror_images[i])[k];
        }
        walls.push_back(one);
    }
    EXPECT_FALSE(walls.empty());
    return walls;
}

const Mirrored& particle_at(const std::vector<Mirrored>& walls, const Point& at)
{
    for (const Mirrored& one : walls) {
        if (std::hypot(one.at[0] - at[0], one.at[1] - at[1], one.at[2] - at[2]) < 1e-9) return one;
    }
    ADD_FAILURE() << "no wall at " << at[0] << ", " << at[1] << ", " << at[2];
    return walls.front();
}

void expect_at(const std::optional<Point>& image, const Point& expected)
{
    ASSERT_TRUE(image);
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR((*image)[k], expected[k], 1e-12);
}

// Fluid far away on either side, so that all that is near lies within the box around all shapes.
const Shape water_above = box("water", Kind::fluid, {2, 2, 2}, {2.2, 2.2, 2.2});
const Shape water_below = box("more-water", Kind::fluid, {-2.2, -2.2, -2.2}, {-2, -2, -2});

// Through the face where there is one opposite, through the corner outside of it.
TEST(MirrorImages, OfTanksLieInside)
{
    const Point low{0, 0, 0};
    const Point high{1, 0.6, 0.8};
    for (const int dimensions : {2, 3}) {
        const auto walls = mirrored(case_of(
            dimensions, 0.1,
            {hollow_box("tank", low, high, 2), box("water", Kind::fluid, low, {0.3, 0.3, dimensions == 3 ? 0.3 : 0})}));
        for (const Mirrored& one : walls) {
            Point expected = one.at;
            for (std::size_t k = 0; k < static_cast<std::size_t>(dimensions); ++k)
                expected[k] += 2 * (std::clamp(one.at[k], low[k], high[k]) - one.at[k]);
            expect_at(one.image, expected);
        }
    }
}

TEST(MirrorImages, InRoundSurfacesLieOnTheSameRadius)
{
    const Point centre{0.512, 0.497, 0.503};
    const double radius = 0.32;
    const auto check = [&](const std::vector<Mirrored>& walls, int dimensions) {
        int found = 0;
        for (const Mirrored& one : walls) {
            const auto from_centre = [&](const Point& p) {
                return std::hypot(p[0] - centre[0], p[1] - centre[1], dimensions == 3 ? p[2] - centre[2] : 0);
            };
            const double distance = from_centre(one.at);
            if (!one.image) {
                EXPECT_GT(std::abs(distance - radius), 0.15);  // deeper than the support
                continue;
            }
            ++found;
            const double factor = (2 * radius - distance) / distance;
            Point expected{};
            for (std::size_t k = 0; k < static_cast<std::size_t>(dimensions); ++k)
                expected[k] = centre[k] + factor * (one.at[k] - centre[k]);
            expect_at(one.image, expected);
        }
        EXPECT_GT(found, 20);
    };
    const Shape disc = circle("round", Kind::wall, {centre[0], centre[1], 0}, radius);
    const Shape ball_shape = sphere("round", Kind::wall, centre, radius);
    Case plane = case_of(2, 0.04, {disc, water_above, water_below});
    plane.resolution.smoothing_ratio = 2;
    check(mirrored(plane), 2);
    plane.shapes[0] = hollow(disc, 3);
    check(mirrored(plane), 2);
    Case space = case_of(3, 0.04, {ball_shape, water_above, water_below});
    space.resolution.smoothing_ratio = 2;
    check(mirrored(space), 3);
    space.shapes[0] = hollow(ball_shape, 3);
    check(mirrored(space), 3);
    // Cut out of a block.
    Shape hole = disc;
    hole.name = "hole";
    hole.kind.reset();
    plane.shapes = {hole, without(box("block", Kind::wall, {0.16, 0.16, 0}, {0.84, 0.84, 0}), {"hole"}), water_above,
                    water_below};
    for (const Mirrored& one : mirrored(plane)) {
        const double distance = std::hypot(one.at[0] - centre[0], one.at[1] - centre[1]);
        const double outer = 0.34 - std::max(std::abs(one.at[0] - 0.5), std::abs(one.at[1] - 0.5));
        ASSERT_TRUE(one.image || std::min(outer, distance - radius) > 0.15);
        if (!one.image || distance - radius > outer - 1e-9) continue;  // nearer to the outside
        EXPECT_NEAR(std::hypot((*one.image)[0] - centre[0], (*one.image)[1] - centre[1]), 2 * radius - distance, 1e-12);
    }
}

TEST(MirrorImages, InCylindersLieBeyondTheMantleOrAnEnd)
{
    const Point low{0.4, 0.4, 0.2};
    const Point high{0.4, 0.4, 1.0};
    Case c = case_of(3, 0.05, {cylinder("pile", Kind::wall, low, high, 0.21), water_above, water_below});
    c.resolution.smoothing_ratio = 2.2;
    for (const Mirrored& one : mirrored(c)) {
        const double radius = std::hypot(one.at[0] - 0.4, one.at[1] - 0.4);
        const double to_mantle = 0.21 - radius;
        const double to_end = std::min(one.at[2] - low[2], high[2] - one.at[2]);
        ASSERT_TRUE(one.image || std::min(to_mantle, to_end) > 0.2);
        if (!one.image || std::abs(to_mantle - to_end) < 1e-9) continue;
        const double image_radius = std::hypot((*one.image)[0] - 0.4, (*one.image)[1] - 0.4);
        if (to_mantle < to_end) {
            EXPECT_NEAR(image_radius, 0.21 + to_mantle, 1e-12);
            EXPECT_NEAR((*one.image)[2], one.at[2], 1e-12);
        } else {
            EXPECT_NEAR(image_radius, radius, 1e-12);
            EXPECT_NEAR(std::abs((*one.image)[2] - 0.6), 0.4 + to_end, 1e-12);
        }
    }
}

// A box as a polygon and as a mesh of triangles has the images that the box has.
TEST(MirrorImages, OfPolygonsAndMeshesAreThoseOfTheSameBox)
{
    const auto expect_same = [](const std::vector<Mirrored>& a, const std::vector<Mirrored>& b) {
        ASSERT_EQ(a.size(), b.size());
        for (std::size_t i = 0; i < a.size(); ++i) {
            ASSERT_EQ(a[i].image.has_value(), b[i].image.has_value());
            if (!a[i].image) continue;
            const auto distance = [&](const Mirrored& one) {
                return std::hypot((*one.image)[0] - one.at[0], (*one.image)[1] - one.at[1],
                                  (*one.image)[2] - one.at[2]);
            };
            EXPECT_NEAR(distance(a[i]), distance(b[i]), 1e-7);  // of faces at the same distance either
        }
    };
    expect_same(mirrored(case_of(2, 0.1, {box("wall", Kind::wall, {0, 0}, {0.7, 0.5}), water_above, water_below})),
                mirrored(case_of(2, 0.1,
                                 {polygon("wall", Kind::wall, {{0, 0}, {0.7, 0}, {0.7, 0.5}, {0, 0.5}}), water_above,
                                  water_below})));
    const StlFile file(binary_stl(stl_box({0, 0, 0}, {0.7, 0.5, 0.6})));
    expect_same(
        mirrored(case_of(3, 0.1, {box("wall", Kind::wall, {0, 0, 0}, {0.7, 0.5, 0.6}), water_above, water_below})),
        mirrored(case_of(3, 0.1, {mesh("wall", Kind::wall, file.path()), water_above, water_below})));
    // And of a basin that either is cut out of.
    const auto basin = [&](Shape cavity) {
        cavity.kind = std::nullopt;
        Shape around = box("wall", Kind::wall, {-0.4, -0.4, -0.4}, {1.1, 0.9, 0.6});
        around.without = {"cavity"};
        return mirrored(case_of(3, 0.1, {around, cavity, box("water", Kind::fluid, {0, 0, 0}, {0.7, 0.5, 0.3})}));
    };
    const auto of_box = basin(box("cavity", Kind::wall, {0, 0, 0}, {0.7, 0.5, 0.6}));
    expect_same(of_box, basin(mesh("cavity", Kind::wall, file.path())));
    EXPECT_TRUE(particle_at(of_box, {0.35, 0.25, -0.05}).image);
}

// Images never lie in a wall: of a floor under a block only those beside it have one, past its edge; of the block, none
// through the floor.
TEST(MirrorImages, AreNotInsideOfOtherWalls)
{
    Case c = case_of(2, 0.1,
                     {hollow_box("tank", {0, 0}, {2, 1}, 3), box("block", Kind::wall, {0.8, 0}, {1.6, 0.5}),
                      box("water", Kind::fluid, {0, 0}, {0.3, 0.3})});
    c.resolution.smoothing_ratio = 1.5;  // the support is 0.3
    const auto walls = mirrored(c);
    expect_at(particle_at(walls, {0.55, -0.15, 0}).image, {0.55, 0.15, 0});
    expect_at(particle_at(walls, {0.85, -0.05, 0}).image, {0.75, 0.05, 0});  // about the block's edge
    EXPECT_FALSE(particle_at(walls, {1.25, -0.05, 0}).image);
    expect_at(particle_at(walls, {0.95, 0.05, 0}).image, {0.65, 0.05, 0});
    EXPECT_FALSE(particle_at(walls, {1.25, 0.05, 0}).image);
    expect_at(particle_at(walls, {1.25, 0.45, 0}).image, {1.25, 0.55, 0});
    // Where the block moves it uncovers the floor, and its own lower face.
    Motion slide;
    slide.name = "slide";
    slide.bodies = {"block"};
    c.motions = {slide};
    const auto moving = mirrored(c);
    expect_at(particle_at(moving, {0.55, -0.15, 0}).image, {0.55, 0.15, 0});
    expect_at(particle_at(moving, {0.85, -0.05, 0}).image, {0.75, 0.05, 0});
    expect_at(particle_at(moving, {1.25, -0.05, 0}).image, {1.25, 0.05, 0});
    expect_at(particle_at(moving, {1.25, 0.05, 0}).image, {1.25, -0.05, 0});
    c.motions.front().bodies = {};
    EXPECT_FALSE(particle_at(mirrored(c), {1.25, -0.05, 0}).image) << "moves with the block";
    // A wall that goes on in the next period has no surface there.
    Case channel =
        case_of(2, 0.1, {box("floor", Kind::wall, {0, -0.3}, {2, 0}), box("water", Kind::fluid, {0, 0}, {2, 0.3})});
    channel.resolution.smoothing_ratio = 1.5;
    channel.period = {2, 0, 0};
    const auto floor = mirrored(channel);
    expect_at(particle_at(floor, {0.05, -0.15, 0}).image, {0.05, 0.15, 0});
    expect_at(particle_at(floor, {1.95, -0.05, 0}).image, {1.95, 0.05, 0});
}

}  // namespace
}  // namespace halfulp
