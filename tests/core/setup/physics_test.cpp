// From the keys of a case to the physics of a run and its constants in the units of the state.
#include <gtest/gtest.h>

#include "case_text.hpp"
#include "core/setup/problem.hpp"

namespace halfulp {
namespace {

Physics by_default(const std::vector<std::string>& overrides)
{
    return prepare(case_from(least_case, overrides)).physics;
}

// Beside the balance laws alone.
Physics physics_with(const std::vector<std::string>& overrides)
{
    std::vector<std::string> all{"numerics.walls=dynamic", "numerics.density_diffusion=none"};
    all.insert(all.end(), overrides.begin(), overrides.end());
    return by_default(all);
}

TEST(ChosenPhysics, OfLittleSaid)
{
    Physics expected{.density_diffusion = DensityDiffusion::balanced, .walls = Walls::extrapolated};
    EXPECT_EQ(by_default({}), expected);
    // Artificial viscosity slips, a physical one does not; beside it the artificial one does neither.
    expected.laminar_viscosity = LaminarViscosity::morris;
    EXPECT_EQ(by_default({"fluid.laminar_viscosity=morris", "fluid.kinematic_viscosity=1e-6"}), expected);
    expected.artificial_viscosity = true;
    EXPECT_EQ(by_default({"fluid.laminar_viscosity=morris", "fluid.kinematic_viscosity=1e-6",
                          "fluid.artificial_viscosity=0.1"}),
              expected);
    expected.laminar_viscosity = LaminarViscosity::none;
    expected.wall_slip = WallSlip::free_slip;
    EXPECT_EQ(by_default({"fluid.artificial_viscosity=0.1"}), expected);
    EXPECT_EQ(physics_with({}), Physics{});
}

TEST(ChosenPhysics, FollowsTheKeys)
{
    EXPECT_EQ(physics_with({"fluid.state_equation=linear"}), (Physics{.state_equation = StateEquation::linear}));
    EXPECT_EQ(physics_with({"numerics.formulation=volume-weighted"}),
              (Physics{.formulation = Formulation::volume_weighted}));
    EXPECT_EQ(physics_with({"fluid.artificial_viscosity=0.1", "numerics.wall_slip=no-slip"}),
              (Physics{.artificial_viscosity = true}));
    EXPECT_EQ(physics_with({"fluid.laminar_viscosity=morris", "fluid.kinematic_viscosity=1e-6"}),
              (Physics{.laminar_viscosity = LaminarViscosity::morris}));
    EXPECT_EQ(physics_with({"fluid.laminar_viscosity=monaghan-gingold", "fluid.kinematic_viscosity=1e-6"}),
              (Physics{.laminar_viscosity = LaminarViscosity::monaghan_gingold}));
    EXPECT_EQ(physics_with({"numerics.tensile_correction=true"}), (Physics{.tensile_correction = true}));
    EXPECT_EQ(physics_with({"numerics.density_diffusion=molteni-colagrossi"}),
              (Physics{.density_diffusion = DensityDiffusion::molteni_colagrossi}));
    EXPECT_EQ(physics_with({"numerics.density_diffusion=fourtakas"}),
              (Physics{.density_diffusion = DensityDiffusion::fourtakas}));
    EXPECT_EQ(physics_with({"numerics.density_diffusion=antuono"}),
              (Physics{.density_diffusion = DensityDiffusion::antuono}));
    EXPECT_EQ(physics_with({"numerics.density_diffusion=balanced"}),
              (Physics{.density_diffusion = DensityDiffusion::balanced}));
    EXPECT_EQ(physics_with({"numerics.velocity_smoothing=0.5"}), (Physics{.xsph = true}));
    EXPECT_EQ(physics_with({"numerics.particle_shifting=2"}), (Physics{.particle_shifting = true}));
    EXPECT_EQ(physics_with({"numerics.rebuild_every=10"}), Physics{});
    EXPECT_EQ(physics_with({"central_force={rate=2,centre=[0,0]}"}), (Physics{.central_force = true}));
    EXPECT_EQ(physics_with({"numerics.density_filter=shepard"}), (Physics{.density_filter = DensityFilter::shepard}));
    EXPECT_EQ(physics_with({"numerics.density_filter=mls"}),
              (Physics{.density_filter = DensityFilter::moving_least_squares}));
    EXPECT_EQ(physics_with({"numerics.walls=extrapolated"}), (Physics{.walls = Walls::extrapolated}));
    EXPECT_EQ(physics_with({"numerics.walls=modified-dynamic"}), (Physics{.walls = Walls::modified_dynamic}));
    EXPECT_EQ(physics_with({"numerics.walls=pressure-cloning"}), (Physics{.walls = Walls::pressure_cloning}));
    EXPECT_EQ(physics_with({"fluid.artificial_viscosity=0.1", "numerics.wall_slip=free-slip"}),
              (Physics{.artificial_viscosity = true, .wall_slip = WallSlip::free_slip}));
    // Gravity drives where it has a component along a period, and only there.
    const std::vector<std::string> periodic = {"numerics.skin=0.3", "period=[1.3,0]"};
    EXPECT_EQ(physics_with(periodic), Physics{});
    EXPECT_EQ(physics_with({"numerics.skin=0.3", "period=[1.3,0]", "gravity=[1,-9.81]"}), (Physics{.driven = true}));
}

// Dimensional analysis: constants times their units are what the case says, to a rounding of single precision.
TEST(ChosenPhysics, ConstantsAreThoseOfTheCase)
{
    const Problem problem =
        prepare(case_from(least_case, {"fluid.laminar_viscosity=morris", "fluid.kinematic_viscosity=0.013",
                                       "numerics.density_diffusion=antuono", "numerics.diffusion_coefficient=0.2",
                                       "numerics.velocity_smoothing=0.4", "numerics.tensile_correction=true",
                                       "central_force={rate=3,centre=[0.3,-0.7]}"}));
    const auto& p = problem.parameters;
    const Units& units = problem.units;
    const double h = 0.2;
    const auto expect_near = [](double value, double expected) {
        EXPECT_NEAR(value / expected, 1, 0x1p-23) << value << " against " << expected;
    };
    expect_near(p.kinematic_viscosity * units.length * units.velocity, 0.013);
    // 2 delta h c0 has the unit of a viscosity too.
    expect_near(p.density_diffusion * units.length * units.velocity, 2 * 0.2 * h * 20);
    // epsilon (Delta p/h)^2 alpha, alpha = 7/(4 pi) for Wendland C2 in 2D.
    expect_near(p.xsph_scale, 0.4 * 0.25 * 7 / (4 * std::numbers::pi));
    // w(1/2) = (3/4)^4 2.
    expect_near(p.inverse_shape_at_spacing, 1 / (0.31640625 * 2));
    expect_near(p.central_stiffness / (units.time() * units.time()), 9);
    expect_near((problem.centre.cell[0] + double(problem.centre.offset[0])) * units.length, 0.3);
    expect_near((problem.centre.cell[1] + double(problem.centre.offset[1])) * units.length, -0.7);
    const auto stiffness_with = [](const std::string& equation) {
        const Problem other = prepare(case_from(least_case, {"fluid.state_equation=" + equation}));
        return other.parameters.stiffness * other.units.velocity * other.units.velocity;
    };
    expect_near(stiffness_with("tait"), 400.0 / 7);
    expect_near(stiffness_with("linear"), 400);
}

// The Gaussian reaches 3 h: cells, lists and walls follow.
TEST(ChosenPhysics, TheGaussianReachesFarther)
{
    const Problem problem = prepare(case_from(least_case, {"numerics.kernel=gaussian"}));
    EXPECT_NEAR(problem.units.length, 0.6 * 1.1 / 2, 1e-12);
    EXPECT_NEAR(problem.support * problem.units.length, 0.6, 1e-6);
    const double alpha = 0.31870319717504236;
    EXPECT_NEAR(problem.parameters.pair_scale / (0.25 * alpha / std::pow(0.2 / problem.units.length, 2)), 1, 0x1p-22);
}

// Walls are as thick as the support by default: 2 h are 4 spacings here, 3 h are 6.
TEST(ChosenPhysics, WallsCoverTheSupport)
{
    const std::string tank =
        least_case + "[[shapes]]\nname = \"tank\"\nkind = \"wall\"\n" + "hollow_box = { from = [0, 0], to = [1, 1] }\n";
    const auto walls = [&](const std::string& kernel) {
        return prepare(case_from(tank, {"numerics.kernel=" + kernel})).wall;
    };
    EXPECT_EQ(walls("wendland-c2"), 18U * 18U - 100U);
    EXPECT_EQ(walls("gaussian"), 22U * 22U - 100U);
}

// rho0 g d of water in hydrostatic rest: c0^2 s = g d for the linear equation.
TEST(ChosenPhysics, HydrostaticDensityOfTheLinearEquation)
{
    const Problem problem = prepare(
        case_from(with(least_case, "\"fluid\"", "\"fluid\"\nhydrostatic = true") +
                      "[[shapes]]\nname = \"tank\"\nkind = \"wall\"\nhollow_box = { from = [0, 0], to = [1, 1] }\n",
                  {"fluid.state_equation=linear"}));
    for (const InitialParticle& particle : problem.particles) {
        if (particle.kind != Kind::fluid) continue;
        const double height = (particle.cell[1] + double(particle.offset[1])) * problem.units.length;
        EXPECT_NEAR(particle.density, 9.81 * (0.5 - height) / 400, 1e-8);
    }
}

}  // namespace
}  // namespace halfulp
