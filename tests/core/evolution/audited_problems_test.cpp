// Promise: an audit of a run that has no fault finds none, whatever the physics and on whatever machines.
#include "core/setup/policy_table.hpp"
#include "tests/core/backends/same_bits_problems.hpp"
#include "tests/core/evolution/audit_check.hpp"

namespace halfulp::test {
namespace {

class AuditedProblems : public ::testing::TestWithParam<SameBitsProblem> {};

TEST_P(AuditedProblems, HaveNoFault)
{
    if (find_policy(GetParam().precision) == nullptr) GTEST_SKIP() << "only halfulp-lab has " << GetParam().precision;
    const Problem problem = GetParam().prepared();
    const std::uint64_t steps = GetParam().steps / 10;
    const auto on = [&](const CpuOptions& options) {
        return [&, options] { return make_cpu_backend(problem, options); };
    };
    const auto plain = on({.threads = 1});
    expect_nothing_found(problem, plain, on({.threads = 1, .lanes = 1}), steps, 17, false, "on one lane");
    expect_nothing_found(problem, plain, on({.threads = 1, .neighbours = NeighbourStorage::none}), steps, 17, true,
                         "without stored neighbours");
    expect_nothing_found(problem, on({.threads = 1, .ranks = 3, .cuts = {.at_random = true, .seed = 3}}), plain, steps,
                         17, false, "of three ranks");
}

INSTANTIATE_TEST_SUITE_P(Problems, AuditedProblems, testing::ValuesIn(same_bits_problems()), name_of);

}  // namespace
}  // namespace halfulp::test
