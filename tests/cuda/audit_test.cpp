// Promise: audits of runs on a CUDA device, and on one of other runs, find a changed bit and nothing else.
#include "core/backends/cuda/cuda_backend.hpp"
#include "core/setup/policy_table.hpp"
#include "tests/core/backends/same_bits_problems.hpp"
#include "tests/core/evolution/audit_faults.hpp"
#include "tests/cuda/no_device.hpp"

namespace halfulp::test {
namespace {

// Of a problem on device 0, on another one if there is one, and on the CPU.
struct Places {
    explicit Places(const Problem& of) : problem(of) {}
    [[nodiscard]] MakeBackend device(int number) const
    {
        return [this, number] { return make_cuda_backend(problem, {.device = number % std::max(1, cuda_devices())}); };
    }
    [[nodiscard]] MakeBackend devices() const
    {
        return [this] { return make_cuda_backend(problem, {.devices = {0, 1 % std::max(1, cuda_devices())}}); };
    }
    [[nodiscard]] MakeBackend cpu() const
    {
        return [this] { return make_cpu_backend(problem, {.threads = 1}); };
    }
    const Problem& problem;
};

class AuditedDevices : public ::testing::TestWithParam<SameBitsProblem> {};

TEST_P(AuditedDevices, HaveNoFault)
{
    if (find_policy(GetParam().precision) == nullptr) GTEST_SKIP() << "only halfulp-lab has " << GetParam().precision;
    const Problem problem = GetParam().prepared();
    if (const std::string obstacle = why_no_cuda(problem, {}); !obstacle.empty()) GTEST_SKIP() << obstacle;
    const std::uint64_t steps = GetParam().steps / 10;
    const Places on(problem);
    expect_nothing_found(problem, on.device(0), on.device(1), steps, 17, true, "by the other device");
    expect_nothing_found(problem, on.device(0), on.cpu(), steps, 17, true, "of a device by the CPU");
    expect_nothing_found(problem, on.devices(), on.cpu(), steps, 17, true, "of two devices by the CPU");
}

// The state of the device is changed between two steps, so by bits that a restored state may have.
TEST(AuditFaultsOnDevices, InMemory)
{
    if (!why_no_device().empty()) GTEST_SKIP() << "no CUDA device to test on: " << why_no_device();
    Random random(7);
    const Problem problem = problem_of("dam-break-3d", small_3d);
    const Places on(problem);
    for (int k = 0; k < 100; ++k) {
        const TimeOfDamage when{.step = 1 + random.bits() % 40};
        const Machines machines{on.device(0), k % 2 == 0 ? on.device(1) : on.cpu(), on.cpu(), false};
        EXPECT_EQ(fate_of(problem, machines, random.bits(), when, {{"velocity", 0, 2, false, 22}}, true), Fate::found);
    }
}

INSTANTIATE_TEST_SUITE_P(Problems, AuditedDevices, testing::ValuesIn(same_bits_problems()), name_of);

}  // namespace
}  // namespace halfulp::test
