// Particles where none should be: two at one place, and one that leaves the range of cells.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/results/column_number.hpp"
#include "tests/core/backends/cases.hpp"

namespace halfulp::test {
namespace {

std::vector<std::size_t> fluid_of(const Problem& problem)
{
    std::vector<std::size_t> fluid;
    for (std::size_t k = 0; k < problem.particles.size(); ++k) {
        if (problem.particles[k].kind == Kind::fluid) fluid.push_back(k);
    }
    return fluid;
}

// Whether two particles have the same bits of a column in an output.
bool agree(const Snapshot& snapshot, const std::string& column, std::size_t a, std::size_t b)
{
    const Column& numbers = *find_column(snapshot, column);
    const std::size_t width = numbers.data.size() / snapshot.count;
    const auto at = [&](std::size_t row) { return numbers.data.begin() + static_cast<std::ptrdiff_t>(row * width); };
    return std::equal(at(a), at(a + 1), at(b));
}

// No force and no rate divides by a distance: two particles at one place see the same of all others and nothing of each
// other, so they stay together, and the rest of the fluid goes on.
void expect_together(const Overrides& overrides)
{
    std::string all;
    for (const std::string& one : overrides) all += one + ' ';
    SCOPED_TRACE(all);
    Problem problem = problem_of("inviscid-tank-2d", small_2d + balance_laws_alone + overrides);
    const std::vector<std::size_t> fluid = fluid_of(problem);
    const std::size_t a = fluid[fluid.size() / 2];
    const std::size_t b = fluid[fluid.size() / 2 + 3];
    problem.particles.stored()[b].cell = problem.particles[a].cell;
    problem.particles.stored()[b].offset = problem.particles[a].offset;
    problem.particles.stored()[b].velocity = problem.particles[a].velocity;
    problem.particles.stored()[b].density = problem.particles[a].density;
    Simulation simulation = simulation_of(problem);
    for (int step = 0; step < 20; ++step) simulation.step();
    EXPECT_TRUE(std::isfinite(simulation.ledger_row().total));
    const Snapshot end = simulation.snapshot();
    for (const char* column : {"cell", "offset", "velocity"}) EXPECT_TRUE(agree(end, column, a, b)) << column;
}

TEST(OverlappingParticles, StayTogether)
{
    expect_together({});
    for (const char* kernel : {"wendland-c2", "cubic-spline", "gaussian"})
        expect_together({std::string("numerics.kernel=") + kernel});
    for (const char* precision : {"double", "reversible"})
        expect_together({std::string("numerics.precision=") + precision});
    expect_together({"numerics.formulation=volume-weighted"});
}

TEST(OverlappingParticles, WithEveryForce)
{
    for (const char* laminar : {"morris", "brookshaw", "monaghan-gingold"}) {
        expect_together({std::string("fluid.laminar_viscosity=") + laminar, "fluid.kinematic_viscosity=0.01"});
    }
    expect_together({"fluid.artificial_viscosity=0.1"});
    expect_together({"numerics.tensile_correction=true"});
    expect_together({"numerics.particle_shifting=2", "fluid.artificial_viscosity=0.1"});
    expect_together({"numerics.velocity_smoothing=0.5"});
    for (const char* filter : {"shepard", "mls"})
        expect_together({std::string("numerics.density_filter=") + filter, "numerics.filter_every=5"});
    for (const char* diffusion : {"molteni-colagrossi", "fourtakas", "antuono", "balanced"})
        expect_together({std::string("numerics.density_diffusion=") + diffusion});
    for (const char* walls : {"extrapolated", "modified-dynamic", "pressure-cloning"})
        expect_together({std::string("numerics.walls=") + walls});
}

// A block that flies past the last cell ends its run with a sentence that names a particle.
TEST(CellRange, ParticleThatLeavesIt)
{
    for (const char* precision : {"robust", "double"}) {
        Problem problem = problem_from(R"(
gravity = [0, 0]
[resolution]
spacing = 0.1
[fluid]
sound_speed = 30
[time]
end = 1000
cfl = 0.1
[output]
interval = 1
[[shapes]]
name = "water"
kind = "fluid"
box = { from = [0, 0], to = [0.5, 0.5] }
velocity = [2, 0]
)",
                                       {std::string("numerics.precision=") + precision});
        std::int32_t last = 0;
        for (const InitialParticle& particle : problem.particles) last = std::max(last, particle.cell[0]);
        for (InitialParticle& particle : problem.particles.stored())
            particle.cell[0] += std::numeric_limits<std::int32_t>::max() - last;
        Simulation simulation = simulation_of(problem);
        std::optional<Breakdown> breakdown;
        try {
            while (simulation.steps() < 1000) simulation.step();
        } catch (const SimulationBroke& broke) {
            breakdown = broke.breakdown;
        }
        ASSERT_TRUE(breakdown) << precision;
        EXPECT_NE(breakdown->what.find("cells"), std::string::npos) << breakdown->what;
        EXPECT_EQ(breakdown->kind, Kind::fluid);
        EXPECT_GT(simulation.steps(), 3U) << "it was inside when it started";
    }
}

}  // namespace
}  // namespace halfulp::test
