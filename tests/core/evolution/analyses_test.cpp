// What outputs ask for besides the state: fits that are exact for fields that they reproduce, on disordered particles
// and at their surface, wherever they are.
#include <cmath>

#include <gtest/gtest.h>

#include "core/evolution/scheme.hpp"
#include "tests/core/backends/cases.hpp"

namespace halfulp::test {
namespace {

// u = A x and phi = slope x + x B x, x in cell sides from the case's origin.
constexpr double a[3][3] = {{0.3, -0.7, 0.2}, {0.5, 0.1, -0.4}, {-0.6, 0.8, 0.25}};
constexpr double slope[3] = {0.4, -0.3, 0.2};
constexpr double b[3][3] = {{0.02, 0.01, -0.03}, {0, -0.05, 0.02}, {0, 0, 0.04}};

// Moves the fluid by up to a twentieth of a cell; walls get what must not be used.
void disorder(Problem& problem, bool quadratic)
{
    Random random(67);
    const int d = problem.source.dimensions;
    problem.physics.analyses = {.vorticity = true, .divergence = true, .condition = true, .derivatives = true};
    for (InitialParticle& particle : problem.particles.stored()) {
        GivenState& given = problem.given.emplace_back();
        double x[3] = {};
        for (int c = 0; c < d; ++c) {
            const auto axis = static_cast<std::size_t>(c);
            const double moved = static_cast<double>(particle.offset[axis]) + random.uniform(-0.05, 0.05);
            given.offset[axis] = static_cast<float>(std::fmin(std::fmax(moved, -0.499), 0.499));
            x[c] = particle.cell[axis] - problem.source.origin.cells[axis] + given.offset[axis];
        }
        given.analysed = 0;
        for (int i = 0; i < d; ++i) {
            given.analysed += slope[i] * x[i];
            for (int j = 0; j < d; ++j) {
                given.velocity[static_cast<std::size_t>(i)] += a[i][j] * x[j];
                if (quadratic) given.analysed += b[i][j] * x[i] * x[j];
            }
        }
        if (particle.kind == Kind::wall) given = {.offset = given.offset, .velocity = {7, 7, 7}, .analysed = 1e6};
    }
}

Snapshot analysed(const Problem& problem)
{
    const auto backend = make_cpu_backend(problem, {.threads = 2, .lanes = 0});
    for (const Operation& operation : operations_for_outputs(problem.physics)) backend->execute(operation, 0);
    return backend->snapshot();
}

// The largest deviation of a column from constants in the fluid, and that walls have zeros.
double deviation(const Snapshot& snapshot, const char* name, const std::vector<double>& expected)
{
    const auto values = doubles_of(snapshot, name);
    const auto kinds = values_of<std::uint8_t>(column(snapshot, "kind"));
    double largest = 0;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        for (std::size_t c = 0; c < expected.size(); ++c) {
            const double value = values[i * expected.size() + c];
            if (kinds[i] == 0) largest = std::fmax(largest, std::fabs(value - expected[c]));
            else EXPECT_EQ(value, 0) << name << " of a wall";
        }
    }
    return largest;
}

void expect_exact(Problem problem, double rounding)
{
    const int d = problem.source.dimensions;
    const double rate = problem.units.velocity / problem.units.length;
    const double length = problem.units.length;
    Problem linear = problem;
    disorder(linear, false);
    const Snapshot flow = analysed(linear);
    const double full = d == 3 ? 1 : 0;
    EXPECT_LT(
        deviation(flow, "vorticity",
                  {full * rate * (a[2][1] - a[1][2]), full * rate * (a[0][2] - a[2][0]), rate * (a[1][0] - a[0][1])}),
        rounding * rate);
    EXPECT_LT(deviation(flow, "divergence", {rate * (a[0][0] + a[1][1] + full * a[2][2])}), rounding * rate);
    EXPECT_LT(deviation(flow, "gradient", {slope[0] / length, slope[1] / length, full * slope[2] / length}),
              rounding / length);
    disorder(problem, true);
    EXPECT_LT(deviation(analysed(problem), "laplacian", {2 * (b[0][0] + b[1][1] + full * b[2][2]) / (length * length)}),
              200 * rounding / (length * length));
}

TEST(Analyses, AreExactForWhatTheyReproduce)
{
    for (const char* precision : {"robust", "double"}) {
        const double rounding = std::string(precision) == "double" ? 3e-13 : 1e-4;
        SCOPED_TRACE(precision);
        const Overrides overrides = {std::string("numerics.precision=") + precision};
        expect_exact(problem_of("inviscid-tank-2d", small_2d + overrides), rounding);
        expect_exact(problem_of("dam-break-3d", small_3d + overrides), rounding);
    }
}

// One with neighbours on all sides, more at surfaces, most at corners.
TEST(Analyses, ConditionTellsTheSurface)
{
    Problem problem =
        problem_of("dam-break-3d", small_3d + Overrides{"output.columns=[\"position\",\"kind\",\"condition\"]"});
    Simulation simulation(problem, make_cpu_backend(problem, {.threads = 1, .lanes = 0}));
    const Snapshot snapshot = simulation.snapshot();
    const auto condition = doubles_of(snapshot, "condition");
    const auto kinds = values_of<std::uint8_t>(column(snapshot, "kind"));
    double least = 10;
    double most = 0;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (kinds[i] != 0) continue;
        least = std::fmin(least, condition[i]);
        most = std::fmax(most, condition[i]);
    }
    EXPECT_NEAR(least, 1, 1e-4);
    EXPECT_GT(most, 1.4);
    EXPECT_LT(most, 4);
}

// Outputs that ask for nothing of it cost no memory and no operation, and the run is the same.
TEST(Analyses, CostNothingUnasked)
{
    const Problem plain = problem_of("inviscid-tank-2d", small_2d);
    const Problem asked = problem_of("inviscid-tank-2d", small_2d + Overrides{"output.columns=[\"vorticity\"]"});
    EXPECT_TRUE(operations_for_outputs(plain.physics).empty());
    EXPECT_EQ(operations_for_outputs(asked.physics).size(), 1U);
    const std::size_t bytes = cpu_bytes_per_particle("robust", plain.physics);
    EXPECT_EQ(cpu_bytes_per_particle("robust", asked.physics), bytes + 4 * sizeof(float));
    const auto hash_of = [](const Problem& problem) {
        Simulation simulation(problem, make_cpu_backend(problem, {.threads = 1, .lanes = 0}));
        for (int step = 0; step < 50; ++step) {
            static_cast<void>(simulation.snapshot());
            simulation.step();
        }
        return simulation.snapshot().hash;
    };
    EXPECT_EQ(hash_of(plain), hash_of(asked));
}

}  // namespace
}  // namespace halfulp::test
