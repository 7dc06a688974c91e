// Walls that may not pull: their density stays at or above that at rest, and the energy balance holds.
#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

#include "core/backends/cpu/cpu_backend.hpp"
#include "core/evolution/simulation.hpp"
#include "core/setup/read_case.hpp"

namespace halfulp::test {
namespace {

struct Outcome {
    double lowest_wall_density = 0;  // rho/rho0 - 1
    LedgerRow row;
    double available = 0;
};

// The collapsing column, coarse, until the water has left half of the wall behind it.
Outcome collapse(const char* wall_tension)
{
    const Problem problem = prepare(
        read_case(find_case("collapse-column-2d"), {"resolution.spacing=0.0146", wall_tension, "time.cfl=0.1"}));
    Simulation simulation(problem, make_cpu_backend(problem, {.threads = 1}));
    while (simulation.time() < 0.2) simulation.step();
    Outcome outcome{.row = simulation.ledger_row(), .available = problem.available_energy};
    const Snapshot snapshot = simulation.snapshot();
    const auto column = [&](const char* name) -> const Column& {
        return *std::find_if(snapshot.columns.begin(), snapshot.columns.end(),
                             [&](const Column& c) { return c.name == name; });
    };
    for (std::size_t id = 0; id < snapshot.count; ++id) {
        if (column("kind").data[id] == std::byte{0}) continue;
        float s = 0;
        std::memcpy(&s, column("density_deviation").data.data() + id * sizeof(s), sizeof(s));
        outcome.lowest_wall_density = std::min(outcome.lowest_wall_density, static_cast<double>(s));
    }
    return outcome;
}

TEST(WallTension, WallsPullUnlessKeptFromIt)
{
    const Outcome pulling = collapse("numerics.wall_tension=true");
    EXPECT_LT(pulling.lowest_wall_density, -1e-4);
    const Outcome limited = collapse("numerics.wall_tension=false");
    EXPECT_EQ(limited.lowest_wall_density, 0);
}

// Forces see no density that the limit cuts off, so the wall gives and takes nothing there: 5e-6 of the available
// energy were measured at this step, as with walls that pull.
TEST(WallTension, TheBalanceHoldsWithTheLimit)
{
    const Outcome limited = collapse("numerics.wall_tension=false");
    EXPECT_LT(std::abs(limited.row.residual), 1e-4 * limited.available);
}

}  // namespace
}  // namespace halfulp::test
