// What a run is watched by: speeds against the speed of sound, a step that collapses, fluid that comes through walls.
#include "core/evolution/watch.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/results/column_number.hpp"
#include "tests/core/backends/cases.hpp"

namespace halfulp::test {
namespace {

LedgerRow row_of(double step, double time, double speed)
{
    LedgerRow row;
    row.step = step;
    row.time = time;
    row.max_speed = speed;
    return row;
}

// What the check before the first step says; nothing where it finds nothing.
std::optional<Breakdown> checked(const Problem& problem)
{
    const Simulation simulation = simulation_of(problem);
    try {
        Watch(problem).check(simulation, simulation.ledger_row());
    } catch (const SimulationBroke& broke) {
        return broke.breakdown;
    }
    return {};
}

TEST(Watch, TellsOnceThatTheFlowIsFastForItsSound)
{
    const Problem problem = problem_of("inviscid-tank-2d", {"fluid.sound_speed=30"});
    Watch watch(problem);
    watch.look(row_of(0, 0, 0));
    watch.look(row_of(10, 0.1, 3));
    EXPECT_TRUE(watch.take_news().empty()) << "a tenth is not too fast";
    EXPECT_TRUE(watch.warnings().empty());
    watch.look(row_of(20, 0.2, 3.1));
    const auto news = watch.take_news();
    ASSERT_EQ(news.size(), 1U);
    EXPECT_NE(news[0].find("since t = 0.2 s"), std::string::npos) << news[0];
    watch.look(row_of(30, 0.3, 6));
    watch.look(row_of(40, 0.4, 5));
    EXPECT_TRUE(watch.take_news().empty()) << "once";
    ASSERT_EQ(watch.warnings().size(), 1U);
    const std::string warning = watch.warnings()[0];
    EXPECT_NE(warning.find("since t = 0.2 s (at most 0.200 of it, at t = 0.3 s), where density varies by about 4.0 %"),
              std::string::npos)
        << warning;
}

TEST(Watch, TellsOnceThatTheFluidIsCompressed)
{
    const Problem problem = problem_of("inviscid-tank-2d", {});
    Watch watch(problem);
    LedgerRow row = row_of(10, 0.1, 1);
    row.max_density_deviation = 0.1;
    watch.look(row);
    EXPECT_TRUE(watch.take_news().empty());
    EXPECT_TRUE(watch.warnings().empty());
    row = row_of(20, 0.2, 1);
    row.max_density_deviation = 0.152;
    watch.look(row);
    ASSERT_EQ(watch.take_news().size(), 1U);
    row = row_of(30, 0.3, 1);
    row.max_density_deviation = 0.12;
    watch.look(row);
    EXPECT_TRUE(watch.take_news().empty()) << "once";
    ASSERT_EQ(watch.warnings().size(), 1U);
    const std::string warning = watch.warnings()[0];
    EXPECT_NE(warning.find("by more than 10 % (at most by 15.2 %, at t = 0.2 s)"), std::string::npos) << warning;
}

TEST(Watch, TellsOfABalanceThatDoesNotClose)
{
    const Problem problem = problem_of("inviscid-tank-2d", {});
    const double energy = problem.available_energy;
    ASSERT_GT(energy, 0);
    for (const double sign : {-1.0, 1.0}) {
        Watch watch(problem);
        LedgerRow row = row_of(0, 0, 0);
        row.total = energy;
        watch.look(row);
        row.time = 0.1;
        row.residual = sign * 0.0099 * energy;
        row.wall_pressure_work = 0.049 * energy;
        watch.look(row);
        EXPECT_TRUE(watch.warnings().empty());
        row = row_of(20, 0.2, 1);
        row.residual = sign * 0.0101 * energy;
        watch.look(row);
        watch.look(row_of(30, 0.3, 1));
        ASSERT_EQ(watch.warnings().size(), 1U);
        EXPECT_NE(watch.warnings()[0].find("residual has reached"), std::string::npos) << watch.warnings()[0];
        EXPECT_NE(watch.warnings()[0].find("at t = 0.2 s"), std::string::npos) << watch.warnings()[0];
    }
}

// Without gravity no energy is available, and a driven flow takes in more than there is.
TEST(Watch, KnowsWhatMovesTheFluid)
{
    const Problem drops = problem_of("colliding-drops-2d", {});
    ASSERT_EQ(drops.available_energy, 0);
    Watch watch(drops);
    LedgerRow row = row_of(0, 0, 0);
    row.total = row.kinetic = 1509;
    watch.look(row);
    row.residual = 0.135;
    watch.look(row);
    EXPECT_TRUE(watch.warnings().empty());
    row.residual = 15.2;
    watch.look(row);
    EXPECT_EQ(watch.warnings().size(), 1U);

    const Problem swayed = problem_of("sway-tank-2d", {});
    for (double LedgerRow::*const work : {&LedgerRow::wall_work, &LedgerRow::inertial_work, &LedgerRow::driving_work}) {
        Watch of_sway(swayed);
        row = row_of(0, 0, 0);
        of_sway.look(row);
        row.time = 1;
        row.*work = -100;
        row.wall_pressure_work = 4.9;
        of_sway.look(row);
        EXPECT_TRUE(of_sway.warnings().empty());
    }
}

// Of water at rest no energy is available; then that at the start counts.
TEST(Watch, TellsOfWorksThatFeedTheMotion)
{
    const Problem problem = problem_of("still-water", {"numerics.walls=modified-dynamic"});
    ASSERT_EQ(problem.available_energy, 0);
    struct Fed {
        double LedgerRow::*work;
        const char* name;
        const char* also;
    };
    for (const Fed& fed : {Fed{&LedgerRow::wall_pressure_work, "wall_pressure_work", "pressure-cloning"},
                           Fed{&LedgerRow::diffusion_work, "diffusion_work", "density diffusion has added"}}) {
        Watch watch(problem);
        LedgerRow row = row_of(0, 0, 0);
        row.total = 1000;
        watch.look(row);
        // What a wave exchanges, twenty times in all; then what stays.
        const auto look_until = [&](double end, const auto& work) {
            while (row.time < end) {
                row.time += 0.01;
                row.*fed.work = work(row.time);
                watch.look(row);
            }
        };
        look_until(10, [](double time) { return 0.02 + 0.5 * std::sin(4 * std::numbers::pi * time); });
        EXPECT_TRUE(watch.warnings().empty());
        look_until(40, [](double) { return 0.051; });
        ASSERT_EQ(watch.warnings().size(), 1U) << fed.name;
        for (const char* part :
             {"has added 0.051 J/m to the fluid's energy, 5.1 % of the 1 J/m that are a thousandth of the "
              "energy",
              fed.name, fed.also})
            EXPECT_NE(watch.warnings()[0].find(part), std::string::npos) << watch.warnings()[0];
    }
}

TEST(Watch, StopsWhatIsFasterThanSound)
{
    const auto at_speed = [](const char* speed) {
        return checked(problem_of("inviscid-tank-2d", {"fluid.sound_speed=30", "time.step=variable",
                                                       std::string("shapes.water.velocity=[") + speed + ", 0]"}));
    };
    EXPECT_FALSE(at_speed("30"));
    const auto broken = at_speed("-30.5");
    ASSERT_TRUE(broken);
    EXPECT_NE(broken->what.find("30.5 m/s, faster than sound"), std::string::npos) << broken->what;
    EXPECT_NE(broken->likely_cause.find("ten times the fastest flow"), std::string::npos) << broken->likely_cause;
    EXPECT_EQ(broken->kind, Kind::fluid);
}

// Of many as fast, the one of smallest id; alone, it is told from a flow that is too fast as a whole.
TEST(Watch, SaysWhichParticleIsFasterThanSound)
{
    Problem problem = problem_of("inviscid-tank-2d", {"fluid.sound_speed=30"});
    const std::size_t fast = problem.particles.size() - 3;
    ASSERT_EQ(problem.particles[fast].kind, Kind::fluid);
    problem.particles.stored()[fast].velocity[0] = static_cast<float>(31 / problem.units.velocity);
    const auto broken = checked(problem);
    ASSERT_TRUE(broken);
    EXPECT_EQ(broken->id, fast);
    problem.particles.stored()[fast].cell[1] += 40;
    const auto alone = checked(problem);
    ASSERT_TRUE(alone);
    EXPECT_EQ(alone->id, fast);
    EXPECT_NE(alone->likely_cause.find("left the flow"), std::string::npos) << alone->likely_cause;
    EXPECT_GT(alone->position[1], 1);
}

// The row of another step says nothing about this state.
TEST(Watch, GoesByTheRowOfTheState)
{
    const Problem problem = problem_of("inviscid-tank-2d", {"fluid.sound_speed=30"});
    const Simulation simulation = simulation_of(problem);
    EXPECT_NO_THROW(Watch(problem).check(simulation, row_of(10, 0.1, 100)));
}

TEST(Watch, StepThatGravityMakesCollapse)
{
    const auto under = [](const char* gravity) {
        return checked(
            problem_of("inviscid-tank-2d", {"time.step=variable", std::string("gravity=[0, ") + gravity + "]"}));
    };
    // h = 0.1 m, c0 = 31.32 m/s: c0 / sqrt(a h) is 0.0110 and 0.0090.
    EXPECT_FALSE(under("-0.8e8"));
    const auto broken = under("-1.2e8");
    ASSERT_TRUE(broken);
    EXPECT_NE(broken->what.find("by its acceleration of 1.2e+08 m/s^2"), std::string::npos) << broken->what;
    EXPECT_NE(broken->likely_cause.find("gravity"), std::string::npos) << broken->likely_cause;
    const auto boundless = under("-1e15");
    ASSERT_TRUE(boundless) << "the most that a case may have";
    EXPECT_NE(boundless->what.find("by its acceleration of 1e+15 m/s^2"), std::string::npos) << boundless->what;
}

TEST(Watch, StepThatSpeedMakesCollapse)
{
    Problem problem = problem_of("inviscid-tank-2d", {"time.step=variable"});
    ASSERT_FALSE(checked(problem));
    const std::size_t fast = problem.particles.size() - 3;
    problem.particles.stored()[fast].velocity[1] = static_cast<float>(-1e4 / problem.units.velocity);
    const auto broken = checked(problem);
    ASSERT_TRUE(broken);
    EXPECT_EQ(broken->id, fast);
    EXPECT_NE(broken->what.find("approach each other"), std::string::npos) << broken->what;
    EXPECT_NE(broken->what.find("at 1e+04 m/s"), std::string::npos) << broken->what;
}

// A fixed step does not collapse, and one that rounds to zero is the user's.
TEST(Watch, LeavesFixedStepsAlone)
{
    EXPECT_FALSE(checked(problem_of("inviscid-tank-2d", {"time.step=fixed", "time.size=1e-9"})));
    EXPECT_THROW(checked(problem_of("inviscid-tank-2d", {"time.step=fixed", "time.size=1e-60"})), Error);
}

// The tank carries its fluid along: 0.6 m and turned by nine degrees, none of it is outside.
TEST(Watch, FollowsATankThatMoves)
{
    const Problem problem =
        problem_from(rolling_tank, {"motions=[{name=\"go\",translation={direction=[2,1],steady={rate=3}},"
                                    "rotation={pivot=[0.49,0.013],steady={rate=45}}}]",
                                    "shapes.water.velocity=[2.7, 1.3]"});
    Simulation simulation = simulation_of(problem);
    Watch watch(problem);
    while (simulation.time() < 0.2) simulation.step();
    SnapshotSource snapshot = simulation.snapshot_source();
    EXPECT_FALSE(watch.look(snapshot));
    EXPECT_TRUE(watch.warnings().empty());
    snapshot.time = 0;  // as if the tank had stayed where it was
    EXPECT_TRUE(watch.look(snapshot));
    const auto warnings = watch.warnings();
    ASSERT_EQ(warnings.size(), 1U);
    EXPECT_NE(warnings[0].find("the first particle"), std::string::npos) << warnings[0];
}

TEST(Watch, RemembersTheFirstParticleThroughAWall)
{
    const Problem problem = problem_of("inviscid-tank-2d", {"origin.cells=[1000, -1000]"});
    const Simulation simulation = simulation_of(problem);
    Watch watch(problem);
    SnapshotSource snapshot = simulation.snapshot_source();
    snapshot.time = 0.25;
    EXPECT_FALSE(watch.look(snapshot));
    std::vector<double> places(3 * snapshot.count);
    snapshot.place(0, snapshot.count, places.data());
    snapshot.place = [&](std::uint64_t first, std::uint64_t count, double* to) {
        std::copy_n(places.data() + 3 * first, 3 * count, to);
    };
    const auto put = [&](std::size_t id, double x) { places[3 * id] = x; };
    const std::size_t last = problem.particles.size() - 1;
    put(last, -3);
    put(last - 4, -2);
    put(0, -5);  // a wall's
    const auto first = watch.look(snapshot);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->substr(0, first->find(" at")), "particle " + std::to_string(last - 4));
    EXPECT_NE(first->find("(-2, "), std::string::npos) << *first;
    EXPECT_NE(first->find("in the output of t = 0.25 s"), std::string::npos) << *first;
    EXPECT_EQ(watch.take_news().size(), 1U);
    put(last, 0.2);
    snapshot.time = 0.5;
    EXPECT_FALSE(watch.look(snapshot)) << "it was not the first";
    EXPECT_TRUE(watch.take_news().empty());
    ASSERT_EQ(watch.warnings().size(), 1U);
    EXPECT_NE(watch.warnings()[0].find("1 particle in the last output, the first " + *first), std::string::npos)
        << watch.warnings()[0];
    // A run that is resumed says the same.
    Watch resumed(problem);
    resumed.remember(*first);
    EXPECT_FALSE(resumed.look(snapshot));
    EXPECT_TRUE(resumed.take_news().empty());
    EXPECT_EQ(resumed.warnings(), watch.warnings());
    put(last, std::numeric_limits<double>::quiet_NaN());
    EXPECT_FALSE(watch.look(snapshot)) << "what is no number has a rule of its own";
}

}  // namespace
}  // namespace halfulp::test
