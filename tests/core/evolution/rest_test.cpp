// What the defaults promise: water at rest stays at rest, a drop keeps its energy, and a first collapse has the
// pressures of water.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "tests/core/backends/cases.hpp"

namespace halfulp::test {
namespace {

const std::string still = R"(
resolution = { spacing = 0.05 }
fluid = { sound_speed = 22.2, artificial_viscosity = 0.05 }
time = { end = 20 }
output = { interval = 20 }
shapes = [
    { name = "tank",  kind = "wall",  hollow_box = { from = [0, 0], to = [1, 0.75] } },
    { name = "water", kind = "fluid", box = { from = [0, 0], to = [1, 0.5] }, hydrostatic = true },
]
)";
constexpr double depth = 0.5;
constexpr double g = 9.81;

struct Rest {
    double speed;     // root mean square, over sqrt(g H)
    double rise;      // of the centre of mass in the last 10 of 20 s, over H
    double work;      // of diffusion in these, over what it had done before
    double pressure;  // root mean square of its error, over rho g H
};

Rest at_rest(const Overrides& overrides)
{
    const Problem problem = problem_as_given(still, overrides);
    Simulation simulation = simulation_of(problem);
    while (simulation.time() < 10) simulation.step();
    const LedgerRow before = simulation.ledger_row();
    while (simulation.time() < 20) simulation.step();
    const LedgerRow after = simulation.ledger_row();
    const Snapshot snapshot = simulation.snapshot();
    const auto kind = values_of<std::uint8_t>(column(snapshot, "kind"));
    const auto place = values_of<double>(column(snapshot, "position"));
    const auto pressure = values_of<float>(column(snapshot, "pressure"));
    double mass = 0;
    double error2 = 0;
    for (std::size_t i = 0; i < kind.size(); ++i) {
        if (kind[i] != 0) continue;
        mass += 1;
        const double expected = std::max(0.0, depth - place[3 * i + 1]) / depth;
        error2 += std::pow(double(pressure[i]) / (1000 * g * depth) - expected, 2);
    }
    const double weight = 1000 * depth * g;  // of a metre of width
    return {std::sqrt(2 * after.kinetic / (1000 * depth)) / std::sqrt(g * depth),
            (after.potential - before.potential) / weight / depth,
            (after.diffusion_work - before.diffusion_work) / std::abs(before.diffusion_work), std::sqrt(error2 / mass)};
}

// The diffusion is off where the discrete forces are in equilibrium. Any that is not goes on lifting the water: this
// test sees it.
TEST(WaterAtRest, StaysAsItIs)
{
    const Rest rest = at_rest({});
    EXPECT_LT(rest.speed, 1e-5);
    EXPECT_LT(std::abs(rest.rise), 1e-6);
    EXPECT_LT(std::abs(rest.work), 0.01);
    EXPECT_LT(rest.pressure, 0.03);
    const Rest lifted = at_rest({"numerics.density_diffusion=fourtakas"});
    EXPECT_GT(lifted.rise, 1e-4);
    EXPECT_GT(lifted.work, 0.1);
}

// The drop of cases/oscillating-drop-2d.toml, 20 spacings in radius: what it loses in one period of its motion, as a
// share of its energy, be it to sound or to diffusion.
double loss_of_the_drop(const Overrides& overrides)
{
    const std::string drop = R"toml(
gravity = [0, 0]
central_force = { rate = 1, centre = [0, 0] }
resolution = { spacing = 0.05 }
fluid = { sound_speed = 15, artificial_viscosity = 0 }
time = { end = 4.8273, step = "fixed" }
output = { interval = 5 }
[[shapes]]
name = "drop"
kind = "fluid"
circle = { centre = [0, 0], radius = 1 }
velocity = ["x", "-y"]
pressure = "1000 * (1 - x^2 - y^2)"
)toml";
    const Problem problem = problem_as_given(drop, overrides);
    Simulation simulation = simulation_of(problem);
    const LedgerRow before = simulation.ledger_row();
    while (simulation.time() < 4.8273) simulation.step();
    const LedgerRow after = simulation.ledger_row();
    const double energy = before.kinetic + before.central;
    return (energy - (after.kinetic + after.central)) / energy;
}

// The diffusion takes no more of the motion than becomes sound without it: it has no linear part of a pressure to act
// on, whatever holds the water together.
TEST(OscillatingDrop, KeepsItsEnergyAsWithoutDiffusion)
{
    const double without = loss_of_the_drop({"numerics.density_diffusion=none"});
    EXPECT_LT(loss_of_the_drop({}), 0.8 * without);  // 0.0068 of 0.0096
    EXPECT_GT(loss_of_the_drop({"numerics.density_diffusion=molteni-colagrossi"}), 0.9 * without);
}

// The first case of the README, as it stands there.
std::string case_of_the_readme()
{
    std::ifstream file(std::string(HALFULP_TEST_SOURCE) + "/README.md");
    std::stringstream text;
    text << file.rdbuf();
    const std::string all = text.str();
    const std::size_t start = all.find("```toml\n") + 8;
    return all.substr(start, all.find("```", start) - start);
}

TEST(FirstResult, OfTheReadmeHasThePressuresOfWater)
{
    const Problem problem = problem_as_given(case_of_the_readme());
    constexpr double height = 0.3;
    constexpr double spacing = 0.02;
    Simulation simulation = simulation_of(problem);
    double lowest = 0;
    double highest = 0;
    for (double look = 0.01; simulation.time() < problem.source.time.end; look += 0.01) {
        while (simulation.time() < look) simulation.step();
        const Snapshot snapshot = simulation.snapshot();
        const auto kind = values_of<std::uint8_t>(column(snapshot, "kind"));
        const auto place = values_of<double>(column(snapshot, "position"));
        const auto pressure = values_of<float>(column(snapshot, "pressure"));
        double over_dry_floor = 1;
        for (std::size_t i = 0; i < kind.size(); ++i) {
            if (kind[i] != 0) continue;
            lowest = std::min(lowest, double(pressure[i]) / (1000 * g * height));
            highest = std::max(highest, double(pressure[i]) / (1000 * g * height));
            if (place[3 * i] > height + 2.5 * spacing) over_dry_floor = std::min(over_dry_floor, place[3 * i + 1]);
        }
        if (over_dry_floor < 1) {
            EXPECT_LT(std::abs(over_dry_floor / spacing - 0.5), 0.7) << simulation.time();
        }
    }
    // Asked are -0.2 and 1.3. A start under the water's weight, with its wave of sound, has -0.15 and 1.12.
    EXPECT_GT(lowest, -0.1);
    EXPECT_LT(highest, 1.0);
    EXPECT_GT(highest, 0.6) << "it was looked at";
}

}  // namespace
}  // namespace halfulp::test
