// What halfulp-lab has beyond the program: every policy of its list, in the table and in the CPU back end, and numbers
// of lanes.
#include <gtest/gtest.h>

#include "core/backends/cpu/pair_loops.hpp"
#include "core/setup/policy_table.hpp"
#include "kernels/policies.hpp"
#include "tests/core/backends/cases.hpp"
#include "tests/core/backends/trajectory.hpp"

namespace halfulp::test {
namespace {

TEST(Laboratory, HasEveryPolicyOfItsList)
{
    EXPECT_EQ(policies().size(), 3 + std::size(laboratory_policy_names));
    EXPECT_EQ(policies_of_laboratory_alone(), 0U);
    for (const char* const name : laboratory_policy_names) {
        ASSERT_NE(find_policy(name), nullptr) << name;
        EXPECT_GT(cpu_bytes_per_particle(name, Physics{}), 0U) << name;
    }
}

TEST(Laboratory, HasMoreNumbersOfLanes)
{
    const Problem single = problem_of("inviscid-tank-2d", small_2d);
    const Problem wide = problem_of("inviscid-tank-2d", small_2d + in_double);
    const bool avx512 = processor_has_avx512();
    EXPECT_EQ(lane_counts(single), (avx512 ? std::vector{1, 4, 8, 16} : std::vector{1, 4, 8}));
    EXPECT_EQ(lane_counts(wide), (avx512 ? std::vector{1, 2, 4, 8} : std::vector{1, 2, 4}));
}

}  // namespace
}  // namespace halfulp::test
