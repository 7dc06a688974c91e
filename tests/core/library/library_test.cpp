// The C++ interface, as a program sees it that has the header and the shared file alone.
#include <gtest/gtest.h>
#include <halfulp/halfulp.hpp>

#include <array>
#include <cfenv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <stdexcept>
#include <string>
#include <utility>

namespace {

using namespace halfulp::api;

constexpr const char* tank = R"(
resolution = { spacing = 0.05, smoothing_ratio = 1.5 }
fluid = { sound_speed = 30, artificial_viscosity = 0.05 }
time = { end = 0.02 }
output = { interval = 0.01, ledger_every = 5, figures = false }
shapes = [
    { name = "tank", kind = "wall", hollow_box = { from = [0, 0], to = [1, 0.8] } },
    { name = "water", kind = "fluid", box = { from = [0, 0], to = [0.5, 0.5] }, hydrostatic = true },
]
probes = [ { name = "corner", measures = "pressure", at = [0, 0.1], interval = 0.005 } ]
)";

Options one_thread()
{
    Options options;
    options.backend = "cpu";
    options.threads = 1;
    return options;
}

template <class Work>
std::pair<int, std::string> refused(const Work& work)
{
    try {
        work();
    } catch (const Error& error) {
        return {error.exit_code(), error.what()};
    }
    return {0, "not refused"};
}

TEST(Library, ReadsAndChangesCases)
{
    Case c = Case::from_text(tank, "tank.toml");
    EXPECT_EQ(c.name(), "tank");
    EXPECT_EQ(c.dimensions(), 2);
    EXPECT_DOUBLE_EQ(c.end(), 0.02);
    const Case before = c;
    c.set({"time.end=0.03", "time.cfl=0.1"});
    EXPECT_DOUBLE_EQ(c.end(), 0.03);
    EXPECT_DOUBLE_EQ(before.end(), 0.02);
    EXPECT_NE(c.toml().find("cfl = 0.1"), std::string::npos);

    const auto [code, sentence] = refused([&] { c.set("time.cfl", "3"); });
    EXPECT_EQ(code, 1);
    EXPECT_EQ(sentence, "--set time.cfl=3: time.cfl is 3, but must be greater than 0 and at most 1.");
    EXPECT_NE(c.toml().find("cfl = 0.1"), std::string::npos) << "a refused value leaves the case as it was";
    EXPECT_EQ(refused([] { Case("no-such-case"); }).first, 1);
    const std::vector<std::string> names = shipped_cases();
    ASSERT_FALSE(names.empty());
    EXPECT_EQ(Case(names.front()).name(), names.front());
}

TEST(Library, StepsAndIsAskedAfterEveryStep)
{
    Simulation simulation(Case::from_text(tank), one_thread());
    EXPECT_EQ(simulation.fluid_particles(), 100U);
    simulation.step(3);
    EXPECT_EQ(simulation.steps(), 3U);
    std::size_t asked = 0;
    EXPECT_FALSE(simulation.run(1, [&](const Simulation& s) {
        ++asked;
        return s.steps() < 7;
    }));
    EXPECT_EQ(std::make_pair(asked, simulation.steps()), std::make_pair(std::size_t{4}, std::uint64_t{7}));
    asked = 0;
    EXPECT_TRUE(simulation.run(simulation.time() + 1.5 * simulation.next_step(), [&](const Simulation&) {
        ++asked;
        return true;
    }));
    EXPECT_EQ(asked, 2U);
    EXPECT_EQ(simulation.steps(), 9U);
    EXPECT_TRUE(simulation.run());
    EXPECT_GE(simulation.time(), 0.02);
}

TEST(Library, PassesOnWhatTheFunctionThrowsThatItAsks)
{
    Simulation simulation(Case::from_text(tank), one_thread());
    EXPECT_THROW(simulation.run(1, [](const Simulation&) -> bool { throw std::bad_alloc(); }), std::bad_alloc);
    EXPECT_EQ(simulation.steps(), 1U);
    simulation.step();
    EXPECT_EQ(simulation.steps(), 2U);
    EXPECT_THROW(simulation.run(simulation.time() + 0.5 * simulation.next_step(),
                                [](const Simulation&) -> bool { throw std::out_of_range("mine"); }),
                 std::out_of_range)
        << "asked after the step that reaches the time";
}

// Other bits would come out.
TEST(Library, RefusesToComputeInAnotherRoundingMode)
{
    const Simulation simulation(Case::from_text(tank), one_thread());
    ASSERT_EQ(std::fesetround(FE_UPWARD), 0);
    const int row = refused([&] { static_cast<void>(simulation.ledger_row()); }).first;
    const int snapshot = refused([&] { static_cast<void>(simulation.snapshot()); }).first;
    const int hash = refused([&] { static_cast<void>(simulation.state_hash()); }).first;
    const auto [written, sentence] = refused([&] { simulation.checkpoint("never"); });
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ((std::array{row, snapshot, hash, written}), (std::array{5, 5, 5, 5}));
    EXPECT_NE(sentence.find("round"), std::string::npos) << sentence;
    EXPECT_FALSE(simulation.ledger_row().empty());
}

TEST(Library, TablesHaveTheirColumns)
{
    Simulation simulation(Case::from_text(tank), one_thread());
    simulation.run();
    const Table ledger = simulation.ledger();
    EXPECT_GE(ledger.rows(), 3U);
    const auto row = simulation.ledger_row();
    EXPECT_EQ(ledger["time"].back(), simulation.time());
    EXPECT_EQ(ledger["kinetic"].back(), row.at("kinetic"));
    const Table corner = simulation.probes().at("corner");
    EXPECT_EQ(corner.columns.front().name, "time");
    EXPECT_EQ(corner.rows(), 5U);

    const Snapshot now = simulation.snapshot({"kind", "velocity", "position"});
    EXPECT_EQ(now.columns.size(), 3U);
    EXPECT_EQ(now.rows(), simulation.fluid_particles() + simulation.wall_particles());
    EXPECT_EQ(now.state_hash, simulation.state_hash());
    double fastest = 0;
    for (std::size_t i = 0; i < now.rows(); ++i) {
        if (now["kind"][i] != 0) continue;
        fastest = std::fmax(fastest, std::hypot(now["velocity"][3 * i], now["velocity"][3 * i + 1]));
    }
    EXPECT_NEAR(fastest, row.at("max_speed"), 1e-6 * fastest);
    EXPECT_GT(simulation.snapshot().columns.size(), 5U);
    EXPECT_NE(refused([&] { static_cast<void>(simulation.snapshot({"colour"})); }).second.find("position"),
              std::string::npos);
    EXPECT_EQ(refused([&] { static_cast<void>(now["colour"]); }).first, 1);
}

TEST(Library, GoesOnFromACheckpointToTheSameBits)
{
    namespace fs = std::filesystem;
    std::string folder = (fs::temp_directory_path() / "halfulp-library-XXXXXX").string();
    ASSERT_NE(mkdtemp(folder.data()), nullptr);
    const std::string cut = folder + "/cut";
    Simulation simulation(Case::from_text(tank), one_thread());
    simulation.step(20);
    simulation.checkpoint(cut);
    EXPECT_EQ(refused([&] { simulation.checkpoint(cut); }).first, 4);
    simulation.run();
    Options other = one_thread();
    other.lanes = "1";
    Simulation resumed = Simulation::resume(cut, other);
    EXPECT_EQ(resumed.steps(), 20U);
    resumed.run();
    EXPECT_EQ(resumed.state_hash(), simulation.state_hash());
    EXPECT_EQ(resumed.ledger()["residual"], simulation.ledger()["residual"]);
    EXPECT_EQ(refused([&] { Simulation::resume(folder + "/nothing"); }).first, 1);
    fs::remove_all(folder);
}

TEST(Library, SaysWhyASimulationBrokeDown)
{
    Case c = Case::from_text(tank);
    c.set({"shapes.water.velocity=[-29, 0]", "time.cfl=1"});
    Simulation simulation(c, one_thread());
    const auto [code, sentence] = refused([&] { simulation.run(1); });
    EXPECT_EQ(code, 3);
    EXPECT_NE(sentence.find("fluid particle"), std::string::npos) << sentence;
    EXPECT_EQ(refused([&] { simulation.step(); }).first, 3);
}

TEST(Library, RefusesATimeThatIsNone)
{
    Simulation simulation(Case::from_text(tank), one_thread());
    for (const double until : {std::nan(""), -HUGE_VAL}) {
        EXPECT_EQ(refused([&] { simulation.run(until); }).first, 1) << until;
        EXPECT_EQ(simulation.steps(), 0U);
    }
}

// A motion by a table is known as far as the case checks it.
TEST(Library, DoesNotMoveWallsBeyondTheEnd)
{
    Case c = Case::from_text(std::string(tank) + R"(
[[motions]]
name = "sway"
bodies = ["tank"]
translation = { direction = [1, 0], sine = { amplitude = 0.001, period = 1 } }
)");
    Simulation simulation(c, one_thread());
    EXPECT_TRUE(simulation.run());
    const std::string at_the_end = simulation.state_hash();
    const auto [code, sentence] = refused([&] { simulation.step(); });
    EXPECT_EQ(code, 1);
    EXPECT_NE(sentence.find("are known to its time.end"), std::string::npos) << sentence;
    EXPECT_EQ(simulation.state_hash(), at_the_end);
}

TEST(Library, SaysThatAnObjectWasMovedFrom)
{
    Case c = Case::from_text(tank);
    Simulation simulation(c, one_thread());
    const Simulation other(std::move(simulation));
    const Case same(std::move(c));
    for (const auto& use : {std::function<void()>([&] { static_cast<void>(simulation.time()); }),
                            std::function<void()>([&] { simulation.step(); }),
                            std::function<void()>([&] { static_cast<void>(c.name()); }),
                            std::function<void()>([&] { static_cast<void>(Simulation(c, one_thread())); })}) {
        const auto [code, sentence] = refused(use);
        EXPECT_EQ(code, 1);
        EXPECT_NE(sentence.find("moved from"), std::string::npos) << sentence;
    }
    EXPECT_EQ(other.time(), 0);
    EXPECT_FALSE(same.title().empty());
}

TEST(Library, RefusesWhatTheMachineHasNot)
{
    Options options;
    options.lanes = "3";
    EXPECT_EQ(refused([&] { Simulation(Case::from_text(tank), options); }).first, 1);
}

}  // namespace
