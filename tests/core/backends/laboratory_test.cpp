// What halfulp-lab has beyond the program: every policy of its list, in the table and in the CPU back end, and numbers
// of lanes.
#include <cmath>

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

// A uniform stream through a periodic box remains one: whatever a precision keeps of a position crosses the period with
// the particle.
TEST(Laboratory, StreamsCrossPeriodsInEveryPrecisionWithCells)
{
    constexpr double speed[] = {3, -1.75};
    for (const char* precision : {"robust", "double", "gpusph", "dualsphysics", "robust/position=global-double"}) {
        for (const char* integrator : {"kick-drift-kick", "implicit-midpoint"}) {
            const std::string what = std::string(precision) + ", " + integrator;
            const Problem problem = problem_from(
                periodic_box(2), {"shapes.water.velocity=[3,-1.75]", "numerics.precision=" + std::string(precision),
                                  "numerics.integrator=" + std::string(integrator)});
            Simulation simulation = simulation_of(problem);
            const auto start = doubles_of(simulation.snapshot(), "position");
            while (simulation.time() < 0.7) simulation.step();
            const auto x = doubles_of(simulation.snapshot(), "position");
            const auto u = doubles_of(simulation.snapshot(), "velocity");
            double farthest = 0;
            double fastest = 0;
            for (std::size_t k = 0; k < x.size(); ++k) {
                if (k % 3 == 2) continue;
                const double moved = x[k] - start[k] - speed[k % 3] * simulation.time();
                farthest = std::max(farthest, std::abs(moved - std::round(moved)));
                fastest = std::max(fastest, std::abs(u[k] - speed[k % 3]));
                EXPECT_GE(x[k], -0.2) << what;
                EXPECT_LE(x[k], 1.2) << what;
            }
            EXPECT_LT(farthest, 2e-4) << what;
            EXPECT_LT(fastest, 1e-2) << what;
        }
    }
}

}  // namespace
}  // namespace halfulp::test
