// Walls too thin for the kernel: what is said of them.
#include <string>
#include <utility>
#include <vector>

#include "said_of_cases.hpp"

namespace halfulp {
namespace {

Case baffle_of(double thickness)
{
    return tank_with({box("baffle", Kind::wall, {1, 0, 0}, {1 + thickness, 0.8, 0}), water(0.5, 1)});
}

TEST(CaseWarnings, WallsThatMeetAtACornerOnly)
{
    const auto trough = [](double reach) {
        return std::vector<Shape>{box("floor", Kind::wall, {-reach, -0.4, 0}, {2, 0, 0}),
                                  box("left", Kind::wall, {-0.4, 0, 0}, {0, 1, 0}),
                                  box("right", Kind::wall, {2, -0.4, 0}, {2.4, 1, 0}), water(0.5)};
    };
    Case c = tank_with(trough(0));
    c.shapes.erase(c.shapes.begin());
    EXPECT_TRUE(
        says(c,
             "the walls \"floor\" and \"left\" meet only at a corner, at (0, 0) m: fluid runs out there, however "
             "thick they are; extend one of them over the end of the other"));
    c.shapes[0] = trough(0.4)[0];
    EXPECT_EQ(said(c), "");
    // Whether or not the tank is closed.
    c.shapes.push_back(box("lid", Kind::wall, {-0.4, 1, 0}, {2.4, 1.4, 0}));
    EXPECT_EQ(said(c), "");
    c.shapes[0] = trough(0)[0];
    EXPECT_TRUE(says(c, "the walls \"floor\" and \"left\" meet only at a corner"));
    // Blocks in the tank that touch each other so let nothing out.
    Case blocks = tank_with({box("a", Kind::wall, {0.5, 0, 0}, {1, 0.4, 0}),
                             box("b", Kind::wall, {1, 0.4, 0}, {1.5, 0.8, 0}), without(water(0.9), {"a", "b"})});
    EXPECT_EQ(said(blocks).find("meet only"), std::string::npos) << said(blocks);
    // Nor is the tip of a bed in the air a way out.
    Shape bed = box("bed", Kind::wall, {}, {});
    bed.form = Shape::Form::polygon;
    bed.points = {{0, 0}, {2, 0}, {4.03, 1}, {3, 0}, {2.6, -0.5}, {0, -0.5}};
    Case tip = tank_with({bed, water(0.5)});
    tip.shapes.erase(tip.shapes.begin());
    EXPECT_EQ(said(tip).find("meet only"), std::string::npos) << said(tip);

    Case solid = tank_with(
        {box("floor", Kind::wall, {0, 0, -0.4}, {1, 1, 0}), box("left", Kind::wall, {-0.4, 0, 0}, {0, 1, 1}),
         box("right", Kind::wall, {1, -0.4, -0.4}, {1.4, 1.4, 1}),
         box("front", Kind::wall, {-0.4, -0.4, -0.4}, {1, 0, 1}), box("back", Kind::wall, {-0.4, 1, -0.4}, {1, 1.4, 1}),
         box("water", Kind::fluid, {0, 0, 0}, {1, 1, 0.5})},
        3);
    solid.shapes.erase(solid.shapes.begin());
    EXPECT_NE(said(solid).find("the walls \"floor\" and \"left\" meet only at an edge, at (0, 0.05, 0) m"),
              std::string::npos)
        << said(solid);

    // Blocks on a whole floor that touch across the end of a period.
    Case across =
        tank_with({box("low", Kind::wall, {0, 0, 0}, {1, 0.4, 0}), box("high", Kind::wall, {3, 0.4, 0}, {4, 0.8, 0}),
                   without(water(0.9, 4), {"low", "high"})});
    across.shapes[0] = box("floor", Kind::wall, {0, -0.4, 0}, {4, 0, 0});
    across.period[0] = 4;
    across.numerics.skin = 1.0 / 9;
    EXPECT_EQ(said(across).find("meet only"), std::string::npos) << said(across);
}

TEST(CaseWarnings, WallsThinnerThanTheSupport)
{
    Case c = tank_with({water(0.5)});
    c.shapes[0].layers = 3;
    EXPECT_EQ(said(c), "") << "fluid half a spacing away reaches no farther";
    c.shapes[0].layers = 2;
    EXPECT_EQ(
        refused(c),
        "hand.toml: the wall \"tank\" is 2 spacings (0.2 m) thick where fluid can touch it, but the kernel's support "
        "of 4 spacings needs 3 there: fluid would come through; set shapes.tank.layers to 3 or more.");
    c.resolution.smoothing_ratio = 1.5;
    EXPECT_EQ(said(c), "");
    c.resolution.smoothing_ratio = 1.51;
    EXPECT_NE(refused(c).find("3.02 spacings needs 3"), std::string::npos);
}

// A body is as thick as its own walls are, whatever it starts beside.
TEST(CaseWarnings, BodiesThatMoveAreThickThemselves)
{
    Case c = tank_with(
        {box("piston", Kind::wall, {0, 0, 0}, {0.2, 1, 0}), box("water", Kind::fluid, {0.2, 0, 0}, {2, 0.5, 0})});
    EXPECT_EQ(said(c), "") << "at rest it is a part of the tank's wall";
    c.motions = {along(sine_of(0.01, 1), {"piston"})};
    EXPECT_NE(refused(c).find("the wall \"piston\" is 2 spacings (0.2 m) thick"), std::string::npos);
}

TEST(CaseWarnings, BafflesBetweenFluids)
{
    EXPECT_EQ(refused(baffle_of(0.1)),
              "hand.toml: the wall \"baffle\" is 1 spacing (0.1 m) thick between fluid on both of its sides, but the "
              "kernel's support of 4 spacings needs 4 there: fluid would come through; make it thicker, or lower "
              "resolution.spacing to 0.025 m.");
    EXPECT_NE(refused(baffle_of(0.3)).find("is 3 spacings"), std::string::npos) << "known to leak";
    EXPECT_TRUE(says(baffle_of(0.4),
                     "the wall \"baffle\" is 4 spacings (0.4 m) thick or less at a quarter of its faces, and "
                     "fluid can reach both of its sides"));
    EXPECT_TRUE(says(baffle_of(0.6), "below 7 spacings"));
    EXPECT_EQ(said(baffle_of(0.7)), "");
    Case dynamic = baffle_of(0.4);
    dynamic.numerics.walls = Walls::dynamic;
    EXPECT_EQ(said(dynamic).find("baffle"), std::string::npos) << "has a density of its own";
    Case whole = baffle_of(0.3);
    whole.shapes[1].to[1] = 1;
    EXPECT_EQ(said(whole), "") << "no water comes to its other side";
}

// Through walls as thick as a wide kernel's support water comes all the same; and a moving one is told.
TEST(CaseWarnings, WallsUnderAWideKernel)
{
    Case c = tank_with({box("square", Kind::wall, {4, 4, 0}, {5.4, 5.4, 0}),
                        without(box("water", Kind::fluid, {0, 0, 0}, {10, 9, 0}), {"square"})});
    c.shapes[0].to = {10, 10, 0};
    c.fluid.sound_speed = 133;
    c.resolution.smoothing_ratio = 4;
    EXPECT_NE(refused(c).find("\"square\" is 14 spacings (1.4 m) thick between fluid on both of its sides, but the "
                              "kernel's support of 8 spacings needs 15"),
              std::string::npos);
    c.shapes[1].to = {5.5, 5.5, 0};
    EXPECT_TRUE(says(c, "resolution.smoothing_ratio is 4: such a wide kernel"));
}

// Wedges are thin at their tips, round bodies at their flanks.
TEST(CaseWarnings, BodiesThatAreThinInPlacesOnly)
{
    EXPECT_EQ(said(tank_with({polygon("ramp", Kind::wall, {{0.8, 0}, {2, 0}, {2, 0.4}}), water(0.5, 0.5)})), "");
    Case round = tank_with({circle("pillar", Kind::wall, {1.3, 0.5, 0}, 0.35), water(0.5, 0.5)});
    EXPECT_TRUE(says(round, "the wall \"pillar\""));
    round = tank_with({circle("pillar", Kind::wall, {1.3, 0.5, 0}, 0.45), water(0.5, 0.5)});
    EXPECT_TRUE(says(round, "the wall \"pillar\"")) << "a quarter of its chords is shorter than 0.9 m sqrt(7)/4";
    round = tank_with({circle("pillar", Kind::wall, {1.3, 0, 0}, 0.5), water(0.5, 0.5)});
    EXPECT_EQ(said(round), "") << "ten spacings across";
}

// The faces of a rhombus or an octahedron are thin beside all of its edges.
TEST(CaseWarnings, CompactBodiesAreThickThoughTheirEdgesAreThin)
{
    const auto rhombus = [](double radius) {
        return polygon("rhombus", Kind::wall, {{1 - radius, 1}, {1, 1 - radius}, {1 + radius, 1}, {1, 1 + radius}});
    };
    const auto within = [](Shape body) {
        Case c = tank_with({without(box("water", Kind::fluid, {0, 0, 0}, {2, 2, 0}), {body.name}), body});
        c.shapes[0].to = {2, 3, 0};
        c.fluid.sound_speed = 60;
        return c;
    };
    // A quarter of their faces is thinner than a quarter of their width: that is told of the pressure.
    EXPECT_TRUE(says(within(rhombus(0.5)),
                     "the wall \"rhombus\" is 4 spacings (0.4 m) thick or less at a quarter of its faces"));
    EXPECT_TRUE(says(within(rhombus(0.9)),
                     "the wall \"rhombus\" is 5 spacings (0.5 m) thick or less at a quarter of its faces"));
    EXPECT_NE(refused(within(rhombus(0.15))).find("the wall \"rhombus\" is"), std::string::npos) << "three across";
    // Its corners have long rows of sites along both axes, too.
    Shape shell = tank_with({}).shapes[0];
    shell.name = "shell";
    shell.from = {0.8, 0.8, 0};
    shell.to = {1.4, 1.4, 0};
    shell.layers = 2;
    Case c = within(shell);
    c.shapes.push_back(box("inside", Kind::fluid, {0.8, 0.8, 0}, {1.4, 1.4, 0}));
    c.shapes[1].without.push_back("inside");
    EXPECT_NE(refused(c).find("\"shell\" is 2 spacings (0.2 m) thick between fluid on both"), std::string::npos);
    // As does a baffle across a narrow tank, by the walls beside.
    c = tank_with({box("baffle", Kind::wall, {1, 0, 0}, {1.2, 0.3, 0.8}), without(water(0.5), {"baffle"})}, 3);
    c.shapes[0].to[2] = 0.8;
    c.shapes[2].to[2] = 0.8;
    EXPECT_NE(refused(c).find("\"baffle\" is 2 spacings (0.2 m) thick between fluid on both"), std::string::npos);
}

// The tank of the others, closed; or open, of a floor and two sides with as many layers.
Case beside_tank(bool open, Shape more)
{
    Case c = tank_with({water(0.5, 1), std::move(more)});
    if (open) {
        c.shapes[0] = polygon("tank", Kind::wall,
                              {{-0.4, 1}, {-0.4, -0.4}, {2.4, -0.4}, {2.4, 1}, {2, 1}, {2, 0}, {0, 0}, {0, 1}});
    }
    return c;
}

TEST(CaseWarnings, WallsThatNoFluidComesTo)
{
    const auto block = [](double from, double height = 0) {
        return box("block", Kind::wall, {from, height, 0}, {from + 0.8, height + 0.8, 0});
    };
    for (const bool open : {false, true}) {
        EXPECT_TRUE(
            says(beside_tank(open, block(2.9)),
                 open ? "the wall \"block\" lies apart from all other shapes, where fluid comes only through the air"
                      : "the wall \"block\" lies outside of the closed tank, where no fluid comes"));
        EXPECT_EQ(said(beside_tank(open, block(1.2))), "") << "in the tank";
        EXPECT_EQ(said(beside_tank(open, block(2.4))).empty(), open) << "a step on the outside of its wall";
    }
    Case rained_on = beside_tank(false, block(2.9));
    rained_on.shapes.push_back(box("drop", Kind::fluid, {3.1, 2.2, 0}, {3.5, 2.6, 0}));
    EXPECT_EQ(said(rained_on).find("block"), std::string::npos) << "a drop falls on it";
    EXPECT_TRUE(says(beside_tank(true, block(-2)), "the wall \"block\" lies apart")) << "on the other side";
    EXPECT_EQ(said(beside_tank(true, block(0.2, 3))), "") << "above it, from where nothing comes, but things fall";
    const Shape ground = box("ground", Kind::wall, {-3, -1, 0}, {6, -0.4, 0});
    EXPECT_EQ(said(beside_tank(true, ground)).find("ground"), std::string::npos) << "beneath it";
    Case thrown = beside_tank(true, block(2.9));
    thrown.shapes[1].velocity[0] = Field(3.0);
    EXPECT_EQ(said(thrown).find("block"), std::string::npos) << "water may fly there";
    Case moved = beside_tank(true, block(2.9));
    moved.motions = {along(sine_of(1, 3), {"tank"})};
    EXPECT_EQ(said(moved).find("block"), std::string::npos) << "the tank may go there";
}
}  // namespace
}  // namespace halfulp
