// Where a case departs from what its flow needs: what is said, against what was counted by hand, and where nothing is.
#include <string>
#include <utility>
#include <vector>

#include "said_of_cases.hpp"
#include "stl.hpp"

namespace halfulp {
namespace {

TEST(CaseWarnings, NothingIsSaidOfWhatIsRight)
{
    EXPECT_EQ(said(tank_with({water(0.5)})), "");
    EXPECT_EQ(said(tank_with({water(0.5, 0.5)})), "");
    Case full = tank_with({water(1)});
    EXPECT_EQ(said(full), "");
    full.gravity = {};
    EXPECT_EQ(said(full), "");
    EXPECT_EQ(said(tank_with({box("water", Kind::fluid, {0, 0, 0}, {1, 1, 0.5})}, 3)), "");
    Case drop = tank_with({water(0.5)});
    drop.shapes.erase(drop.shapes.begin());
    drop.gravity = {};
    EXPECT_EQ(said(drop), "");
}

// The tank's inside of 20 x 10 sites touches 60 particles of its walls. Water of 10 x 5 sites wets 10 of the floor and
// 5 of a side, and each of these rows has one more that is beside it.
TEST(CaseWarnings, DynamicWallsThatStartDry)
{
    Case c = tank_with({water(0.5, 1)});
    c.numerics.walls = Walls::dynamic;
    EXPECT_TRUE(
        says(c, "numerics.walls is \"dynamic\", and 43 of the 60 wall particles that fluid can touch start dry"));
    Case full = tank_with({water(1)});
    full.numerics.walls = Walls::dynamic;
    EXPECT_EQ(said(full), "");
}

TEST(CaseWarnings, WallsThatContinueTheFluidsGradient)
{
    Case c = tank_with({water(0.5)});
    c.numerics.walls = Walls::modified_dynamic;
    EXPECT_TRUE(says(c, "numerics.walls is \"modified-dynamic\", which continues the fluid's own gradient"));
    c.numerics.walls = Walls::pressure_cloning;
    EXPECT_EQ(said(c), "");
}

// Taylor and Couette's flow: its torque is wrong by the rigid rotation's share of the gradient.
TEST(CaseWarnings, ViscositiesThatDoNotConserveAngularMomentum)
{
    Case c = tank_with({without(water(0.5), {"rotor"}), box("rotor", Kind::wall, {0.5, 0, 0}, {1.3, 0.4, 0})});
    c.fluid.laminar_viscosity = LaminarViscosity::brookshaw;
    c.fluid.kinematic_viscosity = 0.01;
    EXPECT_EQ(said(c), "");
    Case turning = c;
    turning.motions = {{.name = "turn", .bodies = {"rotor"}, .rotation = {}, .translation = {}}};
    turning.motions[0].rotation = MotionRotation{.pivot = {0.8, 0.3, 0}, .angle = steadily(10)};
    EXPECT_TRUE(
        says(turning, "fluid.laminar_viscosity is \"brookshaw\", which does not conserve angular momentum: torques"));
    turning.fluid.laminar_viscosity = LaminarViscosity::monaghan_gingold;
    EXPECT_EQ(said(turning), "");
    turning.fluid.laminar_viscosity = LaminarViscosity::morris;
    EXPECT_TRUE(
        says(turning, "fluid.laminar_viscosity is \"morris\", which does not conserve angular momentum: torques"));
    turning.motions[0].bodies.clear();
    turning.motions[0].frame = MotionFrame::moving;
    EXPECT_EQ(said(turning), "") << "in whose frame walls are at rest";
    Case falling = c;
    falling.motions = {along(steadily(0.1), {"rotor"})};
    EXPECT_EQ(said(falling).find("angular momentum"), std::string::npos);
    Case drop = tank_with({water(0.5)});
    drop.shapes.erase(drop.shapes.begin());
    drop.gravity = {};
    drop.fluid.laminar_viscosity = LaminarViscosity::brookshaw;
    drop.fluid.kinematic_viscosity = 0.01;
    EXPECT_EQ(said(drop), "");
    drop.central_force = CentralForce{.rate = 1};
    EXPECT_TRUE(says(drop, "a free surface slows down water that turns; take \"monaghan-gingold\""));
}

TEST(CaseWarnings, OutputsOfNothing)
{
    Case c = tank_with({water(0.5)});
    c.output.within = Box{{0, 0.6, 0}, {2, 0.8, 0}};
    EXPECT_TRUE(says(c, "output.within, from (0, 0.6) m to (2, 0.8) m, holds no particle at the start"));
    c.output.within = Box{{-0.2, 0.6, 0}, {2, 0.8, 0}};
    EXPECT_EQ(said(c), "");
    c.output.particles = Case::Output::Particles::fluid;
    EXPECT_TRUE(says(c, "holds no fluid at the start"));
}

TEST(CaseWarnings, StepsAboveTheLimit)
{
    Case c = tank_with({water(0.5)});
    c.time.step = "fixed";
    c.time.size = 0.0125;
    EXPECT_TRUE(says(c, "time.size = 0.0125 s is a CFL number c0 dt/h of 1.25"));
    EXPECT_TRUE(says(c, "give a time.size of at most 0.004 s"));
    c.time.size = 0.004;
    EXPECT_EQ(said(c), "");
    c.time.size = {};
    c.time.cfl = 0.95;
    EXPECT_TRUE(says(c, "time.cfl = 0.95 is a CFL number c0 dt/h of 0.95"));
    c.time.step = "variable";
    EXPECT_TRUE(says(c, "time.cfl = 0.95 is a CFL number c0 dt/h of 0.95"));
    c.time.cfl = 0.4;
    EXPECT_EQ(said(c), "");

    // h^2/(8 nu) = 0.0025 s
    c.fluid.laminar_viscosity = LaminarViscosity::morris;
    c.fluid.kinematic_viscosity = 2;
    EXPECT_EQ(said(c), "") << "a variable step looks after that itself";
    c.fluid.kinematic_viscosity = 200;
    EXPECT_TRUE(says(c, "fluid.kinematic_viscosity = 200 m^2/s bounds steps by h^2/(8 nu) = 2.5e-05 s, "));
    EXPECT_TRUE(says(c, "what the sound speed allows; is it meant in m^2/s? Water has 1e-6"));
    c.fluid.kinematic_viscosity = 2;
    c.time.step = "fixed";
    c.time.size = 0.0024;
    EXPECT_EQ(said(c), "");
    c.time.size = 0.0026;
    EXPECT_TRUE(says(c, "longer than h^2/(8 nu) = 0.0025 s"));
}

// Its viscosity for lengthwise waves is three times that for shear.
TEST(CaseWarnings, StepsOfMonaghanAndGingoldsViscosity)
{
    Case c = tank_with({water(0.5)});
    c.time.step = "fixed";
    c.fluid.laminar_viscosity = LaminarViscosity::monaghan_gingold;
    c.fluid.kinematic_viscosity = 2;
    c.time.size = 0.0008;
    EXPECT_EQ(said(c), "");
    c.time.size = 0.00084;
    EXPECT_TRUE(says(c, "longer than h^2/(24 nu) = 0.000833 s"));
}

// The limits of the integrators, by runs of water at rest (tests/core/app/case_warnings_test.py).
TEST(CaseWarnings, DampingThatMakesWavesGrow)
{
    Case c = tank_with({water(0.5)});
    c.time.cfl = 0.4;
    c.numerics.diffusion_coefficient = 0.74;
    EXPECT_EQ(said(c), "");
    c.numerics.diffusion_coefficient = 0.82;
    EXPECT_TRUE(
        says(c,
             "numerics.diffusion_coefficient = 0.82 takes 2.2 times their height from the shortest waves in a "
             "step, but with the integrator \"kick-drift-kick\" they grow beyond 2; lower time.cfl to 0.369, or "
             "take a smaller numerics.diffusion_coefficient"));
    c.numerics.integrator = Integrator::verlet;
    c.numerics.diffusion_coefficient = 0.1;
    EXPECT_TRUE(
        says(c,
             "with \"verlet\" and a corrector every 40 steps they grow beyond 0.14; lower time.cfl to 0.204, or "
             "set numerics.corrector_every to 10"));
    c.numerics.corrector_every = 10;
    EXPECT_EQ(said(c), "");
    c.numerics.corrector_every = 3;
    EXPECT_EQ(said(c), "");
    c.numerics.corrector_every = 2;
    EXPECT_TRUE(says(c,
                     "numerics.corrector_every = 2: Verlet's correctors are steps of Euler's scheme, and so many feed "
                     "sound faster than it is damped; give 3 or more"));
    c.time.cfl = 0.2;
    EXPECT_EQ(said(c), "");
    c.numerics.corrector_every = 1;
    EXPECT_TRUE(says(c, "give 2 or more"));
    c.numerics.density_diffusion = DensityDiffusion::none;
    c.numerics.corrector_every = 20;
    EXPECT_NE(said(c).find("feed sound faster than it is damped; give 40 or more"), std::string::npos);
    c.numerics.density_diffusion = DensityDiffusion::balanced;
    c.numerics.corrector_every = 40;
    EXPECT_EQ(said(c), "");
    c.fluid.artificial_viscosity = 1;
    EXPECT_TRUE(says(c, "fluid.artificial_viscosity = 1 takes 0.21 times their height"));
    c.fluid.artificial_viscosity = 0;
    c.fluid.laminar_viscosity = LaminarViscosity::brookshaw;
    c.fluid.kinematic_viscosity = 1;
    EXPECT_TRUE(says(c, "fluid.kinematic_viscosity = 1 takes 0.34 times their height"));
    c.time.step = "fixed";
    c.time.size = 0.001;
    EXPECT_TRUE(says(c, "give a time.size of at most 0.000795 s"));
    c.fluid.kinematic_viscosity = 6;
    EXPECT_TRUE(says(c, "give a time.size of at most 0.000132 s")) << "h^2/(8 nu) is 0.00083 s";
}

TEST(CaseWarnings, ArtificialViscosityAtWallsBesideALaminarOne)
{
    Case c = tank_with({water(0.5)});
    c.fluid.artificial_viscosity = 0.1;
    c.fluid.laminar_viscosity = LaminarViscosity::brookshaw;
    c.fluid.kinematic_viscosity = 1e-6;
    EXPECT_TRUE(says(c, "fluid.artificial_viscosity = 0.1 acts at walls, too"));
    c.places["numerics.wall_slip"] = "given";
    EXPECT_EQ(said(c), "");
    c.places.clear();
    c.fluid.kinematic_viscosity = 0.1;
    EXPECT_EQ(said(c), "") << "more than the other";
}

TEST(CaseWarnings, FluidOutsideOfTheTank)
{
    Case c = tank_with({water(0.5), box("more", Kind::fluid, {3, 0, 0}, {3.2, 0.3, 0})});
    EXPECT_TRUE(says(c,
                     "6 of 106 fluid particles start outside of the closed tank that holds the others, the first at "
                     "(3.05, 0.05) m"));
    c.shapes.erase(c.shapes.begin() + 1);
    c.shapes[1].to = {3.5, 0.5, 0};
    EXPECT_TRUE(says(c,
                     "25 of 25 fluid particles have no wall beneath them to fall on, the "
                     "first at (3.05, 0.05) m"));
    c.gravity = {};
    EXPECT_EQ(said(c), "") << "it does not fall";
    c = tank_with({water(0.5)});
    c.shapes.erase(c.shapes.begin());
    const std::vector<Shape> walls = open_tank();
    c.shapes.insert(c.shapes.begin(), walls.begin(), walls.end());
    c.shapes.push_back(box("jet", Kind::fluid, {1, 3, 0}, {1.2, 3.2, 0}));
    c.fluid.sound_speed = 80;
    EXPECT_EQ(said(c), "") << "it falls into the tank";
}

TEST(CaseWarnings, SettingsThatTheFlowDoesNotBear)
{
    Case c = tank_with({water(0.5, 0.5)});
    c.fluid.artificial_viscosity = 0.05;
    c.numerics.density_diffusion = DensityDiffusion::none;
    EXPECT_TRUE(says(c, "numerics.density_diffusion is \"none\""));
    c.numerics.density_diffusion = DensityDiffusion::molteni_colagrossi;
    EXPECT_TRUE(says(c, "numerics.density_diffusion is \"molteni-colagrossi\""));
    c.numerics.density_diffusion = DensityDiffusion::fourtakas;
    EXPECT_EQ(said(c), "");
    c.motions = {along(sine_of(0.01, 1), {})};
    c.motions[0].frame = MotionFrame::moving;
    EXPECT_TRUE(says(c, "wrong in a moving frame"));
    c.motions.clear();
    c.shapes.erase(c.shapes.begin());
    EXPECT_NE(said(c).find("wrong in free fall"), std::string::npos);

    Case study = tank_with({water(0.5, 0.5)});
    study.numerics.density_diffusion = DensityDiffusion::none;
    study.time.step = "fixed";
    EXPECT_EQ(said(study), "") << "of the energy";
}

TEST(CaseWarnings, RoomsThatFluidFills)
{
    Case c = tank_with({water(1)});
    c.numerics.wall_tension = false;
    EXPECT_TRUE(says(c, "numerics.wall_tension is false, but the fluid fills all of the space that it can reach"));
    c.shapes[1].to[1] = 0.9;
    EXPECT_EQ(said(c), "");

    c = tank_with({box("block", Kind::wall, {0.4, 0.1, 0}, {1.2, 0.9, 0}), without(water(1), {"block"})});
    EXPECT_EQ(said(c), "");
    c.motions = {along(sine_of(0.01, 1), {"block"})};
    EXPECT_TRUE(says(c, "the fluid fills all of the space that it can reach and starts without pressure"));
    c.shapes[2].pressure = 500.0;
    EXPECT_EQ(said(c), "");

    c = tank_with({water(1)});
    c.shapes[1].velocity[0] = 0.5;
    EXPECT_EQ(said(c), "") << "all of it moves alike";
    c.shapes[1].velocity[0] = Expression("y", 2);
    EXPECT_TRUE(says(c, "the fluid fills all of the space that it can reach, moves and starts without pressure"));
    c.shapes[1].pressure = 500.0;
    EXPECT_EQ(said(c), "");
}

// The period is a whole number of cells of 0.5 m, and of 1 m.
TEST(CaseWarnings, PeriodsThatFluidFills)
{
    Case c = case_of(2, 0.1, {box("water", Kind::fluid, {0, 0, 0}, {6, 6, 0})});
    c.period = {6, 6, 0};
    c.gravity = {};
    c.numerics.skin = 0.25;
    c.fluid.sound_speed = 20;
    c.time.end = c.output.interval = 1;
    EXPECT_EQ(said(c), "") << "at rest";
    c.shapes[0].velocity[0] = Expression("sin(pi*y)", 2);
    EXPECT_TRUE(says(c, "the fluid fills all of the space that it can reach, moves and starts without pressure"));
    EXPECT_FALSE(decays_too_fast(prepare(c))) << "without a viscosity there is no decay to compare with";
    c.fluid.laminar_viscosity = LaminarViscosity::morris;
    c.fluid.kinematic_viscosity = 0.01;
    EXPECT_TRUE(decays_too_fast(prepare(c)));
    c.resolution.smoothing_ratio = 3;
    c.numerics.skin = 2.0 / 3;
    EXPECT_FALSE(decays_too_fast(prepare(c)));
    c.resolution.smoothing_ratio = 2;
    c.numerics.skin = 0.25;
    c.shapes[0].pressure = 500.0;
    EXPECT_EQ(said(c), "");
    c.shapes[0].pressure = {};
    c.shapes[0].to[1] = 5;
    EXPECT_EQ(said(c), "") << "it has a surface";
    EXPECT_FALSE(decays_too_fast(prepare(c)));
}

// A cube of 300 in the file beside a tank of 2 m: too large for any memory, over the water, or merely strange.
TEST(CaseWarnings, MeshesInMillimetres)
{
    const StlFile file(binary_stl(stl_box({0.5, 0, 0}, {300.5, 300, 300})));
    Case c = tank_with({box("water", Kind::fluid, {0, 0, 0}, {2, 0.5, 0.5}), mesh("cube", Kind::wall, file.path())}, 3);
    c.shapes[2].mesh.scale = 1;
    const std::string found =
        "the mesh of shape \"cube\" is 300 x 300 x 300 m with shapes.cube.mesh.scale = 1, 150 times as long as everything "
        "else; if its file is in mm, set shapes.cube.mesh.scale = 0.001; otherwise ";
    EXPECT_NE(refused(c).find(found + "raise resolution.spacing."), std::string::npos);
    c.resolution.spacing = 1e-7;
    c.shapes[1].to = {1e-6, 1e-6, 1e-6};
    EXPECT_NE(refused(c).find(found + "raise resolution.spacing, or move it nearer"), std::string::npos);
    c = tank_with({box("water", Kind::fluid, {0, 0, 0}, {2, 0.5, 0.5}), mesh("cube", Kind::wall, file.path())}, 3);
    c.resolution.spacing = 0.5;
    c.shapes[2].mesh.scale = 0.02;
    EXPECT_NE(
        refused(c).find("6 x 6 x 6 m with shapes.cube.mesh.scale = 0.02, 3 times as long as everything else; if its "
                        "file is in mm, set shapes.cube.mesh.scale = 2e-05; otherwise cut one out of the other"),
        std::string::npos);
    c.shapes[2].mesh.scale = 0.013;
    EXPECT_EQ(refused(c).find("in mm"), std::string::npos) << "3.9 m, twice the tank: nothing strange";
}

}  // namespace
}  // namespace halfulp
