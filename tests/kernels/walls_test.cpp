// Extrapolated walls against the sums of Adami, Hu and Adams (2012), and which physics needs what.
#include <array>
#include <cmath>
#include <numbers>

#include <gtest/gtest.h>

#include "kernels/density_diffusion.hpp"
#include "kernels/physics.hpp"
#include "kernels/smoothing.hpp"
#include "kernels/walls.hpp"
#include "tests/precision/reference.hpp"

namespace halfulp::test {
namespace {

TEST(Walls, TensionIsADensityBelowThatAtRest)
{
    EXPECT_TRUE(in_tension(CentredDensity<double>{-1e-9}));
    EXPECT_FALSE(in_tension(CentredDensity<double>{0.0})) << "at rest there is none";
    EXPECT_FALSE(in_tension(CentredDensity<double>{1e-9}));
}

TEST(Walls, WeightsAreNeverNegative)
{
    EXPECT_EQ(extrapolation_weight(0.25), 0.25);
    EXPECT_EQ(extrapolation_weight(-0.25), 0.0);
    EXPECT_EQ(extrapolation_weight(0.0), 0.0);
}

// Two neighbours of weights 1 and 3 with pressures 8 and 4, in a field: (20 + (2, -6) . (5, -1))/4.
TEST(Walls, PressureOfHandWorkedSums)
{
    EXPECT_EQ(extrapolated_pressure(4.0, 20.0, Vec<2, double>{{5, -1}}, Vec<2, double>{{2, -6}}), 9.0);
    EXPECT_EQ(extrapolated_pressure(4.0, 20.0, Vec<3, double>{{5, -1, 2}}, Vec<3, double>{{2, -6, -4}}), 7.0);
    EXPECT_EQ(extrapolated_pressure(0.5, 20.0, Vec<2, double>{}, Vec<2, double>{}), 40.0);
    EXPECT_EQ(extrapolated_pressure(0.0, 0.0, Vec<2, double>{}, Vec<2, double>{{0, -9}}), 0.0) << "no fluid near";
}

// Fluid at rest under gravity: wherever its particles are, the wall's pressure is the hydrostatic one of its own place.
TEST(Walls, ContinueAHydrostaticPressure)
{
    Random random(305);
    const Vec<2, double> gravity{{3, -8}};
    for (int k = 0; k < 100; ++k) {
        double weights = 0, pressures = 0;
        Vec<2, double> moments{};
        for (int n = 0; n < 12; ++n) {
            const Vec<2, double> fluid{{random.uniform(-2, 2), random.uniform(0, 2)}};
            const double weight = random.uniform(0, 1);
            weights += weight;
            pressures += weight * (5 + 3 * fluid[0] - 8 * fluid[1]);
            for (int i = 0; i < 2; ++i) moments[i] -= weight * fluid[i];  // of x_w - x_f, the wall at the origin
        }
        EXPECT_NEAR(extrapolated_pressure(weights, pressures, moments, gravity), 5, 1e-13);
    }
}

// Speeds of 4/3 h times the rate; without touch, half and wholly in touch; away from the wall.
TEST(Walls, ContactPressureOfHandWorkedSums)
{
    const double h = 0.75;
    EXPECT_DOUBLE_EQ(contact_pressure(0.5, 4.0, h, 30.0), 2 * 4.0 * 30);
    EXPECT_NEAR(contact_pressure(0.26, 4.0, h, 30.0), 4.0 * 30, 1e-10);
    EXPECT_EQ(contact_pressure(0.25, 4.0, h, 30.0), 0.0) << "the onset";
    EXPECT_EQ(contact_pressure(0.0, 4.0, h, 30.0), 0.0);
    EXPECT_EQ(contact_pressure(0.5, -4.0, h, 30.0), 0.0);
    // At 1.5 smoothing lengths a spacing the reach is 0.8 h.
    EXPECT_EQ(contact_share(0.4, 1.25), 0.25);
    EXPECT_EQ(contact_share(0.8, 1.25), 0.0);
    EXPECT_EQ(contact_share(2.0, 1.25), 0.0) << "beyond the reach";
}

// The share of a wall that fills a half space in ds/dt of fluid at its face: u times the integral of W over the face,
// by the midpoint rule. The contact pressure takes it for 3/4 u/h.
TEST(Walls, TheirShareOfTheRateAtAPlaneFace)
{
    const auto of_face = [](int dimensions) {
        const int pieces = 20000;
        double sum = 0;
        for (int k = 0; k < pieces; ++k) {
            const double q = (k + 0.5) * WendlandC2::support / pieces;
            const double width = dimensions == 2 ? 2 : 2 * std::numbers::pi * q;
            sum += width * WendlandC2::shape(q) * WendlandC2::support / pieces;
        }
        return sum * WendlandC2::normalisation(dimensions);
    };
    EXPECT_NEAR(of_face(2), 0.743, 0.0005);
    EXPECT_NEAR(of_face(3), 0.75, 0.0005);
}

// Where a plane wall's particles, on their lattice half a spacing behind the face, begin to push: nowhere farther than
// a fifth of a spacing before the face and nowhere behind it, so that there is no way between them; and not on the
// lattice of the fluid, in the corner of three walls, either.
TEST(Walls, ContactBeginsBeforeTheFaceWhereverOverTheLattice)
{
    const auto contacts = [](const std::array<double, 3>& x, int dimensions, int walls) {
        double sum = 0;
        const int across = dimensions == 3 ? 4 : 0;
        for (int i = -4; i <= 4; ++i)
            for (int j = -across; j <= across; ++j)
                for (int k = -4; k <= 4; ++k) {
                    if (k >= 0 && !(walls > 1 && i < 0) && !(walls > 2 && j < 0)) continue;
                    const double y = dimensions == 3 ? x[1] - (j + 0.5) : 0;
                    sum += contact_share(std::hypot(x[0] - (i + 0.5), y, x[2] - (k + 0.5)), 1 / contact_reach);
                }
        return sum;
    };
    for (const int dimensions : {2, 3}) {
        EXPECT_LT(contacts({0.5, 0.5, 0.5}, dimensions, 1), 0.1);
        EXPECT_LT(contacts({0.5, 0.5, 0.5}, dimensions, dimensions), 0.1) << "in a corner";
        for (int i = 0; i <= 10; ++i)
            for (int j = 0; j <= 10; ++j) {
                const double x = 0.05 * i, y = 0.05 * j;
                EXPECT_LT(contacts({x, y, 0.2}, dimensions, 1), contact_onset) << x << ", " << y;
                for (int k = 0; k <= 20; ++k)
                    EXPECT_GT(contacts({x, y, -0.05 * k}, dimensions, 1), contact_onset + contact_width)
                        << x << ", " << y << ", " << 0.05 * k << " behind the face";
            }
    }
}

TEST(Walls, VelocitiesAreMirrored)
{
    // The fluid's mean is 3 faster than the wall's 2: 2 * 2 - 5.
    EXPECT_EQ(extrapolated_velocity(2.0, 4.0, 12.0), -1.0);
    EXPECT_EQ(extrapolated_velocity(2.0, 0.5, 1.0), 0.0);
    EXPECT_EQ(extrapolated_velocity(2.0, 0.0, 0.0), 2.0) << "no fluid near";
}

TEST(Physics, WhatIsViscous)
{
    EXPECT_FALSE(is_viscous({}));
    EXPECT_FALSE(is_viscous({.tensile_correction = true}));
    EXPECT_TRUE(is_viscous({.artificial_viscosity = true}));
    EXPECT_TRUE(is_viscous({.laminar_viscosity = LaminarViscosity::morris}));
    EXPECT_TRUE(is_viscous({.laminar_viscosity = LaminarViscosity::monaghan_gingold}));
}

TEST(Physics, WhichDensityDiffusionHasAGradient)
{
    using enum DensityDiffusion;
    for (const DensityDiffusion form : {none, molteni_colagrossi, fourtakas})
        EXPECT_FALSE(has_density_gradient({.density_diffusion = form})) << int(form);
    for (const DensityDiffusion form : {antuono, balanced})
        EXPECT_TRUE(has_density_gradient({.density_diffusion = form})) << int(form);
}

// The contact pressure makes up for what density diffusion takes, and only walls without a density of their own need
// it.
TEST(Physics, WhichWallsHaveAContactPressure)
{
    for (const auto& [walls, have] :
         {std::pair{Walls::extrapolated, true}, {Walls::modified_dynamic, true}, {Walls::dynamic, false}}) {
        EXPECT_FALSE(has_contact_pressure({.walls = walls}));
        EXPECT_EQ(has_contact_pressure({.density_diffusion = DensityDiffusion::fourtakas, .walls = walls}), have);
    }
}

TEST(Physics, WhichWallsHaveAMirroredVelocity)
{
    EXPECT_FALSE(follow_the_fluid(Walls::dynamic));
    EXPECT_TRUE(follow_the_fluid(Walls::extrapolated));
    EXPECT_TRUE(follow_the_fluid(Walls::modified_dynamic));
    const auto mirrored = [](Walls walls, WallSlip slip, bool viscous) {
        return has_extrapolated_velocity({.artificial_viscosity = viscous, .walls = walls, .wall_slip = slip});
    };
    EXPECT_TRUE(mirrored(Walls::extrapolated, WallSlip::no_slip, true));
    EXPECT_TRUE(mirrored(Walls::modified_dynamic, WallSlip::no_slip, true));
    EXPECT_FALSE(mirrored(Walls::dynamic, WallSlip::no_slip, true));
    EXPECT_FALSE(mirrored(Walls::extrapolated, WallSlip::free_slip, true));
    EXPECT_FALSE(mirrored(Walls::extrapolated, WallSlip::no_slip, false));
}

// The plain density rate is that of pair (i) without anything more.
TEST(Physics, WhatThePlainDensityRateCovers)
{
    using enum CompiledDensityRate;
    EXPECT_EQ(compiled_density_rate({}), plain);
    EXPECT_EQ(compiled_density_rate({.state_equation = StateEquation::linear, .artificial_viscosity = true}), plain);
    EXPECT_EQ(compiled_density_rate({.density_diffusion = DensityDiffusion::balanced}), balanced_diffusion);
    EXPECT_EQ(compiled_density_rate({.formulation = Formulation::volume_weighted}), general);
    EXPECT_EQ(compiled_density_rate({.density_diffusion = DensityDiffusion::fourtakas}), fourtakas_diffusion);
    EXPECT_EQ(compiled_density_rate({.density_diffusion = DensityDiffusion::molteni_colagrossi}), general);
    EXPECT_EQ(compiled_density_rate({.density_diffusion = DensityDiffusion::antuono}), general);
    EXPECT_EQ(compiled_density_rate({.density_diffusion = DensityDiffusion::balanced, .xsph = true}), general);
}

// The special passes over forces know pressure and artificial viscosity, the latter with Tait's sound speed and walls
// that move as they do.
TEST(Physics, WhatTheSpecialForcesCover)
{
    const auto with = [](auto change) {
        Physics physics;
        change(physics);
        return covered_by_special_forces(physics);
    };
    EXPECT_TRUE(covered_by_special_forces({}));
    EXPECT_TRUE(with([](Physics& p) { p.artificial_viscosity = true; }));
    EXPECT_TRUE(with([](Physics& p) { p.state_equation = StateEquation::linear; }));
    EXPECT_TRUE(with([](Physics& p) { p.walls = Walls::extrapolated; }));
    EXPECT_TRUE(with([](Physics& p) { p.wall_slip = WallSlip::free_slip; }));
    EXPECT_TRUE(with([](Physics& p) { p.artificial_viscosity = true, p.wall_slip = WallSlip::free_slip; }));
    EXPECT_TRUE(with([](Physics& p) {
        p.artificial_viscosity = true, p.walls = Walls::extrapolated, p.wall_slip = WallSlip::free_slip;
    }));
    EXPECT_TRUE(with([](Physics& p) { p.density_diffusion = DensityDiffusion::balanced; }));
    EXPECT_TRUE(with([](Physics& p) { p.density_filter = DensityFilter::shepard; }));
    EXPECT_TRUE(with([](Physics& p) { p.xsph = p.particle_shifting = true; }));
    EXPECT_TRUE(with([](Physics& p) { p.central_force = p.driven = true; }));
    EXPECT_TRUE(with([](Physics& p) { p.moving_walls = p.moving_frame = p.wall_forces = true; }));
    EXPECT_FALSE(with([](Physics& p) { p.formulation = Formulation::volume_weighted; }));
    EXPECT_FALSE(with([](Physics& p) { p.laminar_viscosity = LaminarViscosity::morris; }));
    EXPECT_FALSE(with([](Physics& p) { p.tensile_correction = true; }));
    EXPECT_FALSE(with([](Physics& p) { p.artificial_viscosity = true, p.state_equation = StateEquation::linear; }));
    EXPECT_FALSE(with([](Physics& p) { p.artificial_viscosity = true, p.walls = Walls::extrapolated; }));
}

}  // namespace
}  // namespace halfulp::test
