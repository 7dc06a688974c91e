// Promise: the same bits on several CUDA devices, or several ranks of one, as on a CPU, however the domain is divided.
#include <thread>

#include "core/backends/cuda/cuda_backend.hpp"
#include "core/setup/policy_table.hpp"
#include "tests/core/backends/same_bits_problems.hpp"
#include "tests/core/distribution/bytes_sent.hpp"
#include "tests/cuda/no_device.hpp"

namespace halfulp::test {
namespace {

constexpr std::uint64_t steps_between = 20;

// Of a number of ranks: the devices there are, in turn.
CudaOptions on(std::size_t ranks, std::uint64_t seed)
{
    const Problem small = problem_of("inviscid-tank-2d", small_2d);
    int devices = 1;
    while (devices < 8 && why_no_cuda(small, {.device = devices}).empty()) ++devices;
    CudaOptions options;
    for (std::size_t r = 0; r < ranks; ++r) options.devices.push_back(static_cast<int>(r) % devices);
    options.cuts = {.at_random = seed != 0, .seed = seed};
    return options;
}

// A whole number of moments, and as many rebuilds as are possible.
std::uint64_t part_of(std::uint64_t steps, std::uint64_t divisor)
{
    return std::max<std::uint64_t>(steps / divisor / steps_between, 2) * steps_between;
}

class Devices : public ::testing::TestWithParam<SameBitsProblem> {
protected:
    void SetUp() override
    {
        if (!why_no_device().empty()) GTEST_SKIP() << "no CUDA device to test on: " << why_no_device();
    }
};

// Cut by work, and anywhere, at every rebuild anew.
TEST_P(Devices, HaveTheBitsOfTheCpu)
{
    const PolicyInfo* const policy = find_policy(GetParam().precision);
    if (policy == nullptr) GTEST_SKIP() << "only halfulp-lab has " << GetParam().precision;
    const Problem problem = GetParam().prepared();
    const std::string obstacle = why_no_cuda(problem, {});
    if (!obstacle.empty()) GTEST_SKIP() << obstacle;
    const std::uint64_t steps = part_of(GetParam().steps, 4);
    const Trajectory reference = trajectory_of(problem, CpuOptions{.threads = 1, .lanes = 0}, steps, steps_between);
    const auto compare = [&](const CudaOptions& options, std::uint64_t length, const std::string& what) {
        expect_same_bits(reference, trajectory_of(problem, make_cuda_backend(problem, options), length, steps_between),
                         what);
    };
    compare(on(2, 0), steps, "two ranks");
    std::uint64_t seed = 1;
    for (const std::size_t ranks : {1, 2, 3, 5})
        compare(on(ranks, ++seed), part_of(steps, 2), fmt::format("{} ranks, cut at random", ranks));
    // A choice of particles for more than sixteen ranks is made in several rounds.
    if (GetParam().name == "DefaultsThreeDimensions") compare(on(17, 21), part_of(steps, 8), "17 ranks, cut at random");
    CudaOptions searching = on(2, 77);
    searching.neighbours = NeighbourStorage::none;
    compare(searching, part_of(steps, 4), "two ranks without stored neighbours");
    CudaOptions compact = on(3, 79);
    compact.neighbours = NeighbourStorage::compact;
    compare(compact, part_of(steps, 4), "three ranks with compact lists");
    CudaOptions masks = on(3, 78);
    masks.neighbours = NeighbourStorage::masks;
    compare(masks, part_of(steps, 4), "three ranks with masks");

    // Saved in the middle of the life of its lists, gone on with elsewhere.
    const auto cpu = [&](int ranks) { return make_cpu_backend(problem, {.threads = 1, .lanes = 0, .ranks = ranks}); };
    const auto cuda = [&](const CudaOptions& options) { return make_cuda_backend(problem, options); };
    const auto expect_resumed = [&](std::unique_ptr<Backend> before, std::unique_ptr<Backend> after,
                                    const std::string& what) {
        expect_same_bits(reference,
                         resumed_trajectory_of(problem, std::move(before), std::move(after), steps / 8 + 3, steps / 2,
                                               steps_between),
                         what);
    };
    expect_resumed(cuda(on(2, 5)), cuda({}), "from two devices to one");
    expect_resumed(cuda({}), cuda(on(3, 9)), "from one device to three ranks");
    expect_resumed(cuda(on(2, 0)), cpu(3), "from two devices to three ranks of the CPU");
    expect_resumed(cpu(2), cuda(on(2, 0)), "from two ranks of the CPU to two devices");
}

// Two simulations in one thread, each with a device, and one that another thread goes on with: what a call needs is
// the simulation's device, not the one that its thread used last.
TEST(SimulationsOnTwoDevices, TakeTurnsInAnyThread)
{
    const Problem problem = problem_of("inviscid-tank-2d", small_2d + Overrides{"time.step=variable"});
    if (!why_no_cuda(problem, {.device = 1}).empty()) GTEST_SKIP() << "there are not two CUDA devices";
    Simulation one(problem, make_cuda_backend(problem, {.device = 0}));
    Simulation two(problem, make_cuda_backend(problem, {.device = 1}));
    const auto expect_equal = [&] {
        EXPECT_EQ(one.snapshot().hash, two.snapshot().hash);
        EXPECT_EQ(one.ledger_row().kinetic, two.ledger_row().kinetic);
    };
    for (int k = 0; k < 20; ++k) {
        one.step();
        two.step();
    }
    expect_equal();
    std::thread([&] {
        for (int k = 0; k < 20; ++k) two.step();
    }).join();
    for (int k = 0; k < 20; ++k) one.step();
    expect_equal();
}

// All ranks stop at the operation in which one has found a rule broken.
TEST(BreakdownOnDevices, IsThatOfTheCpu)
{
    if (!why_no_device().empty()) GTEST_SKIP() << "no CUDA device to test on: " << why_no_device();
    const Problem problem = problem_of("inviscid-tank-2d", small_2d + Overrides{"numerics.density_bound=0.004"});
    const std::string here = breakdown_of(problem, make_cpu_backend(problem, {.threads = 1}));
    EXPECT_NE(here, "did not break");
    EXPECT_EQ(here, breakdown_of(problem, make_cpu_backend(problem, {.threads = 1, .ranks = 3})));
    for (const std::size_t ranks : {2, 3})
        EXPECT_EQ(here, breakdown_of(problem, make_cuda_backend(problem, on(ranks, 5))));
}

// 16 bytes a step for a copy of fluid and 4 for one of a wall, where nothing else is sent: what `info --ranks` says.
TEST(MessagesOfDevices, AreThoseOfTheModel)
{
    if (!why_no_device().empty()) GTEST_SKIP() << "no CUDA device to test on: " << why_no_device();
    for (const Overrides& more : {Overrides{}, balance_laws_alone}) {
        const Problem problem = problem_of("dam-break-3d", small_3d + more);
        for (const std::size_t ranks : {2, 3})
            expect_bytes_of_model(problem, ranks, make_cuda_backend(problem, on(ranks, 0)));
    }
}

INSTANTIATE_TEST_SUITE_P(Problems, Devices, testing::ValuesIn(same_bits_problems()), name_of);

}  // namespace
}  // namespace halfulp::test
