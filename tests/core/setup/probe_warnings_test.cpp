// Probes that would read nothing, or something else: what is said of them.
#include <string>
#include <utility>
#include <vector>

#include "said_of_cases.hpp"

namespace halfulp {
namespace {

Probe pressure_at(std::array<double, 3> at)
{
    return {.name = "P",
            .measures = Probe::Measure::pressure,
            .at = at,
            .normal = {},
            .bodies = {},
            .about = {},
            .attached = {},
            .within = {}};
}

TEST(CaseWarnings, ProbesThatReadNothing)
{
    Case c = tank_with({water(0.5)});
    const auto at = [&](double x, double y) -> const Case& {
        c.probes = {pressure_at({x, y, 0})};
        return c;
    };
    for (const auto& [x, y] : {std::pair(1.0, 0.2), {0.0, 0.2}, {2.0, 0.2}, {1.0, 0.0}, {1.0, 0.9}, {2.0, 1.0}})
        EXPECT_EQ(said(at(x, y)), "") << x << " " << y << ": in the tank or on its walls";
    EXPECT_TRUE(says(at(2.15, 0.2), "probes.P.at = (2.15, 0.2) m lies inside the wall \"tank\", and reads the edge"));
    EXPECT_EQ(
        refused(at(2.6, 0.2)),
        "hand.toml: probes.P.at = (2.6, 0.2) m lies where no fluid can come, farther than the kernel's support of "
        "0.4 m from all that fluid can reach, and would read zeros; move it to where the fluid is, or onto a "
        "wall's face.");
    c.shapes.push_back(box("block", Kind::wall, {0.4, 0, 0}, {1.6, 1, 0}));
    c.shapes[1].to[0] = 0.4;
    EXPECT_NE(refused(at(1, 0.5)).find("lies inside the wall \"block\", farther than"), std::string::npos);
}

// Where water may splash to, and where nothing keeps it.
TEST(CaseWarnings, ProbesOutsideOfAnOpenTank)
{
    Case c = tank_with({water(0.5)});
    const std::vector<Shape> walls = open_tank();
    c.shapes.erase(c.shapes.begin());
    c.shapes.insert(c.shapes.begin(), walls.begin(), walls.end());
    EXPECT_EQ(said(c), "") << "walls of four layers with nothing but air behind them";
    for (const auto& [x, y] : {std::pair(1.0, 0.8), {1.0, 3.0}, {0.0, 1.2}}) {
        c.probes = {pressure_at({x, y, 0})};
        EXPECT_EQ(said(c), "") << x << " " << y;
    }
    for (const auto& [x, y] : {std::pair(1.0, -0.8), {-1.0, 0.5}, {30.0, 0.5}}) {
        c.probes = {pressure_at({x, y, 0})};
        EXPECT_TRUE(says(c, "lies outside of the case")) << x << " " << y;
    }
}

TEST(CaseWarnings, GaugesThatReadNothing)
{
    Case c = tank_with({water(0.5)});
    c.probes = {pressure_at({2, 0, 0})};
    c.probes[0].measures = Probe::Measure::level;
    c.probes[0].within = Box{{0, 0, 0}, {2, 1, 0}};
    EXPECT_EQ(said(c), "") << "on the wall, at any height";
    c.probes[0].within = {};
    c.probes[0].at = {1, -7, 0};
    EXPECT_EQ(said(c), "");
    c.probes[0].at = {2.3, 0.2, 0};
    EXPECT_TRUE(says(c, "the gauge probes.P stands at probes.P.at = (2.3, 0.2) m, where no fluid can come"));
    c.probes[0].at = {9, 0.2, 0};
    EXPECT_TRUE(says(c, "where no fluid can come at any height"));
}

// The support is 0.4 m.
TEST(CaseWarnings, GaugesThatTakeAWallForAir)
{
    Case c = tank_with({water(0.5)});
    const auto at = [&](double x, double z = 0) -> const Case& {
        c.probes = {pressure_at({x, 0, z})};
        c.probes[0].measures = Probe::Measure::level;
        return c;
    };
    EXPECT_TRUE(says(at(0.25),
                     "the gauge probes.P at (0.25, 0) m is 0.25 m from a wall, which within the kernel's support "
                     "of 0.4 m counts as air, so that it reads less than the level; give probes.P.within, the "
                     "inside of the tank"));
    for (const double x : {0.0, 0.39, 1.61, 2.0}) EXPECT_TRUE(says(at(x), "counts as air")) << x;
    for (const double x : {0.4, 1.0, 1.6}) EXPECT_EQ(said(at(x)), "") << x;
    c.shapes.push_back(box("step", Kind::wall, {1, 0, 0}, {1.7, 0.4, 0}));
    c.shapes[1].without = {"step"};
    EXPECT_EQ(said(at(0.9)), "") << "lower than half of the tank";
    c.shapes[2].to[1] = 0.6;
    EXPECT_TRUE(says(at(0.9), "is 0.1 m from a wall"));

    c = tank_with({box("water", Kind::fluid, {0, 0, 0}, {2, 1, 0.5})}, 3);
    EXPECT_EQ(said([&]() -> const Case& {
                  at(1);
                  c.probes[0].at[1] = 0.5;
                  return c;
              }()),
              "");
    c.probes[0].at = {1.8, 0.7, 0};
    EXPECT_TRUE(says(c, "is 0.2 m from a wall"));
}

TEST(CaseWarnings, ProbesThatGoAlongWithAWall)
{
    Case c = tank_with({box("block", Kind::wall, {0.8, 0.1, 0}, {1.9, 0.9, 0}), water(0.5, 0.5)});
    c.motions = {along(sine_of(0.01, 1), {"block"})};
    c.probes = {pressure_at({1.35, 0.5, 0})};
    const char* const stays =
        "probes.P.at = (1.35, 0.5) m stays inside the wall \"block\" however the motion \"push\" moves "
        "that, and reads the edge of the fluid beside it at most; move it onto the wall's face, "
        "with probes.P.attached = \"push\" if it is to go along";
    EXPECT_TRUE(says(c, stays));
    c.probes[0].measures = Probe::Measure::velocity;
    EXPECT_TRUE(says(c, stays));
    c.probes[0].measures = Probe::Measure::pressure;
    c.motions = {along(steadily(0.75), {"block"})};
    EXPECT_EQ(said(c), "") << "it stays where it is when the block is away";
    c.motions = {along(sine_of(0.01, 1), {"block"})};
    c.probes[0].attached = "push";
    EXPECT_NE(refused(c).find("inside the wall \"block\""), std::string::npos);
    c.probes[0].at = {0.8, 0.5, 0};
    EXPECT_EQ(said(c), "") << "on its face";
    c.probes[0].attached = "";
    EXPECT_TRUE(
        says(c,
             "probes.P.at = (0.8, 0.5) m lies on the wall \"block\" and stays where it is when the motion \"push\" "
             "moves that; let it go along with probes.P.attached = \"push\""));
    // By a velocity of its own, unless it slides along its face.
    const std::vector<Motion> motions = std::exchange(c.motions, {});
    Shape& block = c.shapes[1];
    ASSERT_EQ(block.name, "block");
    block.velocity = {0.0, 0.01, 0.0};
    EXPECT_EQ(said(c).find("lies on the wall"), std::string::npos) << said(c);
    block.velocity = {0.01, 0.0, 0.0};
    EXPECT_NE(said(c).find("probes.P.at = (0.8, 0.5) m lies on the wall \"block\" and stays where it is when "
                           "shapes.block.velocity moves that; give the wall a motion"),
              std::string::npos)
        << said(c);
    block.velocity = {};
    c.motions = motions;
    c.probes[0].at = {0, 0.3, 0};
    EXPECT_EQ(said(c), "") << "on the tank, which rests";
    c.motions[0].bodies = {};
    EXPECT_TRUE(says(c, "lies on the wall \"tank\" and stays where it is"));
    c.motions[0].frame = MotionFrame::moving;
    EXPECT_EQ(said(c), "") << "the case moves with it";
}

TEST(CaseWarnings, ProbesWithoutASampleButThatOfTheStart)
{
    Case c = tank_with({water(0.5)});
    c.probes = {pressure_at({0, 0.3, 0})};
    c.probes[0].interval = c.time.end;
    EXPECT_EQ(said(c), "");
    c.probes[0].interval = 1.5 * c.time.end;
    EXPECT_NE(said(c).find("so that the probe may have the sample of the start alone; lower it to"), std::string::npos)
        << said(c);
}
}  // namespace
}  // namespace halfulp
