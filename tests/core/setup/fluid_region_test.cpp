// Where fluid can come without passing through a wall, against places by hand.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/setup/fluid_region.hpp"
#include "core/setup/problem.hpp"
#include "core/setup/start_region.hpp"
#include "hand_made.hpp"

namespace halfulp {
namespace {

// Spacing 0.1; x below is in spacings.
Problem problem_with(int dimensions, std::vector<Shape> shapes)
{
    Case c = case_of(dimensions, 0.1, std::move(shapes));
    c.gravity[static_cast<std::size_t>(dimensions - 1)] = -9.81;
    c.fluid.sound_speed = 20;
    c.time.end = c.output.interval = 1;
    return prepare(c);
}

std::vector<Shape> closed_tank(int layers)
{
    return {hollow_box("tank", {0, 0}, {1, 1}, layers), box("water", Kind::fluid, {0, 0}, {0.5, 0.5})};
}

TEST(FluidRegion, EndsOneSiteDeepInTheWallsOfAClosedTank)
{
    const auto regions = fluid_regions(problem_with(2, closed_tank(3)));
    ASSERT_EQ(regions.size(), 1U);
    const FluidRegion& region = regions.front();
    EXPECT_EQ(region.motion(), -1);
    EXPECT_TRUE(region.holds({0.01, 0.01, 0}));
    EXPECT_TRUE(region.holds({9.9, 9.9, 0})) << "where no fluid starts, but nothing is in the way";
    EXPECT_TRUE(region.holds({-0.99, 5, 0})) << "the outermost layer of the wall";
    EXPECT_TRUE(region.holds({10.99, 10.99, 0})) << "also in a corner";
    EXPECT_FALSE(region.holds({-1.01, 5, 0}));
    EXPECT_FALSE(region.holds({5, 11.01, 0}));
    EXPECT_FALSE(region.holds({5, 14, 0})) << "through the wall";
    EXPECT_FALSE(region.holds({-1000, 5, 0}));
    EXPECT_FALSE(region.holds({1e9, -1e9, 0}));
}

// A thin wall keeps fluid as well: what lies beyond is out of reach, whatever its thickness.
TEST(FluidRegion, EndsAtAWallOfOneLayer)
{
    const auto regions = fluid_regions(problem_with(2, closed_tank(1)));
    ASSERT_EQ(regions.size(), 1U);
    EXPECT_TRUE(regions.front().holds({5, -0.5, 0}));
    EXPECT_FALSE(regions.front().holds({5, -1.5, 0}));
}

TEST(FluidRegion, HasEverythingOutsideOfAnOpenTank)
{
    const auto regions = fluid_regions(
        problem_with(2, {box("floor", Kind::wall, {-0.4, -0.4}, {1.4, 0}), box("left", Kind::wall, {-0.4, 0}, {0, 1}),
                         box("right", Kind::wall, {1, 0}, {1.4, 1}), box("water", Kind::fluid, {0, 0}, {1, 0.5})}));
    ASSERT_EQ(regions.size(), 1U);
    const FluidRegion& region = regions.front();
    EXPECT_TRUE(region.holds({5, 300, 0})) << "a splash";
    EXPECT_TRUE(region.holds({20, -300, 0})) << "that has fallen past the tank";
    EXPECT_TRUE(region.holds({5, -4.5, 0})) << "it may have come there from outside";
    EXPECT_FALSE(region.holds({5, -2, 0})) << "but not into the middle of the floor";
}

// A compartment that no fluid starts in is out of reach, until its wall has a gap.
TEST(FluidRegion, GoesThroughGapsOnly)
{
    const auto tank_with = [](double top) {
        return problem_with(2, {hollow_box("tank", {0, 0}, {2, 1}, 3), box("middle", Kind::wall, {1, 0}, {1.3, top}),
                                box("water", Kind::fluid, {0, 0}, {1, 0.5})});
    };
    const std::array<double, 3> beyond{16, 1, 0};
    EXPECT_FALSE(fluid_regions(tank_with(1)).front().holds(beyond));
    EXPECT_TRUE(fluid_regions(tank_with(0.9)).front().holds(beyond));
}

TEST(FluidRegion, InThreeDimensions)
{
    const auto regions = fluid_regions(problem_with(
        3, {hollow_box("tank", {0, 0, 0}, {1, 1, 1}, 2), box("block", Kind::wall, {0.4, 0.4, 0}, {0.6, 0.6, 1}),
            box("water", Kind::fluid, {0, 0, 0}, {0.3, 1, 0.5})}));
    ASSERT_EQ(regions.size(), 1U);
    const FluidRegion& region = regions.front();
    EXPECT_TRUE(region.holds({8, 5, 5})) << "around the block";
    EXPECT_TRUE(region.holds({5, 5, 5})) << "the block is two sites wide: all of it is its outermost layer";
    EXPECT_FALSE(region.holds({5, 5, 12.5}));
    EXPECT_FALSE(region.holds({5, -3, 5}));
    EXPECT_FALSE(region.holds({-3, 5, 5}));
}

// A wall across a channel does not keep the fluid from its other side, which is the next image's.
TEST(FluidRegion, GoesOnAtTheOtherEndOfAPeriod)
{
    Case c = case_of(2, 0.1,
                     {box("floor", Kind::wall, {0, -0.4}, {2, 0}), box("ceiling", Kind::wall, {0, 1}, {2, 1.4}),
                      box("across", Kind::wall, {1, 0}, {1.4, 1}), box("water", Kind::fluid, {0, 0}, {1, 1})});
    c.fluid.sound_speed = 20;
    c.time.end = c.output.interval = 1;
    c.period = {2, 0, 0};
    c.numerics.skin = 0.25;
    const auto regions = fluid_regions(prepare(c));
    ASSERT_EQ(regions.size(), 1U);
    const FluidRegion& region = regions.front();
    EXPECT_TRUE(region.holds({17, 5, 0}));
    EXPECT_TRUE(region.holds({-3, 5, 0})) << "the same place";
    EXPECT_FALSE(region.holds({12, 5, 0})) << "in the wall";
    EXPECT_FALSE(region.holds({5, -2, 0}));
    EXPECT_FALSE(region.holds({5, -30, 0}));
    const Problem problem = prepare(c);
    const auto start = start_region(problem);
    ASSERT_TRUE(start);
    EXPECT_TRUE(start->near_fluid({10, 5, 0})) << "beside the water";
    EXPECT_TRUE(start->near_fluid({19, 5, 0})) << "beside the water's next image";
    EXPECT_TRUE(start->near_fluid({20, 5, 0}));
    EXPECT_FALSE(start->near_fluid({18, 5, 0}));
}

// Walls that move together are looked at by themselves, wherever the case's origin lies.
TEST(FluidRegion, OneForWallsThatMoveTogether)
{
    Problem problem =
        problem_with(2, {hollow_box("tank", {0, 0}, {1, 1}, 3), box("block", Kind::wall, {0.6, 0.1}, {0.9, 0.4}),
                         box("water", Kind::fluid, {0, 0}, {0.5, 0.5})});
    for (InitialParticle& particle : problem.particles.stored()) {
        particle.cell[0] += 1'000'000'000;
        if (particle.kind == Kind::wall && &particle - problem.particles.stored().data() >= 256 - 100)
            particle.motion = 0;
    }
    problem.source.origin.cells[0] = 1'000'000'000;
    const auto regions = fluid_regions(problem);
    ASSERT_EQ(regions.size(), 2U);
    EXPECT_EQ(regions[0].motion(), -1);
    EXPECT_TRUE(regions[0].holds({7.5, 2.5, 0})) << "only the tank is in the way";
    EXPECT_FALSE(regions[0].holds({7.5, -2.5, 0}));
    EXPECT_EQ(regions[1].motion(), 0);
    EXPECT_FALSE(regions[1].holds({7.5, 2.5, 0})) << "the middle of the block";
    EXPECT_TRUE(regions[1].holds({7.5, -2.5, 0})) << "only the block is in the way";
}

TEST(FluidRegion, NoneWithoutWalls)
{
    EXPECT_TRUE(fluid_regions(problem_with(2, {box("water", Kind::fluid, {0, 0}, {1, 1})})).empty());
}

}  // namespace
}  // namespace halfulp
