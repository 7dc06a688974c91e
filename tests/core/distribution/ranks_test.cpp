// Promise: the same bits on any number of ranks, however the domain is divided among them.
#include <gtest/gtest.h>

#include "core/setup/policy_table.hpp"
#include "tests/core/backends/same_bits_problems.hpp"

namespace halfulp::test {
namespace {

class Ranks : public ::testing::TestWithParam<SameBitsProblem> {};

constexpr std::uint64_t every = 20;

CpuOptions on(int ranks, std::uint64_t seed)
{
    return {.threads = 1, .lanes = 0, .ranks = ranks, .cuts = {.at_random = seed != 0, .seed = seed}};
}

// A whole number of moments, and as many rebuilds as are possible.
std::uint64_t part_of(std::uint64_t steps, std::uint64_t divisor)
{
    return std::max<std::uint64_t>(steps / divisor / every, 2) * every;
}

// Cut anywhere, at every rebuild anew, and by work.
TEST_P(Ranks, HaveTheBitsOfOne)
{
    const PolicyInfo* const policy = find_policy(GetParam().precision);
    if (policy == nullptr) GTEST_SKIP() << "only halfulp-lab has " << GetParam().precision << ": ranks_lab_test";
    const Problem problem = GetParam().prepared();
    const std::uint64_t steps = part_of(GetParam().steps, 4);
    const Trajectory reference = trajectory_of(problem, {.threads = 1, .lanes = 0}, steps, every);
    const auto compare = [&](const CpuOptions& options, std::uint64_t length, const std::string& what) {
        expect_same_bits(reference, trajectory_of(problem, options, length, every), what);
    };
    compare(on(2, 0), steps, "two ranks");
    std::uint64_t seed = 1;
    for (const int ranks : {1, 2, 3, 5, 8})
        compare(on(ranks, ++seed), part_of(steps, 2), fmt::format("{} ranks, cut at random", ranks));
    CpuOptions searching = on(3, 77);
    searching.neighbours = NeighbourStorage::none;
    compare(searching, part_of(steps, 4), "three ranks without stored neighbours");

    // Saved in the middle of the life of its lists, gone on with by another number of ranks.
    const auto expect_resumed = [&](std::uint64_t at, const CpuOptions& before, const CpuOptions& after) {
        expect_same_bits(reference,
                         resumed_trajectory_of(problem, make_cpu_backend(problem, before),
                                               make_cpu_backend(problem, after), at, steps / 2, every),
                         fmt::format("from {} to {} ranks after {} steps", before.ranks, after.ranks, at));
    };
    expect_resumed(steps / 8 + 3, on(3, 5), on(2, 0));
    expect_resumed(steps / 6, on(0, 0), on(5, 9));
    expect_resumed(steps / 8, on(2, 0), on(0, 0));
}

INSTANTIATE_TEST_SUITE_P(Problems, Ranks, testing::ValuesIn(same_bits_problems()), name_of);

}  // namespace
}  // namespace halfulp::test
