// Every precision policy of the program: it has the parts that its name says, the same bits on any lanes and threads,
// and solves the same problem as double as far as its techniques carry.
#include "tests/core/backends/cases.hpp"

#include "tests/core/backends/every_policy.hpp"

namespace halfulp::test {
namespace {

Problem tank(const std::string& precision, const Overrides& more = {})
{
    const Overrides small = {"resolution.spacing=0.0385", "resolution.smoothing_ratio=1.5", "shapes.tank.layers=2",
                             "shapes.tank.hollow_box.to=[1.0, 0.8]", "output.interval=1"};
    return problem_of("inviscid-tank-2d", small + more + Overrides{"numerics.precision=" + precision});
}

class EveryPolicy : public testing::TestWithParam<PolicyInfo> {};

INSTANTIATE_TEST_SUITE_P(Policies, EveryPolicy, testing::ValuesIn(policies_to_try()), name_of_policy);

// "robust/sums=plain" has plain sums and otherwise the parts of robust.
TEST_P(EveryPolicy, HasThePartsOfItsName)
{
    const PolicyInfo& policy = GetParam();
    const auto parts = [](const PolicyInfo& p) {
        return std::vector<std::pair<std::string, std::string>>{
            {"position", p.position}, {"density", p.density}, {"pressure", p.pressure}, {"kernels", p.kernels},
            {"sums", p.sums},         {"update", p.update},   {"distance", p.distance}, {"units", p.units}};
    };
    const std::string bundle = policy.name.substr(0, policy.name.find('/'));
    auto expected = parts(*find_policy(bundle));
    for (std::size_t at = policy.name.find('/'); at != std::string::npos;) {
        const std::size_t next = policy.name.find('/', at + 1);
        const std::string piece = policy.name.substr(at + 1, next == std::string::npos ? next : next - at - 1);
        const std::string part = piece.substr(0, piece.find('='));
        for (auto& [name, value] : expected)
            if (name == part) value = piece.substr(piece.find('=') + 1);
        at = next;
    }
    EXPECT_EQ(parts(policy), expected);
    EXPECT_EQ(policy.number, find_policy(bundle)->number);
}

TEST_P(EveryPolicy, SaysHowManyBytesItWrites)
{
    const Snapshot snapshot = simulation_of(tank(GetParam().name)).snapshot();
    std::size_t bytes = 0;
    for (const Column& column : snapshot.columns) bytes += column.data.size();
    std::size_t written = 0;
    for (std::size_t k = 0; k < GetParam().always; ++k)
        written += GetParam().sizes[k].components * GetParam().sizes[k].bytes;
    EXPECT_EQ(written * snapshot.count, bytes);
}

TEST_P(EveryPolicy, SameBitsOnAnyLanesThreadsAndLists)
{
    const Overrides viscous = GetParam().reversible ? Overrides{} : Overrides{"fluid.artificial_viscosity=0.05"};
    const Problem problem = tank(GetParam().name, viscous);
    const std::uint64_t steps = GetParam().number == "quad" ? 4 : 150;
    const std::uint64_t every = steps / 2;
    const Trajectory reference = trajectory_of(problem, {.threads = 1, .lanes = 1}, steps, every);
    for (const int lanes : lane_counts(problem)) {
        expect_same_bits(reference, trajectory_of(problem, {.threads = 1, .lanes = lanes}, steps, every), "lanes");
        expect_same_bits(
            reference,
            trajectory_of(problem, {.threads = 2, .lanes = lanes, .neighbours = NeighbourStorage::none}, steps, every),
            "two threads, no stored neighbours");
    }
}

TEST_P(EveryPolicy, SameBitsEverywhereIfPositionsAreRelativeToCells)
{
    const Problem here = tank(GetParam().name);
    Problem there = here;
    move(there, {1'000'000'000, -1'000'000'000, 0});
    const std::uint64_t steps = GetParam().number == "quad" ? 2 : 100;
    const auto hash = [&](const Problem& problem) {
        Simulation simulation = simulation_of(problem);
        for (std::uint64_t k = 0; k < steps; ++k) simulation.step();
        return simulation.snapshot().hash;
    };
    if (GetParam().relative_to_cell) {
        EXPECT_EQ(hash(here), hash(there));
    } else if (GetParam().number == "double" || GetParam().position == "global-double" ||
               GetParam().position == "double-float") {
        EXPECT_NE(hash(here), hash(there));  // runs, with fewer digits
    }
}

// Root mean square distance of the fluid's particles from where they are in double, over the spacing: what a policy's
// techniques leave of it, two to seven times what was measured.
double allowed_distance(const PolicyInfo& policy)
{
    // In other units the start itself is rounded to other floats.
    if (policy.number == "double") return policy.cell_is_one ? 5e-14 : 1e-7;
    const bool digits_kept = policy.density == "centred" && policy.pressure == "horner" && policy.kernels == "factored";
    if (policy.update != "plain") return digits_kept ? 5e-8 : 5e-7;
    if (policy.position == "global") return 3e-5;
    return policy.density == "centred" ? 2e-6 : 1e-5;
}

TEST_P(EveryPolicy, SolvesTheSameProblemAsDouble)
{
    if (GetParam().number == "quad") GTEST_SKIP() << "too slow; QuadPolicy and every_key_test.cpp have its first steps";
    const auto places = [](const std::string& precision) {
        const Problem problem = tank(precision);
        Simulation simulation = simulation_of(problem);
        for (int k = 0; k < 400; ++k) simulation.step();
        return values_of<double>(column(simulation.snapshot(), "position"));
    };
    const std::vector<double> here = places(GetParam().name);
    const std::vector<double> reference = places("double");
    ASSERT_EQ(here.size(), reference.size());
    double square = 0;
    for (std::size_t i = 0; i < here.size(); ++i) square += std::pow(here[i] - reference[i], 2);
    const Problem problem = tank("double");
    EXPECT_LE(std::sqrt(square / static_cast<double>(problem.fluid)) / problem.source.resolution.spacing,
              allowed_distance(GetParam()));
}

// In quad the first steps are those of double to its rounding.
TEST(QuadPolicy, AgreesWithDouble)
{
    if (find_policy("quad") == nullptr) GTEST_SKIP() << "only halfulp-lab has quad: policies_lab_test";
    const auto after = [](const std::string& precision) {
        const Problem problem = tank(precision);
        Simulation simulation = simulation_of(problem);
        for (int k = 0; k < 5; ++k) simulation.step();
        return simulation.ledger_row();
    };
    const LedgerRow quad = after("quad");
    const LedgerRow reference = after("double");
    ASSERT_GT(reference.kinetic, 0);
    EXPECT_NEAR(quad.kinetic / reference.kinetic, 1, 1e-11);
    EXPECT_NEAR(quad.compressive_fluid / reference.compressive_fluid, 1, 1e-9);
    EXPECT_NE(quad.momentum_x, reference.momentum_x);
}

}  // namespace
}  // namespace halfulp::test
