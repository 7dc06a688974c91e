// A tank that rolls: walls in their places, the ledger closed, and the same flow in the laboratory and in the tank's
// own frame.
#include "core/results/column_number.hpp"
#include "core/setup/policy_table.hpp"
#include "tests/core/backends/cases.hpp"

namespace halfulp::test {
namespace {

// Component c of particle i.
double number_of(const Snapshot& snapshot, std::string_view name, std::size_t i, int c)
{
    for (const Column& column : snapshot.columns) {
        if (column.name != name) continue;
        const std::size_t k = 3 * i + static_cast<std::size_t>(c);
        const bool wide = column.type == ColumnType::float64;
        double number = 0;
        float narrow = 0;
        if (wide) std::memcpy(&number, column.data.data() + 8 * k, 8);
        else std::memcpy(&narrow, column.data.data() + 4 * k, 4);
        return wide ? number : static_cast<double>(narrow);
    }
    throw input_error("there is no such column");
}

TEST(RollingTank, WallsAreWhereTheMotionHasThem)
{
    const Problem problem = problem_from(rolling_tank);
    for (const PolicyInfo& policy : policies()) {
        // Fixed-point states have no motions; of ablations a bundle's parts say enough, and quad takes long.
        if (!policy.bundle || policy.reversible || policy.number == "quad") continue;
        const std::string& precision = policy.name;
        Problem chosen = problem;
        chosen.source.numerics.precision = precision;
        Simulation simulation = simulation_of(chosen);
        const Snapshot start = simulation.snapshot();
        for (int k = 0; k < 60; ++k) simulation.step();
        const Snapshot end = simulation.snapshot();
        const Pose pose = problem.motions.front().at(simulation.time());
        const double side = problem.units.length;
        double farthest = 0;
        double fastest = 0;
        for (std::size_t i = 0; i < problem.particles.size(); ++i) {
            if (problem.particles[i].kind != Kind::wall) continue;
            Vec<3, double> anchor{};
            for (int c = 0; c < 2; ++c)
                anchor[c] = number_of(start, "position", i, c) / side - (pose.pivot_cell[c] + pose.pivot_offset[c]);
            const auto arm = turned(pose, anchor);
            for (int c = 0; c < 2; ++c) {
                const double x = (pose.pivot_cell[c] + (pose.pivot_offset[c] + arm[c])) * side;
                farthest = std::max(farthest, std::abs(number_of(end, "position", i, c) - x));
                fastest = std::max(fastest, std::abs(number_of(end, "velocity", i, c) -
                                                     velocity_at(pose, arm)[c] * problem.units.velocity));
            }
        }
        // Half an ulp of coordinates of up to 16 cells of 0.09 m, in single precision without a residual.
        EXPECT_LT(farthest, 0.09 * 8 * unit_roundoff<float> * 2) << precision;
        EXPECT_LT(fastest, 1e-6) << precision;
        EXPECT_GT(simulation.time(), 0.04);
    }
}

// The pressure of a full drum that turns steadily with its water: in its own frame it stays, in the laboratory it
// rises, as a warning says.
TEST(RollingTank, WaterThatTurnsWithItsDrumRestsInTheDrumsFrameOnly)
{
    const auto pressure_after = [](const Overrides& overrides, double end) {
        Simulation simulation = simulation_of(problem_as_given(
            R"toml(
gravity = [0, 0]
resolution = { spacing = 0.025 }
fluid = { sound_speed = 20, laminar_viscosity = "monaghan-gingold", kinematic_viscosity = 1e-3 }
time = { end = 8 }
output = { interval = 8 }
[[shapes]]
name = "drum"
kind = "wall"
circle = { centre = [0, 0], radius = 0.5 }
hollow = true
[[shapes]]
name = "water"
kind = "fluid"
circle = { centre = [0, 0], radius = 0.5 }
pressure = "2000*(x*x+y*y)"
[[motions]]
name = "turn"
rotation = { pivot = [0, 0], steady = { rate = 114.59155902616465 } }
)toml",
            overrides));
        while (simulation.time() < end) simulation.step();
        const Snapshot snapshot = simulation.snapshot();
        double sum = 0;
        double count = 0;
        for (std::size_t i = 0; i < snapshot.count; ++i) {
            if (number_at<std::uint8_t>(*find_column(snapshot, "kind"), i) != 0) continue;
            sum += static_cast<double>(number_at<float>(*find_column(snapshot, "pressure"), i));
            ++count;
        }
        return sum / count;
    };
    const double start = 2000 * 0.5 * 0.5 / 2;  // rho w^2 r^2/2 on average
    const double moving = pressure_after({"motions.turn.frame=moving"}, 2);
    const double laboratory = pressure_after({R"(shapes.water.velocity=["-2*y","2*x"])"}, 2);
    EXPECT_NEAR(moving, start, 0.15 * start);
    EXPECT_GT(laboratory, 2 * start) << "if this is mended, the warning and docs/physics.md are out of date";
    RecordProperty("moving", fmt::format("{}", moving));
    RecordProperty("laboratory", fmt::format("{}", laboratory));
}

// 10^9 cells away a coordinate in single precision cannot hold what the walls do: it stays, and nothing breaks by it.
TEST(RollingTank, IsFrozenFarAwayWhereCoordinatesAreGlobal)
{
    if (find_policy("naive") == nullptr) GTEST_SKIP() << "only halfulp-lab has naive: motion_lab_test";
    const Problem problem =
        problem_from(rolling_tank, {"numerics.precision=naive", "origin.cells=[1000000000,-1000000000]"});
    Simulation simulation = simulation_of(problem);
    const auto height_of = [&](const Snapshot& snapshot, std::size_t i) { return number_of(snapshot, "offset", i, 1); };
    const Snapshot start = simulation.snapshot();
    for (int k = 0; k < 20; ++k) simulation.step();
    const Snapshot end = simulation.snapshot();
    for (std::size_t i = 0; i < problem.particles.size(); ++i) EXPECT_EQ(height_of(start, i), height_of(end, i)) << i;
}

struct Balance {
    double residual = 0;
    LedgerRow last;
    double centre_x = 0, centre_y = 0;  // of the fluid in the frame of the laboratory, m
};

Balance roll(const Overrides& overrides, double end)
{
    const Problem problem = problem_from(rolling_tank, overrides);
    Simulation simulation = simulation_of(problem);
    Balance balance;
    while (simulation.time() < end) {
        simulation.step();
        balance.last = simulation.ledger_row();
        balance.residual = std::max(balance.residual, std::abs(balance.last.residual));
    }
    const Snapshot snapshot = simulation.snapshot();
    double fluid = 0;
    Vec<3, double> centre{};
    for (std::size_t i = 0; i < problem.particles.size(); ++i) {
        if (problem.particles[i].kind != Kind::fluid) continue;
        ++fluid;
        for (int c = 0; c < 2; ++c) centre[c] += number_of(snapshot, "position", i, c);
    }
    for (int c = 0; c < 2; ++c) centre[c] /= fluid;
    if (problem.physics.moving_frame) {
        const Pose pose = problem.motions.front().at(simulation.time());
        const double side = problem.units.length;
        Vec<3, double> anchor{};
        for (int c = 0; c < 2; ++c) anchor[c] = centre[c] / side - (pose.pivot_cell[c] + pose.pivot_offset[c]);
        const auto arm = turned(pose, anchor);
        for (int c = 0; c < 2; ++c) centre[c] = (pose.pivot_cell[c] + pose.pivot_offset[c] + arm[c]) * side;
    }
    balance.centre_x = centre[0];
    balance.centre_y = centre[1];
    return balance;
}

// What the walls do is booked, and what is left falls with the square of the step: inviscid, and with viscosity.
TEST(RollingTank, WallWorkClosesTheLedger)
{
    for (const Overrides& more : {Overrides{}, Overrides{"fluid.artificial_viscosity=0.1"}}) {
        const Overrides fixed = in_double + more + Overrides{"time.step=fixed"};
        const Balance coarse = roll(fixed + Overrides{"time.cfl=0.2"}, 0.4);
        const Balance fine = roll(fixed + Overrides{"time.cfl=0.1"}, 0.4);
        EXPECT_GT(std::abs(coarse.last.wall_work), 1);
        EXPECT_LT(coarse.residual, 5e-3 * std::abs(coarse.last.wall_work));
        EXPECT_GT(coarse.residual, 3 * fine.residual);
    }
}

TEST(RollingTank, InertialWorkClosesTheLedgerInTheTanksFrame)
{
    const Overrides own = in_double + Overrides{"time.step=fixed", "motions.roll.frame=moving"};
    const Balance coarse = roll(own + Overrides{"time.cfl=0.2"}, 0.4);
    const Balance fine = roll(own + Overrides{"time.cfl=0.1"}, 0.4);
    EXPECT_GT(std::abs(coarse.last.inertial_work), 1);
    EXPECT_EQ(coarse.last.wall_work, 0);
    EXPECT_LT(coarse.residual, 5e-3 * std::abs(coarse.last.inertial_work));
    EXPECT_GT(coarse.residual, 1.8 * fine.residual);
}

// The same flow in both frames: the centre of the fluid goes the same way, but for errors of the integrator, which
// fall with the step. With extrapolated walls and pressure cloning the acceleration of a wall in the one stands for the
// inertial force in the other; modified dynamic ones see either in the gradient of the density, and turn their images
// along.
TEST(RollingTank, BothFramesAgree)
{
    const Overrides fixed = in_double + Overrides{"time.step=fixed"};
    for (const Overrides& walls :
         {Overrides{}, Overrides{"numerics.walls=extrapolated"}, Overrides{"numerics.walls=modified-dynamic"},
          Overrides{"numerics.walls=pressure-cloning"}}) {
        const auto difference = [&](const char* cfl) {
            const Balance laboratory = roll(fixed + walls + Overrides{cfl}, 0.4);
            const Balance own = roll(fixed + walls + Overrides{cfl, "motions.roll.frame=moving"}, 0.4);
            return std::hypot(laboratory.centre_x - own.centre_x, laboratory.centre_y - own.centre_y);
        };
        const Balance still = roll(fixed + walls + Overrides{"motions.roll.rotation.sine.amplitude=0"}, 0.4);
        const Balance moving = roll(fixed + walls, 0.4);
        const double way = std::hypot(moving.centre_x - still.centre_x, moving.centre_y - still.centre_y);
        const double coarse = difference("time.cfl=0.2");
        const double fine = difference("time.cfl=0.05");
        EXPECT_GT(way, 0.01);
        EXPECT_LT(coarse, 0.01 * way);
        EXPECT_LT(fine, 0.5 * coarse);
    }
}

}  // namespace
}  // namespace halfulp::test
