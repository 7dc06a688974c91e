// Promise: each run of a batch on a device has the bits that it has alone, there and on the CPU: hash, every state
// column, ledger, breakdown; whatever the other runs are and do.
#include "core/backends/batches.hpp"
#include "core/backends/cuda/cuda_backend.hpp"
#include "core/setup/policy_table.hpp"
#include "tests/core/backends/batch_check.hpp"
#include "tests/core/backends/same_bits_problems.hpp"
#include "tests/core/particles/rounded_sums.hpp"
#include "tests/cuda/no_device.hpp"

namespace halfulp::test {
namespace {

std::vector<const Problem*> addresses_of(const std::vector<Problem>& problems)
{
    std::vector<const Problem*> all;
    for (const Problem& problem : problems) all.push_back(&problem);
    return all;
}

class BatchOnDevice : public ::testing::Test {
protected:
    void SetUp() override
    {
        if (!why_no_device().empty()) GTEST_SKIP() << "no CUDA device to test on: " << why_no_device();
    }

    static void expect_same(const std::vector<Problem>& problems, const std::vector<std::uint64_t>& steps,
                            std::uint64_t every)
    {
        for (const Problem& problem : problems) {
            ASSERT_EQ(why_alone(problem), "");
            ASSERT_TRUE(share_a_batch(problems.front(), problem));
        }
        const std::vector<TogetherRun> there =
            taken_together(problems, make_cuda_batch(addresses_of(problems), {}), steps, every);
        for (std::size_t k = 0; k < problems.size(); ++k) {
            const TogetherRun here =
                taken_alone(problems[k], make_cpu_backend(problems[k], {.threads = 1, .lanes = 0}), steps[k], every);
            expect_same_runs(here, there[k], fmt::format("run {} of {}", k, problems.size()));
            if (HasFatalFailure()) return;
        }
    }
};

Problem tank(const Overrides& overrides) { return problem_of("inviscid-tank-2d", small_2d + variable + overrides); }

TEST_F(BatchOnDevice, One) { expect_same({tank({})}, {400}, 20); }

TEST_F(BatchOnDevice, TwoEqualRuns)
{
    const std::vector<Problem> problems{tank({}), tank({})};
    const auto runs = taken_together(problems, make_cuda_batch(addresses_of(problems), {}), {400, 400}, 20);
    expect_same_bits(runs[0].trajectory, runs[1].trajectory, "the two runs");
    expect_same(problems, {400, 400}, 20);
    expect_same_bits(trajectory_of(problems[0], make_cuda_backend(problems[0], {}), 400, 20), runs[0].trajectory,
                     "alone on the device");
}

// Of other viscosity, gravity, sound speed, step, size and skin, which rebuild at other steps.
TEST_F(BatchOnDevice, DifferentConstantsAndSizes)
{
    const Overrides some = viscous + Overrides{"numerics.walls=dynamic"};
    const std::vector<Problem> problems{
        tank(some),
        tank(some + Overrides{"fluid.artificial_viscosity=0.2"}),
        tank(some + Overrides{"gravity=[2,-20]"}),
        tank(some + Overrides{"gravity=[0,-3]", "time.cfl=0.1"}),
        tank(some + Overrides{"resolution.spacing=0.025"}),
        tank(some + Overrides{"resolution.spacing=0.06"}),
        tank(some + Overrides{"numerics.skin=0.3"}),
        tank(some + Overrides{"numerics.wall_tension=false"}),
        tank(some + Overrides{"origin.cells=[100000,-70000]"}),
    };
    expect_same(problems, std::vector<std::uint64_t>(problems.size(), 1200), 20);
}

TEST_F(BatchOnDevice, EndsApart)
{
    const std::vector<Problem> problems{tank({}), tank({"gravity=[0,-15]"}), tank({"gravity=[3,-9]"})};
    expect_same(problems, {37, 400, 160}, 1);
}

// One breaks down by its density in the middle of the run, one by a particle without a finite velocity at its start;
// the others go on.
TEST_F(BatchOnDevice, BreakDownApart)
{
    std::vector<Problem> problems{tank({}), tank({"numerics.density_bound=0.004"}), tank({"gravity=[1,-9]"}), tank({})};
    for (InitialParticle& particle : problems[3].particles.stored()) {
        if (particle.kind == Kind::fluid) particle.velocity[0] = 1e4F;
    }
    const std::vector<std::uint64_t> steps(problems.size(), 600);
    const auto runs = taken_together(problems, make_cuda_batch(addresses_of(problems), {}), steps, 20);
    EXPECT_TRUE(runs[0].breakdown.empty());
    EXPECT_FALSE(runs[1].breakdown.empty());
    EXPECT_FALSE(runs[3].breakdown.empty());
    expect_same(problems, steps, 20);
}

// A wall that moves by more than half the skin in a step.
TEST_F(BatchOnDevice, WallsTooFast)
{
    std::vector<Problem> problems;
    for (const double speed : {0.2, 300.0, 0.7}) {
        problems.push_back(problem_of("inviscid-tank-2d", small_2d + variable));
        slide_walls(problems.back(), speed);
    }
    const auto runs = taken_together(problems, make_cuda_batch(addresses_of(problems), {}), {200, 200, 200}, 20);
    EXPECT_FALSE(runs[1].breakdown.empty());
    expect_same(problems, {200, 200, 200}, 20);
}

// Rebuilds at fixed steps, and operations in some steps only, at other steps in each run.
TEST_F(BatchOnDevice, OtherOperationsInSomeSteps)
{
    const auto one = [](int every, int filter) {
        return tank(viscous + Overrides{"numerics.density_filter=shepard",
                                        fmt::format("numerics.filter_every={}", filter),
                                        fmt::format("numerics.rebuild_every={}", every)});
    };
    expect_same({one(7, 9), one(0, 9), one(5, 4)}, {300, 300, 300}, 20);
}

// Every problem that the back ends are compared on, if its run can be in a batch, beside others of it: with another
// step, another sound speed, and faster.
class SameBitsInBatch : public BatchOnDevice, public ::testing::WithParamInterface<SameBitsProblem> {};

TEST_P(SameBitsInBatch, AsAlone)
{
    if (find_policy(GetParam().precision) == nullptr)
        GTEST_SKIP() << "only halfulp-lab has " << GetParam().precision << ": cuda_batch_lab_test";
    const Problem problem = GetParam().prepared();
    if (const std::string obstacle = why_no_cuda(problem, {}); !obstacle.empty()) GTEST_SKIP() << obstacle;
    if (const std::string why = why_alone(problem); !why.empty()) GTEST_SKIP() << why;
    std::vector<Problem> problems(4, problem);
    problems[1].source.time.cfl *= 0.8;
    problems[1].fixed_step *= 0.8;
    for (float& component : problems[2].parameters.gravity) component *= 1.25F;
    for (InitialParticle& particle : problems[3].particles.stored()) {
        if (particle.kind == Kind::fluid) particle.velocity[0] += 1e-3F * particle.offset[1];
    }
    const std::uint64_t steps = std::min<std::uint64_t>(GetParam().steps, 600);
    expect_same(problems, {steps, steps, steps / 2, steps}, 20);
}

INSTANTIATE_TEST_SUITE_P(Problems, SameBitsInBatch, testing::ValuesIn(same_bits_problems()), name_of);

// Many small runs: more than a block of threads has room for, of all sizes.
TEST_F(BatchOnDevice, Hundreds)
{
    std::vector<Problem> problems;
    for (int k = 0; k < 300; ++k)
        problems.push_back(tank({fmt::format("gravity=[{},-9]", 0.01 * k),
                                 fmt::format("resolution.spacing={}", k % 3 == 0 ? 0.0385 : 0.05)}));
    const std::vector<std::uint64_t> steps(problems.size(), 200);
    const auto runs = taken_together(problems, make_cuda_batch(addresses_of(problems), {}), steps, 100);
    for (const std::size_t k : {0, 1, 2, 150, 298, 299})
        expect_same_runs(taken_alone(problems[k], make_cpu_backend(problems[k], {.threads = 1}), 200, 100), runs[k],
                         fmt::format("run {}", k));
}

// Runs that were saved at other steps, on the CPU and in a batch, go on in a batch beside one that begins.
TEST_F(BatchOnDevice, RunsThatAreResumed)
{
    const std::vector<Problem> problems{tank({}), tank({"gravity=[2,-8]"}), tank({"gravity=[1,-12]"})};
    Simulation first(problems[0], make_cpu_backend(problems[0], {.threads = 1}));
    for (int k = 0; k < 43; ++k) first.step();
    const SimulationState of_first = first.state();
    BatchOfRuns one = make_cuda_batch({&problems[1]}, {});
    Simulation second(problems[1], std::move(one.runs[0]), Simulation::InBatch{});
    one.batch->carry_out();
    second.complete_start();
    for (int k = 0; k < 88; ++k) {
        second.begin_step();
        one.batch->carry_out();
        second.complete_step();
    }
    const SimulationState of_second = second.state();
    const auto runs = taken_together(problems, make_cuda_batch(addresses_of(problems), {}), {300, 300, 300}, 20,
                                     {&of_first, &of_second, nullptr});
    for (std::size_t k = 0; k < problems.size(); ++k) {
        Trajectory here = trajectory_of(problems[k], CpuOptions{.threads = 1, .lanes = 0}, 300, 20);
        auto& moments = here.moments;
        moments.erase(moments.begin(), moments.end() - static_cast<std::ptrdiff_t>(runs[k].trajectory.moments.size()));
        expect_same_bits(here, runs[k].trajectory, fmt::format("run {}", k));
    }
    EXPECT_EQ(runs[0].trajectory.moments.size(), 13U);
}

TEST_F(BatchOnDevice, ProbesAndRates)
{
    const Overrides measured = {
        "probes=[{name=\"p\",measures=\"pressure\",at=[0.3,0.05]},{name=\"f\",measures=\"force\"}]"};
    const std::vector<Problem> problems{tank(measured), tank(measured + Overrides{"gravity=[2,-8]"})};
    BatchOfRuns made = make_cuda_batch(addresses_of(problems), {});
    std::vector<std::unique_ptr<Simulation>> there;
    std::vector<std::unique_ptr<Simulation>> here;
    for (std::size_t k = 0; k < problems.size(); ++k) {
        there.push_back(std::make_unique<Simulation>(problems[k], std::move(made.runs[k]), Simulation::InBatch{}));
        here.push_back(std::make_unique<Simulation>(problems[k], make_cpu_backend(problems[k], {.threads = 1})));
    }
    made.batch->carry_out();
    for (const auto& simulation : there) simulation->complete_start();
    for (int step = 0; step < 100; ++step) {
        for (std::size_t k = 0; k < problems.size(); ++k) {
            ASSERT_EQ(sums_of(here[k]->backend().sample(problems[k].probes)),
                      sums_of(there[k]->backend().sample(problems[k].probes)))
                << "run " << k << ", step " << step;
            here[k]->step();
            there[k]->begin_step();
        }
        made.batch->carry_out();
        for (const auto& simulation : there) simulation->complete_step();
    }
    for (std::size_t k = 0; k < problems.size(); ++k) {
        EXPECT_EQ(here[k]->backend().rates().leading, there[k]->backend().rates().leading);
        EXPECT_EQ(here[k]->backend().limits().max_acceleration, there[k]->backend().limits().max_acceleration);
        EXPECT_EQ(here[k]->backend().limits().max_signal_speed, there[k]->backend().limits().max_signal_speed);
        EXPECT_EQ(here[k]->backend().rebuilds(), there[k]->backend().rebuilds());
    }
}

}  // namespace
}  // namespace halfulp::test
