// Simulations whose steps a batch takes in two parts are those that take them alone, whatever their steps do.
#include "core/backends/batches.hpp"
#include "tests/core/backends/batch_check.hpp"
#include "tests/core/backends/cases.hpp"

namespace halfulp::test {
namespace {

Problem tank(const Overrides& overrides) { return problem_of("inviscid-tank-2d", small_2d + variable + overrides); }

std::unique_ptr<Backend> on_cpu(const Problem& problem)
{
    return make_cpu_backend(problem, {.threads = 1, .lanes = 0});
}

TEST(Batches, TakeTheStepsOfEachRun)
{
    std::vector<Problem> problems{
        tank({}), tank({"gravity=[2,-9]"}),  tank({"numerics.density_bound=0.004"}), tank({"numerics.rebuild_every=7"}),
        tank({}), problem_from(rolling_tank)};
    problems[4].particles.stored().front().kind = Kind::fluid;
    problems[4].particles.stored().front().velocity[0] = std::numeric_limits<float>::quiet_NaN();
    const std::vector<std::uint64_t> steps{200, 77, 3000, 200, 200, 150};
    std::vector<const Problem*> all;
    for (const Problem& problem : problems) all.push_back(&problem);
    const auto runs = taken_together(problems, side_by_side(all), steps, 7);
    for (std::size_t k = 0; k < problems.size(); ++k) {
        expect_same_runs(taken_alone(problems[k], on_cpu(problems[k]), steps[k], 7), runs[k], fmt::format("run {}", k));
        EXPECT_EQ(runs[k].breakdown.empty(), k != 2 && k != 4) << k << ": " << runs[k].breakdown;
    }
}

TEST(Batches, AreOfTheSamePhysics)
{
    const Problem one = tank({});
    EXPECT_EQ(why_alone(one), "");
    for (const char* same : {"gravity=[1,-5]", "time.cfl=0.1", "resolution.spacing=0.05", "numerics.skin=0.2",
                             "numerics.rebuild_every=5", "fluid.sound_speed=40"})
        EXPECT_TRUE(share_a_batch(one, tank({same}))) << same;
    for (const char* other :
         {"fluid.artificial_viscosity=0.1", "numerics.kernel=gaussian", "time.step=fixed", "numerics.integrator=verlet",
          "numerics.precision=double", "numerics.cells_per_support=1", "numerics.density_filter=mls"})
        EXPECT_FALSE(share_a_batch(one, tank({other}))) << other;
    EXPECT_NE(why_alone(tank({"numerics.integrator=implicit-midpoint"})), "");
    EXPECT_NE(why_alone(tank({"numerics.walls=modified-dynamic"})), "");
    EXPECT_NE(why_alone(tank({"numerics.walls=pressure-cloning"})), "");
}

}  // namespace
}  // namespace halfulp::test
