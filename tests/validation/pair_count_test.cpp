// Neighbours of the fluid, counted by cells, against all pairs.
#include <cmath>

#include <gtest/gtest.h>

#include "core/evolution/simulation.hpp"
#include "validation/columns.hpp"
#include "validation/experiment.hpp"
#include "validation/pair_count.hpp"

namespace halfulp {
namespace {

// From global positions, between all particles and their nearest images.
std::uint64_t by_all_pairs(const Problem& problem, const Snapshot& snapshot)
{
    const Column& position = column_of(snapshot, "position");
    const Column& kind = column_of(snapshot, "kind");
    const double support = within_support * static_cast<double>(problem.support) * problem.units.length;
    std::uint64_t pairs = 0;
    for (std::size_t a = 0; a < snapshot.count; ++a) {
        if (number_at(kind, a) != 0) continue;
        for (std::size_t b = 0; b < snapshot.count; ++b) {
            double square = 0;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const double period = problem.period[axis] * problem.units.length;
                double x = number_at(position, 3 * a + axis) - number_at(position, 3 * b + axis);
                if (period > 0) x = std::remainder(x, period);
                square += x * x;
            }
            if (a != b && square < support * support) ++pairs;
        }
    }
    return pairs;
}

// On the lattice of the start and later, when particles have left the cells in which they were found last.
void expect_all_pairs(const Case& c, int steps)
{
    const Problem problem = prepare(c);
    Simulation simulation(problem, make_cpu_backend(problem, one_thread));
    for (int part = 0; part < 3; ++part) {
        const Snapshot snapshot = simulation.snapshot();
        const auto counted = neighbours_of_fluid(problem, snapshot);
        ASSERT_TRUE(counted) << c.name;
        EXPECT_EQ(*counted, by_all_pairs(problem, snapshot)) << c.name << " at step " << simulation.steps();
        EXPECT_GT(*counted, 20 * problem.fluid);
        for (int step = 0; step < steps; ++step) simulation.step();
    }
}

TEST(PairCount, CountsNeighboursOfTheFluidWithinTheSupport)
{
    expect_all_pairs(case_with("inviscid-tank-2d", {"resolution.spacing=0.05"}), 150);
    expect_all_pairs(case_with("dam-break-3d", {"resolution.spacing=0.06"}), 60);
    expect_all_pairs(case_with("taylor-green-2d", {"resolution.spacing=0.04", "numerics.skin=0.25",
                                                   "numerics.walls=dynamic", "numerics.density_diffusion=none"}),
                     60);
    expect_all_pairs(case_with("inviscid-tank-2d", {"resolution.spacing=0.1", "origin.cells=[1000000000,-1000000000]"}),
                     20);
}

TEST(PairCount, CountsNothingWhereParticlesAreMissing)
{
    const Problem problem = prepare(case_with("inviscid-tank-2d", {"resolution.spacing=0.1"}));
    Snapshot snapshot = make_cpu_backend(problem, one_thread)->snapshot();
    EXPECT_TRUE(neighbours_of_fluid(problem, snapshot));
    --snapshot.count;
    EXPECT_FALSE(neighbours_of_fluid(problem, snapshot));
    ++snapshot.count;
    std::erase_if(snapshot.columns, [](const Column& column) { return column.name == "offset"; });
    EXPECT_FALSE(neighbours_of_fluid(problem, snapshot));
}

}  // namespace
}  // namespace halfulp
