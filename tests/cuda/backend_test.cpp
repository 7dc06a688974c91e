// Promise: the same bits on a CUDA device as on the CPU, at every output, in every policy that both have, whatever the
// physics, the block size and the way neighbours are kept. The first particle and column that differ are named.
#include <random>
#include <vector>

#include "core/backends/cuda/cuda_backend.hpp"
#include "core/setup/policy_table.hpp"
#include "tests/core/backends/same_bits_problems.hpp"
#include "tests/core/particles/rounded_sums.hpp"
#include "tests/cuda/no_device.hpp"

namespace halfulp::test {
namespace {

class OnDevice : public ::testing::Test {
protected:
    void SetUp() override
    {
        if (!why_no_device().empty()) GTEST_SKIP() << "no CUDA device to test on: " << why_no_device();
    }

    static Trajectory there(const Problem& problem, const CudaOptions& options, std::uint64_t steps,
                            std::uint64_t every)
    {
        return trajectory_of(problem, make_cuda_backend(problem, options), steps, every);
    }

    // Lists, masks and none, small blocks and large.
    static void expect_same(const Problem& problem, std::uint64_t steps, std::uint64_t every)
    {
        const Trajectory here = trajectory_of(problem, CpuOptions{.threads = 1, .lanes = 0}, steps, every);
        ASSERT_NE(here.moments.front().snapshot.hash, here.moments.back().snapshot.hash);
        for (const auto& [how, name] : {std::pair{NeighbourStorage::stored, "lists"},
                                        {NeighbourStorage::compact, "compact lists"},
                                        {NeighbourStorage::masks, "masks"},
                                        {NeighbourStorage::none, "no stored neighbours"}}) {
            for (const int block : {64, 1024}) {
                expect_same_bits(here, there(problem, {.neighbours = how, .block = block}, steps, every),
                                 fmt::format("{}, blocks of {}", name, block));
                if (HasFatalFailure()) return;
            }
            // Saved on one and gone on with on the other.
            const auto cpu = [&] { return make_cpu_backend(problem, CpuOptions{.threads = 1, .lanes = 0}); };
            const auto cuda = [&] { return make_cuda_backend(problem, {.neighbours = how}); };
            const std::uint64_t at = steps / 8 + 3;
            expect_same_bits(here, resumed_trajectory_of(problem, cpu(), cuda(), at, steps / 4, every),
                             "to the device");
            expect_same_bits(here, resumed_trajectory_of(problem, cuda(), cpu(), at, steps / 4, every), "to the CPU");
            expect_same_bits(here, resumed_trajectory_of(problem, cuda(), cuda(), at, steps / 4, every),
                             "on the device");
        }
    }
};

class SameBitsOnDevice : public OnDevice, public ::testing::WithParamInterface<SameBitsProblem> {};

TEST_P(SameBitsOnDevice, AsOnTheCpu)
{
    const PolicyInfo* const policy = find_policy(GetParam().precision);
    if (policy == nullptr) GTEST_SKIP() << "only halfulp-lab has " << GetParam().precision << ": cuda_backend_lab_test";
    const Problem problem = GetParam().prepared();
    const std::string obstacle = why_no_cuda(problem, {});
    if (!obstacle.empty()) GTEST_SKIP() << obstacle;
    expect_same(problem, GetParam().steps, 20);
}

INSTANTIATE_TEST_SUITE_P(Problems, SameBitsOnDevice, testing::ValuesIn(same_bits_problems()), name_of);

// `halfulp info` tells how many particles a device has room for, and a run without enough is refused by it.
TEST_F(OnDevice, HoldsTheMemoryThatIsPlanned)
{
    for (const char* walls : {"extrapolated", "dynamic"}) {
        const Problem problem =
            problem_of("dam-break-3d", {"resolution.spacing=0.005", std::string("numerics.walls=") + walls});
        const auto particles = static_cast<double>(problem.particles.size());
        for (const NeighbourStorage how :
             {NeighbourStorage::compact, NeighbourStorage::masks, NeighbourStorage::none}) {
            const CudaOptions options{.neighbours = how};
            const CudaPlan plan = plan_cuda(problem, options);
            const auto backend = make_cuda_backend(problem, options);
            const double held = static_cast<double>(backend->bytes()) / particles;
            if (how == NeighbourStorage::none) {
                EXPECT_LT(held, 1.1 * plan.bytes_per_particle) << walls;
                EXPECT_GT(held, 0.8 * plan.bytes_per_particle) << walls;
            } else {  // of walls, fewer than are planned for in the bulk of the fluid
                const double lists =
                    how == NeighbourStorage::compact ? plan.compact_bytes_per_particle : plan.mask_bytes_per_particle;
                EXPECT_LT(held, 1.1 * (plan.bytes_per_particle + lists)) << walls;
            }
        }
    }
}

// A cell has fewer particles than in other cases, so that to order the targets takes more memory than fields lend.
TEST_F(OnDevice, HoldsNoMoreMemoryAfterRebuilds)
{
    const Problem problem =
        problem_of("colliding-drops-2d", {"resolution.spacing=0.002", "resolution.smoothing_ratio=1.2",
                                          "numerics.cells_per_support=3", "numerics.rebuild_every=1"});
    const auto particles = static_cast<double>(problem.particles.size());
    const CudaOptions options{.neighbours = NeighbourStorage::none};
    const double planned = plan_cuda(problem, options).bytes_per_particle;
    Simulation simulation(problem, make_cuda_backend(problem, options));
    while (simulation.steps() < 30) simulation.step();
    EXPECT_GE(simulation.backend().rebuilds(), 30);
    EXPECT_LT(static_cast<double>(simulation.backend().bytes()) / particles, 1.1 * planned);
}

// Every policy that was compiled for the device, where the case lies at the origin and far from it.
TEST_F(OnDevice, EveryPolicy)
{
    int tried = 0;
    for (const PolicyInfo& policy : policies()) {
        for (const char* origin : {"origin.cells=[0,0]", "origin.cells=[100000,-70000]"}) {
            Overrides overrides = small_2d + Overrides{"time.cfl=0.2", "numerics.precision=" + policy.name, origin};
            const Problem problem = problem_of("inviscid-tank-2d", overrides);
            if (!why_no_cuda(problem, {}).empty()) continue;
            SCOPED_TRACE(policy.name + ", " + origin);
            const Trajectory here = trajectory_of(problem, CpuOptions{.threads = 1, .lanes = 0}, 200, 20);
            expect_same_bits(here, there(problem, {}, 200, 20), "stored");
            expect_same_bits(here, there(problem, {.neighbours = NeighbourStorage::compact}, 100, 20), "compact");
            expect_same_bits(here, there(problem, {.neighbours = NeighbourStorage::masks}, 100, 20), "masks");
            expect_same_bits(here, there(problem, {.neighbours = NeighbourStorage::none}, 100, 20), "no lists");
            ++tried;
        }
    }
    EXPECT_GE(tried, 2);
}

// Two tanks so far apart that no sorting key of 64 bits holds both.
TEST_F(OnDevice, CellsFarApart)
{
    Problem problem = problem_of("inviscid-tank-2d", small_2d + variable);
    const std::size_t count = problem.particles.size();
    for (std::size_t i = 0; i < count; ++i) {
        InitialParticle copy = problem.particles[i];
        for (std::size_t c = 0; c < 2; ++c) copy.cell[c] += c == 0 ? 2'000'000'000 : -2'000'000'000;
        problem.particles.stored().push_back(copy);
    }
    problem.fluid *= 2;
    problem.wall *= 2;
    expect_same(problem, 200, 20);
}

// Particles strewn over cells, from several in each to one in many: rows with empty cells, lists whose neighbours lie
// far apart in the order of particles, along x and in the kinds.
TEST_F(OnDevice, StrewnCells)
{
    for (const char* cells : {"1", "2", "3"}) {
        for (const char* name : {"dam-break-3d", "taylor-green-2d"}) {
            const bool flat = std::string(name) == "taylor-green-2d";
            Problem problem = problem_of(name, {flat ? "resolution.spacing=0.025" : "resolution.spacing=0.03",
                                                std::string("numerics.cells_per_support=") + cells,
                                                "numerics.skin=0.25", "time.step=fixed", "time.size=1e-9"});
            std::mt19937 random(7);
            std::vector<InitialParticle>& particles = problem.particles.stored();
            for (std::size_t i = 0; i < particles.size() && !flat; ++i) {
                const auto widest = static_cast<int>(6 * i / particles.size());
                std::uniform_int_distribution<int> strewn(-widest, widest);
                for (std::int32_t& cell : particles[i].cell) cell += strewn(random);
            }
            SCOPED_TRACE(fmt::format("{}, {} cells in a support", name, cells));
            expect_same(problem, 80, 8);
        }
    }
}

// The sort's key has as many bits as the largest id needs: alone, and where it does not hold the rows any more.
TEST_F(OnDevice, IdsWithGaps)
{
    Problem problem = problem_of("inviscid-tank-2d", small_2d + variable);
    for (const bool ascending : {true, false}) {
        spread_ids(problem, ascending);
        expect_same(problem, 200, 20);
        EXPECT_EQ(there(problem, {}, 200, 200).last().kinetic,
                  trajectory_of(numbered_without_gaps(problem), CpuOptions{.threads = 1, .lanes = 0}, 200, 200)
                      .last()
                      .kinetic);
    }
    problem.particles.stored().front().cell[0] -= 2'000'000'000;
    problem.particles.stored().front().cell[1] -= 2'000'000'000;
    expect_same(problem, 80, 20);
}

TEST_F(OnDevice, RatesAndLimits)
{
    const Problem problem = problem_of("dam-break-3d", small_3d);
    Simulation here(problem, make_cpu_backend(problem, {.threads = 1}));
    Simulation there(problem, make_cuda_backend(problem, {}));
    for (int k = 0; k < 20; ++k) {
        here.step();
        there.step();
    }
    EXPECT_EQ(here.backend().rates().leading, there.backend().rates().leading);
    EXPECT_EQ(here.backend().limits().max_acceleration, there.backend().limits().max_acceleration);
    EXPECT_EQ(here.backend().limits().max_signal_speed, there.backend().limits().max_signal_speed);
}

// Five probes, one of every kind.
std::string probes(const std::string& at, const std::string& normal, const std::string& from, const std::string& to)
{
    return "probes=[{name=\"p\",measures=\"pressure\",at=" + at + "},{name=\"u\",measures=\"velocity\",at=" + at +
           "},{name=\"h\",measures=\"level\",at=" + at +
           "},{name=\"f\",measures=\"force\"},{name=\"q\",measures=" + "\"flow\",at=" + at + ",normal=" + normal +
           ",within={from=" + from + ",to=" + to + "}}]";
}

const std::string in_tank = probes("[0.3,0.1,0.05]", "[1,0.5,0]", "[0,0,0]", "[1,0.3,0.3]");

void expect_same_samples(const Problem& problem)
{
    Simulation here(problem, make_cpu_backend(problem, {.threads = 2}));
    Simulation there(problem, make_cuda_backend(problem, {}));
    std::vector<bool> measured(problem.probes.size());  // something, at one step at least: a flow comes and goes
    for (int step = 0; step < 200; ++step) {
        const auto sums = sums_of(here.backend().sample(problem.probes));
        ASSERT_EQ(sums, sums_of(there.backend().sample(problem.probes))) << "step " << step;
        for (std::size_t k = 0; k < sums.size(); ++k) measured[k] = measured[k] || sums[k] != ProbeSums{};
        here.step();
        there.step();
    }
    EXPECT_EQ(measured, std::vector<bool>(problem.probes.size(), true));
}

// What probes measure, in a tank in three dimensions and along a period in two.
TEST_F(OnDevice, Probes)
{
    expect_same_samples(problem_of("dam-break-3d", small_3d + Overrides{in_tank}));
    Problem periodic =
        problem_from(channel, {probes("[0.95,0.1]", "[1,0.5]", "[0,0]", "[1,0.3]"), "origin.cells=[7,-5]"});
    stir(periodic, 1, 43);
    expect_same_samples(periodic);
}

TEST_F(OnDevice, ProbesInDouble)
{
    const Problem problem =
        problem_of("dam-break-3d", small_3d + in_double + Overrides{in_tank, "numerics.kernel=gaussian"});
    const std::string obstacle = why_no_cuda(problem, {});
    if (!obstacle.empty()) GTEST_SKIP() << obstacle;
    expect_same_samples(problem);
}

// A run that breaks does so at the same step, by the same particle, and leaves the same state: in the update of the
// density or in a move.
TEST_F(OnDevice, BreaksDownAlike)
{
    const auto tank = [](const Overrides& more) { return problem_of("inviscid-tank-2d", small_2d + more); };
    const Overrides fast{"shapes.water.velocity=[3000, 0]", "numerics.density_bound=0.9"};
    for (const Problem& problem :
         {tank({"numerics.density_bound=0.004"}), tank({"numerics.density_bound=0.004", "numerics.integrator=verlet"}),
          tank(fast), tank(fast + Overrides{"numerics.integrator=verlet"})}) {
        const std::string here = breakdown_of(problem, make_cpu_backend(problem, {.threads = 1}));
        EXPECT_NE(here, "did not break");
        EXPECT_EQ(here, breakdown_of(problem, make_cuda_backend(problem, {})));
    }
}

// In a kick, and where kick and density are updated together and break a rule each. What is not a number has other bits
// on a device than on a processor.
TEST_F(OnDevice, BreaksDownAlikeInAKick)
{
    for (const char* integrator : {"kick-drift-kick", "verlet"}) {
        Problem squeezed =
            problem_of("inviscid-tank-2d", small_2d + Overrides{std::string("numerics.integrator=") + integrator});
        for (InitialParticle& particle : squeezed.particles.stored())
            if (particle.kind == Kind::fluid) particle.density = 3e12F;
        std::vector<std::string> why;
        const auto broken = [&](std::unique_ptr<Backend> backend) {
            Simulation simulation(squeezed, std::move(backend));
            try {
                while (simulation.steps() < 10) simulation.step();
                ADD_FAILURE() << "did not break";
            } catch (const SimulationBroke& broke) {
                why.push_back(broke.breakdown.what);
            }
            return simulation.snapshot();
        };
        const Snapshot here = broken(make_cpu_backend(squeezed, {.threads = 1}));
        const Snapshot there = broken(make_cuda_backend(squeezed, {}));
        ASSERT_EQ(why.size(), 2U);
        EXPECT_NE(why[0].find("velocity"), std::string::npos) << why[0];
        EXPECT_EQ(why[0], why[1]);
        std::size_t not_numbers = 0;
        for (const char* name : {"velocity", "velocity_residual", "offset", "offset_residual", "density_deviation"}) {
            const auto expected = values_of<float>(column(here, name));
            const auto found = values_of<float>(column(there, name));
            ASSERT_EQ(found.size(), expected.size()) << name;
            for (std::size_t k = 0; k < expected.size(); ++k) {
                EXPECT_TRUE(found[k] == expected[k] || (std::isnan(found[k]) && std::isnan(expected[k])))
                    << integrator << ", " << name << " " << k;
                not_numbers += std::isnan(expected[k]) ? 1 : 0;
            }
        }
        EXPECT_GT(not_numbers, 0U);
    }
}

TEST(WithoutDevice, SaysWhy)
{
    const Problem problem = problem_of("inviscid-tank-2d", small_2d);
    EXPECT_FALSE(why_no_cuda(problem, {.device = 4096}).empty());
}

TEST(WithoutDevice, SaysWhyOfQuad)
{
    if (find_policy("quad") == nullptr) GTEST_SKIP() << "only halfulp-lab has quad: cuda_backend_lab_test";
    const Problem in_quad = problem_of("inviscid-tank-2d", small_2d + Overrides{"numerics.precision=quad"});
    EXPECT_FALSE(why_no_cuda(in_quad, {}).empty());
}

}  // namespace
}  // namespace halfulp::test
