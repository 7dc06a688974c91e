// Warnings about the sound speed, the depth and the density of the fluid, gravity, and walls that start with a speed.
#include <string>

#include "said_of_cases.hpp"

namespace halfulp {
namespace {

TEST(CaseWarnings, DensitiesInOtherUnits)
{
    Case c = tank_with({water(0.5)});
    c.fluid.density = 1;
    EXPECT_TRUE(says(c, "fluid.density = 1 kg/m^3 is that of no liquid"));
    c.gravity[1] = -1;
    EXPECT_EQ(said(c), "") << "dimensionless";
    c.gravity[1] = -9.81;
    c.fluid.density = 600;
    EXPECT_EQ(said(c), "");
}

// 2 pi A/T = 0.0628 m/s; rho c0 u.
TEST(CaseWarnings, WallsThatStartWithASpeed)
{
    Case c = tank_with({water(0.5)});
    c.motions = {along(sine_of(0.01, 1, 0), {})};
    EXPECT_TRUE(says(c,
                     "motions.push moves walls at 0.0628 m/s from the first moment, but the fluid beside them "
                     "starts at rest: the blow changes its pressure by up to 1.26e+03 Pa"));
    c.motions[0].frame = MotionFrame::moving;
    EXPECT_EQ(said(c), "") << "where fluid at rest moves with the walls";
    c.motions = {along(sine_of(0.01, 1, 0), {})};
    c.motions[0].translation->distance.sine.smooth_start = 0.5;
    EXPECT_EQ(said(c), "");
    c.motions = {along(sine_of(0.01, 1, 90), {})};
    EXPECT_EQ(said(c), "");
    c.motions = {along(sine_of(0.01, 1, 0), {})};
    c.shapes[1].velocity[0] = 0.0628;
    EXPECT_EQ(said(c), "") << "it may be as fast as they are";
    c.shapes[1].velocity[0] = Field();
    c.motions = {along(steadily(0.1), {})};
    EXPECT_TRUE(says(c,
                     "motions.push moves walls at 0.1 m/s from the first moment, but the fluid beside them starts at "
                     "rest: the blow changes its pressure by up to 2e+03 Pa"))
        << "as steady ones do";

    // A wall's own velocity is such a motion; a drop elsewhere that moves changes nothing.
    Case own = tank_with({water(0.5)});
    own.shapes[0].velocity = {0.1, 0.0, 0.0};
    EXPECT_TRUE(says(own,
                     "shapes.tank.velocity moves walls at 0.1 m/s from the first moment, but the fluid beside them "
                     "starts at rest: the blow changes its pressure by up to 2e+03 Pa"));
    c.shapes.push_back(box("drop", Kind::fluid, {0.5, 0.8, 0}, {0.7, 0.9, 0}));
    c.shapes.back().velocity = {0.0, -0.1, 0.0};
    EXPECT_TRUE(says(c, "motions.push moves walls at 0.1 m/s from the first moment"));
    c.shapes[1].velocity = {0.1, 0.0, 0.0};
    EXPECT_EQ(said(c), "") << "the fluid at the walls moves";

    // At the end of a period, too, and where one fluid lies in the box around another.
    Case piston = tank_with(
        {box("piston", Kind::wall, {0, 0, 0}, {0.5, 1, 0}), box("water", Kind::fluid, {0.5, 0, 0}, {4, 0.5, 0})});
    piston.shapes[0] = box("floor", Kind::wall, {0, -0.4, 0}, {4, 0, 0});
    piston.period[0] = 4;
    piston.numerics.skin = 1.0 / 9;
    piston.shapes[1].velocity = {-0.1, 0.0, 0.0};
    piston.shapes.push_back(box("jet", Kind::fluid, {0.5, 0, 0}, {0.7, 0.5, 0}));
    piston.shapes.back().velocity = {-0.1, 0.0, 0.0};
    piston.shapes[2].without = {"jet"};
    EXPECT_NE(said(piston).find("shapes.piston.velocity moves walls at 0.1 m/s from the first moment"),
              std::string::npos)
        << "off the water behind";
    piston.shapes[2].to[0] = 3.5;
    EXPECT_EQ(said(piston).find("first moment"), std::string::npos) << said(piston);
}

// Where viscosity makes the pressures, sqrt(nu u / L) takes the place of the speed u.
TEST(CaseWarnings, SoundSpeedsOfSlowViscousFlow)
{
    Case c = tank_with({water(0.5)});
    c.gravity = {};
    c.shapes[1].velocity = {0.01, 0.0, 0.0};
    c.fluid.artificial_viscosity = 0;
    c.fluid.laminar_viscosity = LaminarViscosity::brookshaw;
    const auto with = [&](double viscosity, double sound_speed) -> const Case& {
        c.fluid.kinematic_viscosity = viscosity;
        c.fluid.sound_speed = sound_speed;
        return c;
    };
    EXPECT_TRUE(says(with(1e-6, 0.6), "60 times the 0.01 m/s to expect (the fastest fluid at the start)"));
    EXPECT_TRUE(
        says(with(0.05, 0.12),
             "fluid.sound_speed = 0.12 m/s is 3.79 times the 0.0316 m/s to expect (what viscous stresses at 0.01 m/s "
             "across 0.5 m ask for, sqrt(nu u / L)), but ten times is usual; density would vary by some 7 % and the "
             "run may break down: raise it to about 0.316 m/s"));
    // Narrower gaps than the depth may need more, down to h = 0.2 m.
    for (const double right : {0.13, 0.316, 2.4}) EXPECT_EQ(said(with(0.05, right)), "") << right;
    EXPECT_TRUE(says(with(0.05, 2.6),
                     "steps are as much shorter and rounding errors of pressure larger than they need be: unless sound "
                     "itself is meant, lower it to about 0.5 m/s"));
    EXPECT_NE(said(with(100, 113)).find("usual; it makes rounding errors of pressure larger than they need be"),
              std::string::npos)
        << "viscosity bounds the steps: " << said(c);
    // Walls may be what moves; a period is no width.
    c.shapes[1].velocity = {};
    c.motions = {along(steadily(0.01), {"tank"})};
    EXPECT_NE(said(with(0.05, 0.12)).find("what viscous stresses at 0.01 m/s across 0.5 m ask for"), std::string::npos)
        << said(c);
    Case jet = tank_with({box("jet", Kind::fluid, {0, 0, 0}, {6, 4, 0})});
    jet.shapes.erase(jet.shapes.begin());
    jet.period[1] = 4;
    jet.numerics.skin = 1.0 / 9;
    jet.shapes[0].velocity = {0.01, 0.0, 0.0};
    jet.gravity = c.gravity;
    jet.fluid = with(0.5, 0.1).fluid;
    EXPECT_NE(said(jet).find("what viscous stresses at 0.01 m/s across 6 m ask for"), std::string::npos) << said(jet);
}

TEST(CaseWarnings, GravityWithoutAWall)
{
    Case c = tank_with({water(0.5)});
    c.shapes.erase(c.shapes.begin());
    EXPECT_TRUE(says(c,
                     "gravity acts, but the case has no wall, so that all of its fluid falls freely; set gravity = "
                     "[0, 0], or give it a wall beneath"));
    c.central_force = CentralForce{.rate = 1, .centre = {}};
    EXPECT_EQ(said(c), "") << "that holds it";
}

// A fall of 0.5 m is sqrt(2 9.81 0.5) m/s = 3.13 m/s.
TEST(CaseWarnings, SoundSpeedsFarFromTenTimesTheFlow)
{
    Case c = tank_with({water(0.5)});
    const auto at = [&](double sound_speed) -> const Case& {
        c.fluid.sound_speed = sound_speed;
        return c;
    };
    for (const double right : {12.6, 20.0, 31.3, 156.0}) EXPECT_EQ(said(at(right)), "") << right;
    EXPECT_TRUE(says(at(3),
                     "fluid.sound_speed = 3 m/s is 0.958 times the 3.13 m/s to expect (a fall from the fluid's top "
                     "to its bottom), but ten times is usual; density would vary by some 109 % and the run may "
                     "break down: raise it to about 31.3 m/s"));
    EXPECT_TRUE(says(at(12.5), "raise it to about 31.3 m/s"));
    EXPECT_TRUE(says(at(157), "lower it to about 31.3 m/s"));
    EXPECT_TRUE(says(at(1500), "fluid.sound_speed = 1500 m/s is 479 times the 3.13 m/s to expect"));
    c.gravity = {4.905, 0, 0};  // 2 m along it
    EXPECT_TRUE(says(at(3), "the 4.43 m/s to expect"));
    c.gravity = {};
    EXPECT_EQ(said(at(1500)), "") << "nothing moves";
    c.shapes[1].velocity = {3.0, -4.0, 0.0};
    EXPECT_TRUE(says(at(19), "the 5 m/s to expect (the fastest fluid at the start)"));
    EXPECT_TRUE(says(at(21), "density would vary by some 6 %: raise it to about 50 m/s")) << "a run would warn at once";
    EXPECT_EQ(said(at(50)), "");
    c.shapes[1].velocity = {};
    c.motions = {along(steadily(2), {"tank"})};
    EXPECT_EQ(said(at(99)).find("the 2 m/s to expect"), std::string::npos);
    EXPECT_NE(said(at(101)).find("the 2 m/s to expect (the fastest wall)"), std::string::npos);
    EXPECT_NE(said(at(101)).find("lower it to about 20 m/s or, where it strikes a free surface, ten times the speed "),
              std::string::npos);

    // In a room that is full sound has to cross it ten times in a period.
    Case shaken = tank_with({without(water(1), {"rod"}), box("rod", Kind::wall, {0.5, 0.2, 0}, {1.2, 0.9, 0})});
    shaken.gravity = {};
    shaken.shapes[1].pressure = 100.0;
    shaken.motions = {along(sine_of(0.01, 1), {"rod"})};
    shaken.fluid.sound_speed = 90;  // 0.063 m/s; 1.9 m between the outermost particles in 1 s
    EXPECT_EQ(said(shaken), "");
    shaken.fluid.sound_speed = 100;
    EXPECT_TRUE(says(shaken, "52.6 times the 1.9 m/s to expect (the fluid's length in a period of a motion)"));
    Case viscous = shaken;
    viscous.fluid.laminar_viscosity = LaminarViscosity::brookshaw;
    viscous.fluid.artificial_viscosity = 0;
    viscous.fluid.kinematic_viscosity = 50;
    viscous.fluid.sound_speed = 6;
    EXPECT_NE(said(viscous).find("what viscous stresses at 0.0628 m/s across 1 m ask for"), std::string::npos)
        << "which may be less than that length: " << said(viscous);
    viscous.fluid.sound_speed = 8;
    EXPECT_EQ(said(viscous).find("to expect"), std::string::npos) << said(viscous);

    shaken.shapes[1].velocity = {2.0, 0.0, 0.0};
    shaken.fluid.sound_speed = 15;
    EXPECT_TRUE(says(shaken, "density would vary by some 2 %: raise it to about 20 m/s"))
        << "that is no matter of sound";
    shaken.shapes[1].velocity = {};
    shaken.shapes[1].to[1] = 0.8;
    shaken.fluid.sound_speed = 90;
    EXPECT_TRUE(says(shaken, "the 0.0628 m/s to expect (the fastest wall)")) << "a surface yields";

    // Without walls all of it may drift.
    Case drift = tank_with({water(0.5)});
    drift.shapes.erase(drift.shapes.begin());
    drift.gravity = {};
    drift.shapes[0].velocity = {3.0, 0.0, 0.0};
    EXPECT_TRUE(says(drift, "density would vary by some 2 %, unless all of the fluid drifts as one: raise it to"));

    // A fall from 3.5 m above the floor is more than the fluid's own height: sqrt(2 9.81 3.5) m/s = 8.29 m/s.
    Case high = tank_with({box("water", Kind::fluid, {0.5, 3, 0}, {1.5, 3.5, 0})});
    high.shapes[0].to = {2, 5, 0};
    const std::string to_the_floor =
        "fluid.sound_speed = 20 m/s is 2.41 times the 8.29 m/s to expect (a fall from the fluid's top to the lowest wall "
        "beneath it)";
    EXPECT_TRUE(says(high, to_the_floor));
    high.shapes[0] = box("tank", Kind::wall, {0, -0.4, 0}, {2, 0, 0});
    EXPECT_TRUE(says(high, to_the_floor)) << "of an open floor";
    high.period[0] = 2;
    high.numerics.skin = 1.0 / 9;
    EXPECT_TRUE(says(high, to_the_floor));
    // Water in an open trough does not fall to the ground beneath that.
    Case trough = tank_with({box("left", Kind::wall, {-0.4, -0.4, 0}, {0, 1, 0}),
                             box("right", Kind::wall, {2, -0.4, 0}, {2.4, 1, 0}),
                             box("ground", Kind::wall, {-2, -8.4, 0}, {4, -8, 0}), water(0.8)});
    trough.shapes[0] = box("floor", Kind::wall, {0, -0.4, 0}, {2, 0, 0});
    EXPECT_EQ(said(trough).find("to expect"), std::string::npos) << said(trough);
}

// Through four layers the support of four spacings reaches from the floor to the surface.
TEST(CaseWarnings, FluidOfFewParticles)
{
    Case c = tank_with({water(0.3)});
    EXPECT_TRUE(says(c,
                     "the fluid is at most 3 particles deep along y, and the kernel's support of 4 spacings reaches "
                     "through all of it; even ten over the smallest relevant depth are few: lower resolution.spacing "
                     "to 0.03 m or less"));
    c.shapes[1].to[1] = 0.4;
    EXPECT_TRUE(says(c, "at most 4 particles deep along y"));
    c.resolution.smoothing_ratio = 6;  // a support of 12 spacings, which ten layers do not fill
    c.shapes[1].to[1] = 1;
    c.shapes[0].to[1] = 2;
    EXPECT_NE(said(c).find("lower resolution.spacing to 0.0769 m or less"), std::string::npos) << said(c);
    c.resolution.smoothing_ratio = 2;
    c.shapes[0].to[1] = 1;
    c.shapes[1].to[1] = 0.5;
    EXPECT_EQ(said(c), "");
    c.shapes[1].to = {0.2, 0.9, 0};
    EXPECT_TRUE(says(c, "at most 2 particles deep along x"));
    c.shapes.push_back(box("more", Kind::fluid, {1, 0, 0}, {2, 0.5, 0}));
    EXPECT_EQ(said(c), "") << "elsewhere it is deep";
    Case slope = tank_with({polygon("sheet", Kind::fluid, {{0.5, 0}, {0.75, 0}, {1.75, 1}, {1.5, 1}})});
    EXPECT_NE(said(slope).find("at most 3 particles deep along y"), std::string::npos) << said(slope);
}

TEST(CaseWarnings, GravityOfTheWrongSign)
{
    Case c = tank_with({water(0.5)});
    c.gravity[1] = 9.81;
    EXPECT_NE(said(c).find("gravity = [0, 9.81] pulls the fluid off the walls that it touches"), std::string::npos);
    c.shapes[1].to[1] = 1;
    EXPECT_EQ(said(c).find("pulls the fluid"), std::string::npos) << "the lid holds it";
    c.shapes[1].from = {0.5, 0.2, 0};
    c.shapes[1].to = {1.5, 0.6, 0};
    EXPECT_EQ(said(c).find("pulls the fluid"), std::string::npos) << "it touches none: a block that falls";
}

}  // namespace
}  // namespace halfulp
