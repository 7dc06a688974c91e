// Walls that have their pressure from the fluid, against exact answers and beside dynamic ones: water at rest,
// laminar flow between plates, sliding without friction, and what the ledger says of them.
#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Dense>

#include "core/setup/units.hpp"
#include "tests/core/backends/cases.hpp"

namespace halfulp::test {
namespace {

const Overrides extrapolated = {"numerics.walls=extrapolated"};
const Overrides mirrored = {"numerics.walls=modified-dynamic"};

// Fluid and walls in SI units, in order of id.
struct Particles {
    std::vector<double> position;  // three components each
    std::vector<double> velocity;
    std::vector<double> pressure;
    std::vector<std::uint8_t> kind;
};

Particles particles_of(const Simulation& simulation)
{
    const Snapshot snapshot = simulation.snapshot();
    return {doubles_of(snapshot, "position"), doubles_of(snapshot, "velocity"), doubles_of(snapshot, "pressure"),
            values_of<std::uint8_t>(column(snapshot, "kind"))};
}

struct RestAtWall {
    double fluid_error = 0;  // root mean square of P - rho g d in the lowest two layers, over rho g H
    double wall_error = 0;   // and in the first layer of the floor
    double gap = 0;          // how much higher than half a spacing the lowest layer lies on average, spacings
    double speed = 0;        // the largest of the whole run, over sqrt(g H)
};

// Still water after half a second.
RestAtWall rest_at_wall(const Overrides& more)
{
    const Problem problem = problem_of("still-water", more);
    Simulation simulation = simulation_of(problem);
    const double depth = 0.25;
    RestAtWall rest;
    while (simulation.time() < 0.5) {
        simulation.step();
        rest.speed = std::max(rest.speed, simulation.ledger_row().max_speed / std::sqrt(9.81 * depth));
    }
    const double spacing = problem.source.resolution.spacing;
    const double weight = 1000 * 9.81;
    const Particles now = particles_of(simulation);
    double fluid = 0, wall = 0, height = 0;
    int lowest = 0, low = 0, floor = 0;
    for (std::size_t i = 0; i < now.kind.size(); ++i) {
        const double x = now.position[3 * i];
        const double y = now.position[3 * i + 1];
        if (x < 0.1 || x > 0.4) continue;  // away from the corners
        const double off = now.pressure[i] - weight * (depth - y);
        if (now.kind[i] == 0 && y < 2 * spacing) fluid += off * off, ++low;
        if (now.kind[i] == 0 && y < spacing) height += y, ++lowest;
        if (now.kind[i] == 1 && y < 0 && y > -spacing) wall += off * off, ++floor;
    }
    rest.fluid_error = std::sqrt(fluid / low) / (weight * depth);
    rest.wall_error = std::sqrt(wall / floor) / (weight * depth);
    rest.gap = (height / lowest) / spacing - 0.5;
    return rest;
}

// Without density diffusion; the errors of pressures are those of the table in docs/physics.md, in whose last digit the
// bounds lie.
TEST(WallsThatFollowTheFluid, HoldWaterAtRest)
{
    struct Claim {
        const char* walls;
        double wall_error, fluid_error, speed;
    };
    for (const Claim& claim :
         {Claim{"dynamic", 0.0175, 0.0115, 0.004}, Claim{"extrapolated", 0.0135, 0.0125, 0.014},
          Claim{"modified-dynamic", 0.0165, 0.0145, 0.045}, Claim{"pressure-cloning", 0.0135, 0.0125, 0.035}}) {
        const RestAtWall rest =
            rest_at_wall({"numerics.density_diffusion=none", std::string("numerics.walls=") + claim.walls});
        EXPECT_LT(rest.wall_error, claim.wall_error) << claim.walls;
        EXPECT_LT(rest.fluid_error, claim.fluid_error) << claim.walls;
        EXPECT_LT(rest.speed, claim.speed) << claim.walls;
        EXPECT_LT(std::abs(rest.gap), 1e-3) << claim.walls;
    }
}

// A wall that no fluid reaches has no pressure, and one that may not pull has none below zero.
class DryWalls : public testing::TestWithParam<const char*> {};

TEST_P(DryWalls, AreAtRestDensity)
{
    for (const char* tension : {"numerics.wall_tension=true", "numerics.wall_tension=false"}) {
        const Problem problem = problem_of("inviscid-tank-2d", {std::string("numerics.walls=") + GetParam(), tension});
        Simulation simulation = simulation_of(problem);
        while (simulation.time() < 0.3) simulation.step();
        const Particles now = particles_of(simulation);
        int dry = 0, pressed = 0;
        double lowest = 0;
        for (std::size_t i = 0; i < now.kind.size(); ++i) {
            if (now.kind[i] == 0) continue;
            if (now.pressure[i] == 0) ++dry;
            if (now.pressure[i] > 0) ++pressed;
            lowest = std::min(lowest, now.pressure[i]);
        }
        EXPECT_GT(dry, 100);
        EXPECT_GT(pressed, 100);
        EXPECT_EQ(lowest < 0, problem.source.numerics.wall_tension) << lowest;
    }
}

INSTANTIATE_TEST_SUITE_P(Walls, DryWalls, testing::Values("extrapolated", "modified-dynamic", "pressure-cloning"),
                         [](const auto& info) {
                             return info.param[0] == 'e'   ? "Extrapolated"
                                    : info.param[0] == 'm' ? "ModifiedDynamic"
                                                           : "PressureCloning";
                         });

// Kinetic energy, J/m, of a wide pool that is at rest, after a second.
double energy_of_a_pool(const char* walls)
{
    Simulation simulation = simulation_of(problem_of(
        "still-water",
        {"resolution.spacing=0.025", "shapes.tank.hollow_box.to=[1.2,0.4]", "shapes.water.box.to=[1.2,0.15]",
         "fluid.sound_speed=20", "fluid.artificial_viscosity=0.03", std::string("numerics.walls=") + walls}));
    while (simulation.time() < 1) simulation.step();
    return simulation.ledger_row().kinetic;
}

// The fluid's own gradient, continued into walls, feeds sound in such a pool (docs/physics.md); that of fluid at rest
// does not.
TEST(PressureCloning, LeavesAPoolAtRest)
{
    EXPECT_LT(energy_of_a_pool("pressure-cloning"), 3e-3);
    EXPECT_GT(energy_of_a_pool("modified-dynamic"), 3e-2);
}

// How many of the 576 particles of `slam` are more than half a spacing behind a wall at the end: without the contact
// pressure six in extrapolated walls, and two in modified dynamic ones after 0.1 s.
int behind_walls(const Overrides& more)
{
    const Problem problem = problem_as_given(slam, more);
    Simulation simulation = simulation_of(problem);
    while (simulation.time() < problem.source.time.end) simulation.step();
    const Particles now = particles_of(simulation);
    const double spacing = problem.source.resolution.spacing;
    const double size[3] = {0.6, 0.4, 0.8};
    int fluid = 0, beyond = 0;
    for (std::size_t i = 0; i < now.kind.size(); ++i) {
        if (now.kind[i] != 0) continue;
        ++fluid;
        bool out = false;
        for (int c = 0; c < 3; ++c) {
            const double x = now.position[3 * i + c];
            out = out || x < -0.5 * spacing || x > size[c] + 0.5 * spacing;
        }
        if (out) ++beyond;
    }
    EXPECT_EQ(fluid, 576);
    return beyond;
}

TEST(ExtrapolatedWalls, HoldASplash) { EXPECT_EQ(behind_walls({}), 0); }
TEST(ModifiedDynamicWalls, HoldASplash) { EXPECT_EQ(behind_walls(mirrored + Overrides{"time.end=0.1"}), 0); }

// A particle of fluid alone, by a floor of four layers that it approaches: walls take its pressure, none as yet, and
// its contact pressure, by the formulas of docs/physics.md for sums over the floor.
void expect_contact_pressure_of_one_particle(const Overrides& walls)
{
    const double spacing = 0.05, c0 = 20, speed = 0.3;
    const double h = 2 * spacing;
    for (const double height : {-0.3, 0.0, 0.07, 0.085, 0.3}) {  // spacings over the face
        Problem problem =
            problem_from(channel, in_double + walls +
                                      Overrides{"gravity=[0,0]", "numerics.density_diffusion=molteni-colagrossi",
                                                "resolution.smoothing_ratio=2",
                                                "shapes.water.box={from=[0.5,0],to=[0.55,0.05]}", "time.cfl=1e-6"});
        for (InitialParticle& particle : problem.particles.stored()) {
            if (particle.kind != Kind::fluid) continue;
            const double y = particle.cell[1] + particle.offset[1] + (height - 0.5) * spacing / problem.units.length;
            particle.cell[1] = static_cast<int>(std::floor(y + 0.5));
            particle.offset[1] = static_cast<float>(y - particle.cell[1]);
            particle.velocity[1] = static_cast<float>(-speed / problem.units.velocity);
        }
        Simulation simulation = simulation_of(problem);
        simulation.step();
        const Particles now = particles_of(simulation);
        double contacts = 0, rate = 0;
        for (int column = -6; column <= 6; ++column) {
            for (int layer = 0; layer < 4; ++layer) {
                const double y = (height + layer + 0.5) * spacing;
                const double r = std::hypot(column * spacing, y);
                const double q = r / h;
                if (q >= 2) continue;
                contacts += std::pow(std::max(0.0, 1 - r / (1.2 * spacing)), 2);
                const double gradient = 7 / (4 * std::numbers::pi * h * h) * 5 / (h * h) * std::pow(1 - q / 2, 3);
                rate += spacing * spacing * speed * y * gradient;
            }
        }
        const double touch = std::clamp((contacts - 0.25) / 0.02, 0.0, 1.0);
        const double expected = touch * 2 * 1000 * std::max(0.0, 4.0 / 3 * h * rate) * c0;
        const bool touches = height < 0.1;
        EXPECT_EQ(expected > 0, touches) << height;
        const auto one = static_cast<std::size_t>(std::ranges::find(now.kind, 0) - now.kind.begin());
        int near_walls = 0;
        for (std::size_t i = 0; i < now.kind.size(); ++i) {
            if (now.kind[i] == 0 || now.position[3 * i + 1] > 0) continue;
            const double away = std::hypot(now.position[3 * i] - now.position[3 * one],
                                           now.position[3 * i + 1] - now.position[3 * one + 1]);
            const bool near = away < 0.999 * 2 * h;
            if (near) ++near_walls;
            EXPECT_NEAR(now.pressure[i], near ? expected : 0, 1e-3 * speed * c0 * 1000) << height << ", " << away;
        }
        EXPECT_GT(near_walls, 10) << height;
    }
}

TEST(ExtrapolatedWalls, TakeTheContactPressureOfOneParticle) { expect_contact_pressure_of_one_particle(extrapolated); }
TEST(ModifiedDynamicWalls, TakeTheContactPressureOfOneParticle) { expect_contact_pressure_of_one_particle(mirrored); }

// Steady flow in a channel 1 m wide with `across` particles: where the fluid would be at rest if the profile of its
// middle went on, in spacings behind the lower plate's face. Couette's profile is a straight line whatever the
// viscosity, Poiseuille's a parabola.
double resting_place(const std::string& name, int across, const Overrides& more)
{
    const double spacing = 1.0 / across;
    const double length = 16 * spacing;
    const double thick = 4 * spacing;
    Simulation simulation = simulation_of(
        problem_of(name, Overrides{fmt::format("resolution.spacing={}", spacing), fmt::format("period=[{},0]", length),
                                   fmt::format("shapes.lower-plate.box={{from=[0,{}],to=[{},0]}}", -thick, length),
                                   fmt::format("shapes.upper-plate.box={{from=[0,1],to=[{},{}]}}", length, 1 + thick),
                                   fmt::format("shapes.fluid.box.to=[{},1]", length)} +
                             more));
    while (simulation.time() < 10) simulation.step();  // e^(-pi^2 nu t / L^2) is 5e-5 then
    const Particles now = particles_of(simulation);
    // Least squares of u = a + b X, X = y or (y - 1/2)^2, in the middle of the channel.
    Eigen::Matrix2d products = Eigen::Matrix2d::Zero();
    Eigen::Vector2d right = Eigen::Vector2d::Zero();
    for (std::size_t i = 0; i < now.kind.size(); ++i) {
        const double y = now.position[3 * i + 1];
        if (now.kind[i] != 0 || y < 0.25 || y > 0.75) continue;
        const Eigen::Vector2d powers(1, name == "couette-2d" ? y : (y - 0.5) * (y - 0.5));
        products += powers * powers.transpose();
        right += powers * now.velocity[3 * i];
    }
    const Eigen::Vector2d line = products.ldlt().solve(right);
    const double rest = -line[0] / line[1];
    return (name == "couette-2d" ? -rest : std::sqrt(rest) - 0.5) / spacing;
}

class PlateFlow : public testing::TestWithParam<const char*> {};

// Dynamic walls have their own velocity wherever they lie, so the fluid comes to rest 0.71 spacings behind the face at
// every resolution: an error of first order. The mirrored velocity takes all but a fiftieth of that away; what is left
// of a straight profile is 0.014 spacings, of a curved one less than 0.03, which falls with the curvature.
TEST_P(PlateFlow, ComesToRestAtTheFace)
{
    const std::string name = GetParam();
    const double dynamic_coarse = resting_place(name, 16, {"numerics.walls=dynamic"});
    const double dynamic_fine = resting_place(name, 32, {"numerics.walls=dynamic"});
    EXPECT_NEAR(dynamic_coarse, 0.71, 0.03);
    EXPECT_NEAR(dynamic_fine, 0.71, 0.03);
    const double coarse = resting_place(name, 16, extrapolated);
    const double fine = resting_place(name, 32, extrapolated);
    EXPECT_LT(std::abs(coarse), 0.04);
    EXPECT_LT(std::abs(fine), 0.02);
    const double image_coarse = resting_place(name, 16, mirrored);
    const double image_fine = resting_place(name, 32, mirrored);
    RecordProperty("image_coarse", std::to_string(image_coarse));
    RecordProperty("image_fine", std::to_string(image_fine));
    EXPECT_LT(std::abs(image_coarse), 0.06);
    EXPECT_LT(std::abs(image_fine), 0.03);
}

INSTANTIATE_TEST_SUITE_P(Plates, PlateFlow, testing::Values("couette-2d", "poiseuille-2d"));

// Fluid that slides along plates as a whole keeps its velocity where they do not hold it, in either kind of wall and by
// any viscosity; where they do, it loses some.
TEST(FreeSlip, LeavesASlidingFluidAlone)
{
    for (const char* walls : {"dynamic", "extrapolated"}) {
        for (const char* viscosity : {"artificial_viscosity=0.2", "laminar_viscosity=morris",
                                      "laminar_viscosity=monaghan-gingold", "laminar_viscosity=brookshaw"}) {
            Overrides overrides = {"gravity=[0,0]", std::string("numerics.walls=") + walls,
                                   "shapes.water.velocity=[1,0]", std::string("fluid.") + viscosity};
            if (std::string(viscosity).starts_with("laminar")) overrides.push_back("fluid.kinematic_viscosity=0.1");
            const auto lost = [&](const char* slip) {
                const Problem problem =
                    problem_from(channel, overrides + Overrides{std::string("numerics.wall_slip=") + slip});
                Simulation simulation = simulation_of(problem);
                const double start = simulation.ledger_row().momentum_x;
                for (int step = 0; step < 200; ++step) simulation.step();
                return 1 - simulation.ledger_row().momentum_x / start;
            };
            EXPECT_NEAR(lost("free-slip"), 0, 1e-6) << walls << ", " << viscosity;
            EXPECT_GT(lost("no-slip"), 1e-3) << walls << ", " << viscosity;
        }
    }
}

}  // namespace
}  // namespace halfulp::test
