// What probes say of flows that are known: still water, a block that moves as a whole, and walls that carry a weight.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/evolution/probe_recorder.hpp"
#include "tests/core/backends/cases.hpp"
#include "tests/core/setup/case_text.hpp"

namespace halfulp::test {
namespace {

// 40 x 20 particles of water in a tank that they fill to a depth of 0.4 m. Every probe stands on a plane of the
// lattice, so that particles lie mirror-symmetric about it.
const std::string tank = R"(
[resolution]
spacing = 0.02
[fluid]
sound_speed = 28
artificial_viscosity = 0.1
[time]
end = 1
[output]
interval = 1
[[shapes]]
name = "tank"
kind = "wall"
hollow_box = { from = [0, 0], to = [0.8, 0.8] }
[[shapes]]
name = "water"
kind = "fluid"
box = { from = [0, 0], to = [0.8, 0.4] }
)";

std::string probe(const std::string& name, const std::string& measures, const std::string& rest)
{
    return "[[probes]]\nname = \"" + name + "\"\nmeasures = \"" + measures + "\"\n" + rest + "\n";
}

std::vector<std::vector<double>> sample_all(const Simulation& simulation, const Problem& problem)
{
    std::vector<std::size_t> all(problem.source.probes.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return simulation.sample(all);
}

constexpr double rho_g = 1000 * 9.81;

// Hydrostatic densities come from the exact inverse of the equation of state, to a float's rounding: 1e-6 of rho g d.
// Weights are symmetric but for the volumes, which differ by g h / c0^2, 5e-4, across the kernel: the second moment of
// the kernel, 0.3 h^2, times that over h is 1e-5 m of water. The sum of the weights is 2 or 3e-3 short of 1 for h = 2
// spacings, and another 2.5e-3 as water under pressure has less volume. The outermost layer of the wall, 4 spacings
// from the fluid, starts without pressure; it has 3e-4 of the weight.
TEST(Probes, PressureInStillWater)
{
    const Problem problem =
        problem_from(tank + "hydrostatic = true\n" + probe("bulk", "pressure", "at = [0.4, 0.2]") +
                     probe("wall", "pressure", "at = [0.8, 0.2]") + probe("air", "pressure", "at = [0.4, 0.6]"));
    const auto values = sample_all(simulation_of(problem), problem);
    const double expected = rho_g * 0.2;
    ASSERT_EQ(values[0].size(), 4U);
    EXPECT_NEAR(values[0][0], expected, 5e-3 * expected);
    EXPECT_NEAR(values[0][1], expected, 1e-4 * expected);
    EXPECT_EQ(values[0][2], values[0][0]) << "no wall is near";
    EXPECT_EQ(values[0][3], values[0][1]);
    // Fluid and wall are mirror images here: the fluid has half of the weight.
    EXPECT_NEAR(values[1][0], expected / 2, 5e-3 * expected);
    EXPECT_NEAR(values[1][1], expected, 1e-4 * expected);
    EXPECT_NEAR(values[1][2], expected, 5e-3 * expected);
    EXPECT_NEAR(values[1][3], expected, 5e-4 * expected);
    EXPECT_EQ(values[2], (std::vector<double>{0, 0, 0, 0}));
}

// On a floor all of the fluid is above the probe: what it sees is the pressure at the half kernel's centre, which in 2D
// is 2/pi of the mean of r above it. The sum over particles has that to 1e-3 m.
TEST(Probes, PressureOnAFloorIsThatOfTheKernelsCentre)
{
    const Problem problem = problem_from(tank + "hydrostatic = true\n" + probe("floor", "pressure", "at = [0.4, 0]"));
    const auto values = sample_all(simulation_of(problem), problem);
    const double mean_of_r = [] {
        double moment = 0, weight = 0;
        for (double q = 0.0005; q < 2; q += 0.001) {
            moment += WendlandC2::shape(q) * q * q;
            weight += WendlandC2::shape(q) * q;
        }
        return moment / weight * 0.04;
    }();
    EXPECT_NEAR(values[0][1], rho_g * (0.4 - 2 / std::numbers::pi * mean_of_r), rho_g * 1e-3);
    EXPECT_NEAR(values[0][3], rho_g * 0.4, rho_g * 1e-3) << "walls continue the pressure";
}

// Columns of particles, weighted by the kernel: their sum is that of the trapezoidal rule, 2e-3 off for h = 2 spacings,
// and as much again where the kernel is cut off on its slope.
TEST(Probes, LevelOfABlock)
{
    const Problem problem =
        problem_from(tank + probe("middle", "level", "at = [0.4, 0]") +
                     probe("beside_the_wall", "level", "at = [0, 0]\nwithin = { from = [0, 0], to = [0.8, 0.8] }") +
                     probe("near_the_wall", "level", "at = [0.76, 123]\nwithin = { from = [0, 0], to = [0.8, 0.8] }") +
                     probe("cut_off", "level", "at = [0, 0]") +
                     probe("lower_half", "level", "at = [0.4, 0]\nwithin = { from = [0, 0], to = [0.8, 0.2] }"));
    const auto values = sample_all(simulation_of(problem), problem);
    for (const std::size_t k : {0U, 1U, 2U}) EXPECT_NEAR(values[k].at(0), 0.4, 5e-3 * 0.4) << k;
    EXPECT_NEAR(values[3].at(0), 0.2, 3e-3 * 0.4);
    EXPECT_NEAR(values[4].at(0), 0.2, 3e-3 * 0.4);
}

const std::string floor_along_a_period =
    "period = [0.8, 0]\n" +
    with(tank, "hollow_box = { from = [0, 0], to = [0.8, 0.8] }", "box = { from = [0, -0.2], to = [0.8, 0] }");

// The water stays at rest over a floor that slides twice around a period of 0.24 m.
TEST(Probes, FollowAWallAroundThePeriod)
{
    std::string text = floor_along_a_period;
    for (const char* width : {"[0.8, 0]", "[0.8, 0]", "[0.8, 0.4]"})
        text = with(text, width, "[0.24" + std::string(width).substr(4));
    const Problem problem =
        problem_from(text + "hydrostatic = true\n[[motions]]\nname = \"slide\"\nbodies = [\"tank\"]\n" +
                     "[motions.translation]\ndirection = [1, 0]\nsteady = { rate = 2 }\n" +
                     probe("fixed", "pressure", "at = [0.12, 0]") +
                     probe("carried", "pressure", "at = [0.12, 0]\nattached = \"slide\"") +
                     probe("about", "force", "about = [0.12, 0]\nattached = \"slide\""));
    Simulation simulation = simulation_of(problem);
    while (simulation.time() < 0.24) simulation.step();
    const auto values = sample_all(simulation, problem);
    EXPECT_NEAR(values[0].at(1), rho_g * 0.4, 0.2 * rho_g * 0.4);
    EXPECT_NEAR(values[1].at(1), values[0].at(1), 0.02 * values[0].at(1));
    EXPECT_LT(std::abs(values[2].at(2)), 0.1 * 0.24 * std::abs(values[2].at(1)))
        << "of a load that is even, over 0.24 m";
}

// A box of a whole period has all of the kernel wherever the gauge stands, and one that ends at the period what is in
// it.
TEST(Probes, LevelInABoxAlongAPeriod)
{
    const std::string whole = "within = { from = [0, 0], to = [0.8, 0.8] }";
    const Problem problem = problem_from(
        floor_along_a_period + probe("middle", "level", "at = [0.4, 0]\n" + whole) +
        probe("edge", "level", "at = [0, 0]\n" + whole) + probe("near", "level", "at = [0.03, 0]\n" + whole) +
        probe("half", "level", "at = [0, 0]\nwithin = { from = [0, 0], to = [0.4, 0.8] }"));
    const auto values = sample_all(simulation_of(problem), problem);
    for (std::size_t k = 0; k < values.size(); ++k) EXPECT_NEAR(values[k].at(0), 0.4, 5e-3 * 0.4) << k;
}

TEST(Probes, LevelOfABlockInThreeDimensions)
{
    const Problem problem = problem_of(
        "dam-break-3d", small_3d + Overrides{"resolution.smoothing_ratio=2", "shapes.water.box.to=[1.2, 0.6, 0.4]",
                                             "shapes.water.without=[\"structure\"]",
                                             "probes=[{name=\"corner\",measures=\"level\",at=[0,0,0],within={from="
                                             "[0,0,0],to=[1.2,0.6,0.6]}},{name=\"side\",measures=\"level\",at=[0.4,0,"
                                             "0],within={from=[0,0,0],to=[1.2,0.6,0.6]}}]"});
    const auto values = sample_all(simulation_of(problem), problem);
    EXPECT_NEAR(values[0].at(0), 0.4, 5e-3 * 0.4) << "a quarter of the kernel";
    EXPECT_NEAR(values[1].at(0), 0.4, 5e-3 * 0.4) << "half of it";
}

TEST(Probes, FlowAndVelocityOfABlockThatMovesAsAWhole)
{
    const Problem problem = problem_from(
        tank + "velocity = [1.5, -0.5]\n" + probe("along", "flow", "at = [0.4, 0]\nnormal = [3, 0]") +
        probe("against", "flow", "at = [0.4, 0]\nnormal = [-0.1, 0]") +
        probe("down", "flow", "at = [0.2, 0.2]\nnormal = [0, 1]\nwithin = { from = [0.2, 0], to = [0.6, 0.4] }") +
        probe("outside", "flow", "at = [0.4, 0.7]\nnormal = [0, 1]") +
        probe("thin", "flow", "at = [0.4, 0]\nnormal = [1, 0]\nwithin = { from = [0.4, 0], to = [0.41, 0.8] }") +
        probe("oblique", "flow", "at = [0.4, 0.2]\nnormal = [1, 1]\nwithin = { from = [0.3, 0.1], to = [0.5, 0.3] }") +
        probe("point", "velocity", "at = [0.11, 0.333]"));
    const auto values = sample_all(simulation_of(problem), problem);
    EXPECT_NEAR(values[0].at(0), 1.5 * 0.4, 3e-3 * 0.6);
    EXPECT_NEAR(values[1].at(0), -1.5 * 0.4, 3e-3 * 0.6);
    EXPECT_NEAR(values[2].at(0), -0.5 * 0.4, 3e-3 * 0.2);
    EXPECT_EQ(values[3].at(0), 0);
    // What counts of a box is the part of the plane inside, however near its other faces are.
    EXPECT_NEAR(values[4].at(0), 1.5 * 0.4, 3e-3 * 0.6);
    EXPECT_NEAR(values[5].at(0), (1.5 - 0.5) / std::numbers::sqrt2 * 0.2 * std::numbers::sqrt2, 0.02 * 0.2);
    ASSERT_EQ(values[6].size(), 2U);
    EXPECT_NEAR(values[6][0], 1.5, 1e-7);
    EXPECT_NEAR(values[6][1], -0.5, 1e-7);
}

// Floor and sides as bodies of their own, and probes of the force on them.
const std::string walls = R"(
[resolution]
spacing = 0.02
[fluid]
sound_speed = 28
artificial_viscosity = 0.3
[time]
end = 1
[output]
interval = 1
[[shapes]]
name = "floor"
kind = "wall"
box = { from = [-0.1, -0.1], to = [0.9, 0] }
[[shapes]]
name = "left"
kind = "wall"
box = { from = [-0.1, 0], to = [0, 0.8] }
[[shapes]]
name = "right"
kind = "wall"
box = { from = [0.8, 0], to = [0.9, 0.8] }
[[shapes]]
name = "water"
kind = "fluid"
box = { from = [0, 0], to = [0.8, 0.4] }
hydrostatic = true
)" + probe("all", "force", "interval = 1e-4") +
                          probe("floor", "force", "bodies = [\"floor\"]\ninterval = 1e-4") +
                          probe("sides", "force", "bodies = [\"right\", \"left\"]") +
                          probe("elsewhere", "force", "about = [0.4, 2]");

// Pairs push alike both ways, so the force on the walls is what the fluid's own acceleration and weight leave: a sum of
// 800 accelerations, each rounded to a float, of at most some 100 m/s^2.
TEST(Probes, ForceOnWallsIsThatOnTheFluidReversed)
{
    const Problem problem = problem_from(walls);
    Simulation simulation = simulation_of(problem);
    for (int step = 0; step < 50; ++step) simulation.step();
    const Rates rates = simulation.backend().rates();
    double x = 0;
    double y = 0;
    for (std::size_t id = 0; id < problem.particles.size(); ++id) {
        if (problem.particles[id].kind != Kind::fluid) continue;
        x += rates.leading[id][0];
        y += rates.leading[id][1] - static_cast<double>(problem.parameters.gravity[1]);
    }
    const double unit = problem.units.mass * problem.units.acceleration();
    const auto values = sample_all(simulation, problem);
    const double tolerance = 0.4 * 800 * 100 * 2e-7;
    ASSERT_EQ(values[0].size(), 3U);
    EXPECT_NEAR(values[0][0], -x * unit, tolerance);
    EXPECT_NEAR(values[0][1], -y * unit, tolerance);
    EXPECT_GT(std::abs(values[0][1]), 1000);
    // All is the floor and the sides, and moments belong to where they are about: M' = M - d x F.
    for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(values[0][c], values[1][c] + values[2][c], 1e-9 * 1e4);
    EXPECT_EQ(values[3][0], values[0][0]);
    EXPECT_NEAR(values[3][2], values[0][2] - (0.4 * values[0][1] - 2 * values[0][0]), 1e-6 * 1e4);
}

// Over a time T the mean force and the weight differ by what momentum the water has won over T: at most 0.02 m/s of its
// mean velocity in 0.4 s, 0.5 % of g. The sides carry some of the weight, as their particles next to the water press it
// obliquely; the floor's own share is within 5 %.
TEST(Probes, WallsUnderStillWaterCarryItsWeight)
{
    const Problem problem = problem_from(walls);
    Simulation simulation = simulation_of(problem);
    ProbeRecorder recorder(problem);
    recorder.look(simulation);
    while (simulation.time() < 0.4) {
        simulation.step();
        recorder.look(simulation);
    }
    const double weight = rho_g * 0.8 * 0.4;
    const auto mean = [&](std::size_t series, const char* column) {
        const ProbeSeries& one = recorder.series()[series];
        const auto& time = one.time();
        double integral = 0;
        for (std::size_t i = 1; i < time.size(); ++i)
            integral += (one[column][i] + one[column][i - 1]) / 2 * (time[i] - time[i - 1]);
        return integral / (time.back() - time.front());
    };
    EXPECT_NEAR(mean(0, "force_y"), -weight, 0.01 * weight);
    EXPECT_NEAR(mean(1, "force_y"), -weight, 0.05 * weight);
    EXPECT_NEAR(mean(0, "force_x"), 0, 0.01 * weight);
    EXPECT_NEAR(mean(0, "moment_z"), -weight * 0.4, 0.01 * weight * 0.4);
}

const std::string probes_of_every_kind =
    probe("pressure", "pressure", "at = [0, 0.1]\ninterval = 0.004") +
    probe("velocity", "velocity", "at = [0.25, 0.05]") + probe("level", "level", "at = [0.3, 0]") +
    probe("force", "force", "bodies = [\"tank\"]") +
    probe("flow", "flow", "at = [0.25, 0]\nnormal = [1, 0.2]\nwithin = { from = [0, 0], to = [0.8, 0.6] }");

// Neither threads and lanes nor a move by whole cells change a bit of what is measured, nor do probes one of the state.
TEST(Probes, HaveTheSameBitsWhereverAndHoweverTheyAreTaken)
{
    const Overrides flowing = {"shapes.water.box.to=[0.3, 0.5]"};
    const auto series_of = [&](const Overrides& overrides, const CpuOptions& options, StateHash& hash) {
        const Problem problem = problem_from(tank + probes_of_every_kind, flowing + overrides);
        Simulation simulation = simulation_of(problem, options);
        ProbeRecorder recorder(problem);
        recorder.look(simulation);
        for (int step = 0; step < 150; ++step) {
            simulation.step();
            recorder.look(simulation);
        }
        hash = simulation.snapshot().hash;
        std::vector<std::vector<std::vector<double>>> values;
        for (const ProbeSeries& series : recorder.series()) values.push_back(series.values);
        return values;
    };
    StateHash hash, other, bare;
    const auto here = series_of({}, {.threads = 1, .lanes = 1}, hash);
    for (const auto& series : here) EXPECT_NE(series.back().front(), series.back().back());
    EXPECT_EQ(series_of({}, {.threads = 3, .lanes = 8}, other), here);
    EXPECT_EQ(hash, other);
    EXPECT_EQ(series_of({"origin.cells=[1000000000,-70000]"}, {.threads = 2, .lanes = 8}, other), here);

    const Problem without = problem_from(tank, flowing);
    Simulation simulation = simulation_of(without);
    for (int step = 0; step < 150; ++step) simulation.step();
    bare = simulation.snapshot().hash;
    EXPECT_EQ(hash, bare);
}

TEST(Probes, AreTakenAtTheFirstStepThatReachesEachMultiple)
{
    const Problem problem = problem_from(tank + probe("often", "level", "at = [0.4, 0]\ninterval = 1e-6") +
                                         probe("seldom", "level", "at = [0.4, 0]\ninterval = 0.0025"));
    Simulation simulation = simulation_of(problem);
    ProbeRecorder recorder(problem);
    std::vector<double> times = {0};
    recorder.look(simulation);
    while (simulation.time() < 0.02) {
        simulation.step();
        recorder.look(simulation);
        recorder.look(simulation);
        times.push_back(simulation.time());
    }
    EXPECT_EQ(recorder.series()[0].time(), times) << "once a step";
    const std::vector<double>& seldom = recorder.series()[1].time();
    ASSERT_EQ(seldom.size(), 9U);
    for (std::size_t k = 0; k < seldom.size(); ++k) {
        const double due = static_cast<double>(k) * 0.0025;
        EXPECT_EQ(seldom[k], *std::lower_bound(times.begin(), times.end(), due)) << k;
    }
    const auto first = recorder.take_pending();
    EXPECT_EQ(first[1].time(), seldom);
    EXPECT_TRUE(recorder.take_pending()[1].time().empty());
}

}  // namespace
}  // namespace halfulp::test
