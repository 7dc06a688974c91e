// Walls and frames that move faster, or begin to move more suddenly, than a flow bears, against what was counted by
// hand.
#include <fstream>
#include <string>

#include "case_text.hpp"
#include "said_of_cases.hpp"

namespace halfulp {
namespace {

// 2 pi A/T, when the sine passes through zero; and a lever of 0.85 m sqrt(2) from the middle of 1 x 1 m to the
// outermost particles of walls of four layers, turned once a second.
TEST(MotionWarnings, WallsFastForTheirSound)
{
    Case c = tank_with({water(0.5)});
    c.gravity = {};  // which has a fall to expect
    c.motions = {along(sine_of(0.5, 1, 90), {})};
    EXPECT_TRUE(says(c, "motions.push moves walls at 3.142 m/s at t = 0.25 s, 0.157 of fluid.sound_speed = 20 m/s"));
    c.fluid.sound_speed = 31.5;
    EXPECT_EQ(said(c), "") << "a tenth";
    c.fluid.sound_speed = 3.15;
    EXPECT_TRUE(says(c, "0.997 of fluid.sound_speed"));
    c.fluid.sound_speed = 3.14;
    EXPECT_EQ(
        refused(c),
        "hand.toml: motions.push moves walls at 3.142 m/s at t = 0.25 s, 1 of fluid.sound_speed = 3.14 m/s, but no "
        "pressure can follow a wall that is as fast as sound; slow it down (are its units right?), or raise "
        "fluid.sound_speed to ten times the fastest flow; or, as all walls move as one, set motions.push.frame = "
        "\"moving\" (velocities at the start are then relative to the walls).");
    Case partly = c;
    partly.motions[0].bodies = {"tank"};
    partly.shapes.push_back(box("step", Kind::wall, {0.9, 0.6, 0}, {1.4, 1, 0}));
    EXPECT_EQ(refused(partly).find("frame"), std::string::npos) << "one stays";
    c.motions[0].frame = MotionFrame::moving;
    EXPECT_TRUE(says(c, "motions.push accelerates its frame by up to 19.7 m/s^2: the fluid's density varies by about"))
        << said(c);
    c.fluid.sound_speed = 62;
    EXPECT_EQ(said(c), "") << "at rest in the frame: only inertia is felt, 19.7 m/s^2 over 1.9 m";

    c.fluid.sound_speed = 20;
    EXPECT_TRUE(says(c, "accelerates its frame"));
    Case channel = c;
    channel.period = {2, 0, 0};
    channel.numerics.skin = 0.11111111;
    channel.shapes[0] = box("floor", Kind::wall, {0, -0.4, 0}, {2, 0, 0});
    channel.motions[0].translation->direction = {0, 1, 0};
    EXPECT_TRUE(says(channel, "accelerates its frame"));
    channel.motions[0].translation->direction = {1, 0, 0};
    EXPECT_FALSE(says(channel, "accelerates its frame")) << "along a period, where a uniform force raises no pressure";

    Case turning = tank_with({water(0.5, 1)});
    turning.shapes[0].to[0] = 1;
    turning.motions = {{.name = "roll", .bodies = {}, .rotation = {}, .translation = {}}};
    turning.motions[0].rotation = MotionRotation{.pivot = {0.5, 0.5, 0}, .angle = steadily(360)};
    EXPECT_TRUE(says(turning, "motions.roll moves walls at 7.553 m/s at t = 0 s"));

    Case sliding = tank_with({water(0.5)});
    sliding.shapes[0].velocity = {3.0, 4.0, 0.0};
    EXPECT_NE(said(sliding).find("shapes.tank.velocity moves walls at 5 m/s, 0.25 of fluid.sound_speed"),
              std::string::npos);
    EXPECT_NE(said(sliding).find("shapes.tank.velocity moves walls at 4 m/s from the first moment"), std::string::npos)
        << "into or off its faces";
}

TEST(MotionWarnings, FluidThatTurnsWithItsWalls)
{
    Case c = tank_with({water(1)});
    c.gravity = {};
    c.shapes[1].pressure = 100.0;
    c.motions = {{.name = "turn", .bodies = {}, .rotation = {}, .translation = {}}};
    c.motions[0].rotation = MotionRotation{.pivot = {1, 0.5, 0}, .angle = steadily(30)};
    const std::string sentence = "motions.turn turns all walls steadily, and in the frame of the laboratory";
    EXPECT_TRUE(says(c, sentence)) << "the corners take fluid with them, without viscosity, too";
    EXPECT_TRUE(says(c, "set motions.turn.frame = \"moving\" (velocities"));
    c.motions[0].bodies = {"tank"};
    EXPECT_TRUE(says(c, "set motions.turn.frame = \"moving\" and leave out its bodies (velocities"));
    c.motions[0].bodies = {};
    const auto nothing_of = [&](const auto& change) {
        Case changed = c;
        change(changed);
        EXPECT_EQ(said(changed).find(sentence), std::string::npos) << said(changed);
    };
    nothing_of([](Case& one) { one.motions[0].frame = MotionFrame::moving; });
    nothing_of([](Case& one) { one.gravity[1] = -9.81; });
    nothing_of([](Case& one) { one.motions[0].rotation->angle = sine_of(10, 4); });
    nothing_of([](Case& one) { one.motions[0].rotation->angle = steadily(0); });
    nothing_of([](Case& one) { one.motions[0].rotation->angle.steady.acceleration = 1; });
    nothing_of([](Case& one) { one.shapes[1].to[1] = 0.8; });
    nothing_of([](Case& one) {
        one.motions[0].translation = MotionTranslation{.direction = {1, 0, 0}, .distance = sine_of(0.1, 1)};
    });

    Case drum = tank_with({box("water", Kind::fluid, {0, 0, 0}, {2, 1, 1})}, 3);
    drum.shapes[1].pressure = 100.0;
    drum.motions = {{.name = "turn", .bodies = {}, .rotation = {}, .translation = {}}};
    drum.motions[0].rotation = MotionRotation{.pivot = {1, 0.5, 0}, .axis = {0.1, 0.2, 0.3}, .angle = steadily(30)};
    EXPECT_EQ(said(drum).find(sentence), std::string::npos) << "gravity is across the axis";
    drum.gravity = {-1, -2, -3};
    EXPECT_NE(said(drum).find(sentence), std::string::npos) << "gravity is along the axis";
}

// A (2 pi/T)^2 where a sine turns back; w^2 r at the farthest fluid of a tank that turns.
TEST(MotionWarnings, HydrostaticFluidInATankThatAccelerates)
{
    const std::string by_walls =
        "motions.push accelerates its walls by 1.97 m/s^2 from the first moment, which hydrostatic";
    const std::string by_frame =
        "motions.push accelerates its frame by 1.97 m/s^2 from the first moment, which hydrostatic";
    Case c = tank_with({water(0.5)});
    c.motions = {along(sine_of(0.05, 1, 90), {})};
    EXPECT_EQ(said(c), "") << "without the pressure at rest there is none to be wrong";
    c.shapes[1].hydrostatic = true;
    EXPECT_TRUE(says(c, by_walls)) << said(c);
    c.motions[0].frame = MotionFrame::moving;
    EXPECT_TRUE(says(c, by_frame)) << said(c);
    Case channel = c;
    channel.period = {2, 0, 0};
    channel.numerics.skin = 0.11111111;
    channel.shapes[0] = box("floor", Kind::wall, {0, -0.4, 0}, {2, 0, 0});
    EXPECT_EQ(said(channel), "") << "a uniform force along a period raises no pressure";
    channel.motions[0].translation->direction = {0, 1, 0};
    EXPECT_TRUE(says(channel, by_frame)) << said(channel);
    c.motions[0].translation->distance = sine_of(0.05, 1, 0);
    EXPECT_EQ(said(c), "") << "it starts where its acceleration is zero";
    c.motions[0].translation->distance = sine_of(0.005, 1, 90);
    EXPECT_EQ(said(c), "") << "g/50";

    Case turning = tank_with({water(0.5)});
    turning.shapes[1].hydrostatic = true;
    turning.motions = {{.name = "turn", .bodies = {}, .rotation = {}, .translation = {}}};
    turning.motions[0].rotation = MotionRotation{.pivot = {1, 0, 0}, .angle = steadily(60)};
    EXPECT_EQ(said(turning).find("hydrostatic"), std::string::npos) << "fluid at rest does not feel it";
    turning.motions[0].frame = MotionFrame::moving;
    // (pi/3)^2 hypot(0.95, 0.45)
    EXPECT_TRUE(says(turning, "motions.turn accelerates its frame by 1.15 m/s^2 from the first moment"))
        << said(turning);
}

// The spline through a straight line is that line.
TEST(MotionWarnings, WallsThatATableMakesFast)
{
    const CaseFile file("");
    std::ofstream(file.folder() / "push.csv") << "t_s,x\n0,0\n0.5,1.5\n1,3\n";
    Case c = tank_with({water(0.5)});
    c.path = file.path();
    Signal table;
    table.form = Signal::Form::table;
    table.table.file = "push.csv";
    table.table.column = "x";
    c.motions = {along(table, {})};
    const std::string all = said(c);
    EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 2) << all;
    EXPECT_NE(all.find("motions.push moves walls at 3 m/s at t = "), std::string::npos);
    EXPECT_NE(all.find("motions.push moves walls at 3 m/s from the first moment"), std::string::npos);
    c.motions[0].translation->distance.table.scale = 7;
    EXPECT_NE(refused(c).find("motions.push moves walls at 21 m/s"), std::string::npos);
}

}  // namespace
}  // namespace halfulp
