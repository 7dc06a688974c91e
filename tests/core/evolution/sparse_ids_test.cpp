// Ids with gaps, in no order: every particle has the bits that it has where ids are 0, 1, ... in the same order.
#include "core/evolution/checkpoint.hpp"
#include "core/evolution/watch.hpp"
#include "core/results/column_number.hpp"
#include "tests/core/backends/cases.hpp"

namespace halfulp::test {
namespace {

// Row by row, the ids apart.
void expect_same_rows(const Snapshot& sparse, const Snapshot& dense, const Problem& problem)
{
    ASSERT_EQ(sparse.columns.size(), dense.columns.size() + 1);
    ASSERT_EQ(sparse.columns.front().name, id_column);
    const std::vector<std::size_t> order = by_id(problem);
    for (std::size_t row = 0; row < order.size(); ++row) {
        const auto id = static_cast<std::uint32_t>(id_of(problem.particles[order[row]], order[row]));
        ASSERT_EQ(id_of(sparse, row), id);
        ASSERT_EQ(row_of(sparse, id), row);
    }
    EXPECT_EQ(row_of(sparse, 0), sparse.count) << "nobody has that";
    for (std::size_t c = 0; c < dense.columns.size(); ++c) {
        EXPECT_EQ(sparse.columns[c + 1].name, dense.columns[c].name);
        ASSERT_EQ(sparse.columns[c + 1].data, dense.columns[c].data)
            << dense.columns[c].name << ", step " << dense.step;
    }
    EXPECT_NE(sparse.hash, dense.hash) << "ids belong to the state";
}

void expect_same(const Simulation& here, const Simulation& there, const Problem& problem)
{
    expect_same_rows(here.snapshot(), there.snapshot(), problem);
    EXPECT_EQ(here.backend().rates().leading, there.backend().rates().leading);
    EXPECT_EQ(here.backend().rates().remainder, there.backend().rates().remainder);
    for (const LedgerColumn& number : ledger_columns)
        EXPECT_EQ(here.ledger_row().*number.member, there.ledger_row().*number.member) << number.name;
    std::vector<std::size_t> probes(problem.source.probes.size());
    std::iota(probes.begin(), probes.end(), std::size_t{0});
    EXPECT_EQ(here.sample(probes), there.sample(probes));
}

// The run with gaps is saved in the middle and gone on with.
void expect_same_run(Problem problem, int steps)
{
    for (const bool ascending : {true, false}) {
        SCOPED_TRACE(ascending ? "i * i + 7" : "at random");
        spread_ids(problem, ascending);
        const Problem dense = numbered_without_gaps(problem);
        Simulation there = simulation_of(dense);
        Simulation begun = simulation_of(problem);
        expect_same(begun, there, problem);
        for (int k = 0; k < steps / 2; ++k) {
            begun.step();
            there.step();
        }
        expect_same(begun, there, problem);
        Simulation resumed(problem, make_cpu_backend(problem, {.threads = 1, .lanes = 1}), begun.state());
        for (int k = 0; k < steps / 2; ++k) {
            resumed.step();
            there.step();
        }
        expect_same(resumed, there, problem);
        EXPECT_GT(there.ledger_row().rebuilds, 1);
        EXPECT_NE(fingerprint_of(problem), fingerprint_of(dense)) << "a checkpoint belongs to its ids";
    }
    for (InitialParticle& particle : problem.particles.stored()) particle.id = -1;
    const StateHash by_default = fingerprint_of(problem);
    for (std::size_t i = 0; i < problem.particles.size(); ++i)
        problem.particles.stored()[i].id = static_cast<std::int32_t>(i);
    EXPECT_EQ(fingerprint_of(problem), by_default);
}

// Two walls whose forces must be told apart.
Problem stirred_channel(const Overrides& overrides)
{
    Problem problem = problem_from(
        channel,
        overrides +
            Overrides{R"(probes=[{name="p",measures="pressure",at=[0.1,0.1]},{name="floor",measures="force",)"
                      R"(bodies=["floor"]},{name="ceiling",measures="force",bodies=["ceiling"]},)"
                      R"({name="both",measures="force"},{name="q",measures="flow",at=[0.3,0.1],normal=[1,0]}])"});
    stir(problem, 1, 3);
    return problem;
}

TEST(SparseIds, Robust) { expect_same_run(stirred_channel({}), 200); }

TEST(SparseIds, Double) { expect_same_run(stirred_channel(in_double), 100); }

TEST(SparseIds, Reversible)
{
    expect_same_run(
        problem_of("inviscid-tank-2d", small_2d + balance_laws_alone + Overrides{"numerics.precision=reversible"}), 40);
}

TEST(SparseIds, MirrorImages)
{
    expect_same_run(problem_of("inviscid-tank-2d", small_2d + variable + Overrides{"numerics.walls=modified-dynamic"}),
                    200);
}

TEST(SparseIds, ThreeDimensions) { expect_same_run(problem_of("dam-break-3d", small_3d), 100); }

TEST(SparseIds, MovingWalls) { expect_same_run(problem_as_given(rolling_tank), 200); }

// What breaks a rule is named by its id.
TEST(SparseIds, Breakdown)
{
    Problem problem = problem_of("inviscid-tank-2d", {"numerics.density_bound=0.004", "time.cfl=0.2"});
    for (const bool ascending : {true, false}) {
        spread_ids(problem, ascending);
        const auto broken = [](const Problem& one) {
            Simulation simulation = simulation_of(one);
            try {
                while (simulation.steps() < 1000) simulation.step();
            } catch (const SimulationBroke& broke) {
                return broke.breakdown;
            }
            return Breakdown{};
        };
        const Breakdown here = broken(problem);
        const Breakdown there = broken(numbered_without_gaps(problem));
        EXPECT_FALSE(there.what.empty());
        EXPECT_EQ(here.what, there.what);
        EXPECT_EQ(here.position, there.position);
        const std::size_t same = by_id(problem)[there.id];
        EXPECT_EQ(here.id, static_cast<std::uint32_t>(id_of(problem.particles[same], same)));
    }
}

// What a watch says of a run: too fast, a step that collapses by acceleration or speed, fluid outside of its tank.
TEST(SparseIds, Watch)
{
    const auto id_said = [](const Problem& problem) {
        const Simulation simulation = simulation_of(problem);
        try {
            Watch(problem).check(simulation, simulation.ledger_row());
        } catch (const SimulationBroke& broke) {
            return broke.breakdown.id;
        }
        return 0U;
    };
    const auto with_fast = [](Problem problem, double speed) {
        spread_ids(problem, false);
        InitialParticle& fast = problem.particles.stored()[problem.particles.size() - 3];
        fast.velocity[1] = static_cast<float>(speed / problem.units.velocity);
        return std::pair(problem, static_cast<std::uint32_t>(fast.id));
    };
    const auto [sound, faster] = with_fast(problem_of("inviscid-tank-2d", {"fluid.sound_speed=30"}), 31);
    EXPECT_EQ(id_said(sound), faster);
    const auto [collapsing, fastest] = with_fast(problem_of("inviscid-tank-2d", {"time.step=variable"}), -1e4);
    EXPECT_EQ(id_said(collapsing), fastest);

    Problem heavy = problem_of("inviscid-tank-2d", {"time.step=variable", "gravity=[0,-1e15]"});
    spread_ids(heavy, false);
    const Rates rates = simulation_of(heavy).backend().rates();
    const auto most = std::ranges::max_element(rates.leading, {}, [](const auto& a) { return std::hypot(a[0], a[1]); });
    const std::size_t row = static_cast<std::size_t>(most - rates.leading.begin());
    EXPECT_EQ(id_said(heavy), static_cast<std::uint32_t>(heavy.particles[by_id(heavy)[row]].id));

    Problem leaking = problem_of("inviscid-tank-2d", {});
    spread_ids(leaking, false);
    Watch watch(leaking);
    InitialParticle& lost = leaking.particles.stored()[leaking.particles.size() - 3];
    lost.cell[1] -= 40;
    const auto said = watch.look(simulation_of(leaking).snapshot_source());
    ASSERT_TRUE(said);
    EXPECT_TRUE(said->starts_with(fmt::format("particle {} at", lost.id))) << *said;
}

}  // namespace
}  // namespace halfulp::test
