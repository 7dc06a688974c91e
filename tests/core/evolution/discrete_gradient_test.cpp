// The discrete-gradient midpoint rule: energy kept to rounding in one step and in many, whatever acts, where the
// midpoint rule errs with the square of the step; momenta; a sum taken in the wrong place; rounds; and the energy error
// that the midpoint rule books of itself.
#include <cmath>

#include "core/operations/operations.hpp"
#include "tests/core/backends/cases.hpp"

namespace halfulp::test {
namespace {

const Overrides discrete = {"numerics.integrator=discrete-gradient"};
const Overrides midpoint = {"numerics.integrator=implicit-midpoint"};

struct Kept {
    double residual = 0;       // largest
    double without_error = 0;  // largest, of the residual without the integrator's own error
    double exchanged = 0;      // half the sum of the sizes of all changes of kinetic, potential, compressive energy
    LedgerRow first, last;
};

Kept keep(const Problem& problem, int steps)
{
    Simulation simulation = simulation_of(problem);
    Kept kept;
    kept.first = kept.last = simulation.ledger_row();
    for (int k = 0; k < steps; ++k) {
        simulation.step();
        const LedgerRow row = simulation.ledger_row();
        const auto change = [&](double LedgerRow::*member) { return std::abs(row.*member - kept.last.*member); };
        kept.exchanged +=
            0.5 * (change(&LedgerRow::kinetic) + change(&LedgerRow::potential) + change(&LedgerRow::central) +
                   change(&LedgerRow::compressive_fluid) + change(&LedgerRow::compressive_wall));
        kept.residual = std::max(kept.residual, std::abs(row.residual));
        kept.without_error = std::max(kept.without_error, std::abs(row.residual - row.integrator_error));
        kept.last = row;
    }
    return kept;
}

// Fluid between walls that slide, stirred and under pressure, so that every term of the energy changes in one step.
Problem stirred_tank(const Overrides& overrides)
{
    Problem problem = problem_of("inviscid-tank-2d", in_double + overrides);
    stir(problem, 2, 31);
    Random random(32);
    for (InitialParticle& particle : problem.particles.stored())
        particle.density = static_cast<float>(random.uniform(-0.05, 0.05));
    slide_walls(problem, 0.7);
    return problem;
}

const std::vector<Overrides> everything_covered{
    {"fluid.artificial_viscosity=0"},
    {"numerics.formulation=volume-weighted"},
    {"fluid.state_equation=linear"},
    {"numerics.formulation=volume-weighted", "fluid.state_equation=linear"},
    {"numerics.walls=extrapolated"},
    {"numerics.walls=modified-dynamic"},
    {"numerics.walls=pressure-cloning"},
    {"fluid.artificial_viscosity=0.1"},
    {"fluid.laminar_viscosity=morris", "fluid.kinematic_viscosity=0.02"},
    {"numerics.density_diffusion=molteni-colagrossi"},
    {"numerics.density_diffusion=antuono", "numerics.formulation=volume-weighted"},
    {"numerics.density_diffusion=balanced", "numerics.walls=extrapolated"},
    {"numerics.tensile_correction=true"},
    {"central_force={rate=3,centre=[0.6,0.2]}"},
    {"time.step=variable"},
};

// One step at a time, the identity holds to the rounding of the sums. The midpoint rule errs by a thousand million
// times as much, also where the change is as violent as here.
TEST(DiscreteGradient, KeepsTheEnergyInOneStep)
{
    for (const Overrides& more : everything_covered) {
        const std::string what = more.front();
        const Kept kept = keep(stirred_tank(more + discrete), 1);
        EXPECT_GT(kept.exchanged, 0.3) << what;
        EXPECT_LT(kept.residual, 3e-14 * kept.exchanged + 1e-15 * std::abs(kept.first.total)) << what;
        EXPECT_EQ(kept.last.integrator_error, 0) << what;
        EXPECT_GT(keep(stirred_tank(more + midpoint), 1).residual, 1e-7 * kept.exchanged) << what;
    }
}

// The midpoint rule's own error explains its residual to rounding, and is of second order.
TEST(ImplicitMidpoint, BooksItsOwnError)
{
    for (const Overrides& more : everything_covered) {
        const Kept kept = keep(stirred_tank(more + midpoint), 5);
        EXPECT_LT(kept.without_error, 1e-6 * kept.residual) << more.front();
    }
    // Also where the tension of walls is cut off, at the end of the step or at the midpoint.
    for (const char* diffusion : {"none", "molteni-colagrossi", "balanced"}) {
        const Overrides cut{"numerics.wall_tension=false", std::string("numerics.density_diffusion=") + diffusion};
        const Kept kept = keep(stirred_tank(cut + midpoint), 5);
        EXPECT_LT(kept.without_error, 1e-6 * kept.residual) << diffusion;
    }
    const auto error_of = [](const char* cfl) {
        return keep(problem_of("inviscid-tank-2d", in_double + midpoint + Overrides{cfl}), 0).exchanged;
    };
    EXPECT_EQ(error_of("time.cfl=0.1"), 0) << "nothing has been exchanged before the first step";
}

TEST(DiscreteGradient, KeepsTheEnergyOfACollapse)
{
    for (const Overrides& more :
         {Overrides{}, Overrides{"numerics.formulation=volume-weighted"}, Overrides{"fluid.state_equation=linear"}}) {
        const auto collapse = [&](const Overrides& other) {
            return keep(problem_of("inviscid-tank-2d", more + other + Overrides{"time.cfl=0.2"}), 400);
        };
        const Kept by_discrete = collapse(in_double + discrete);
        const Kept by_midpoint = collapse(in_double + midpoint);
        EXPECT_LT(by_discrete.residual, 1e-13 * by_discrete.exchanged);
        EXPECT_GT(by_midpoint.residual, 1e5 * by_discrete.residual);
        EXPECT_LT(by_midpoint.without_error, 1e-12 * by_midpoint.exchanged);
        // What single precision rounds in forces and density rates: measured 3e-9 to 6e-9.
        EXPECT_LT(collapse(discrete).residual, 1.5e-8 * by_discrete.exchanged) << "in single precision";
    }
}

// Without walls and gravity both momenta are kept as well.
TEST(DiscreteGradient, KeepsTheMomenta)
{
    for (const Overrides& more : {Overrides{}, Overrides{"numerics.formulation=volume-weighted"}}) {
        const Problem problem = problem_from(collision, in_double + discrete + more);
        const Kept kept = keep(problem, 600);
        EXPECT_GT(kept.last.max_density_deviation, 1e-3) << "the drops must have collided";
        EXPECT_LT(kept.residual, 1e-12 * kept.exchanged);
        const double momentum = std::abs(kept.first.momentum_x) + std::abs(kept.first.momentum_y);
        EXPECT_LT(std::abs(kept.last.momentum_x - kept.first.momentum_x), 1e-12 * momentum);
        EXPECT_LT(std::abs(kept.last.momentum_y - kept.first.momentum_y), 1e-12 * momentum);
        const double angular = std::abs(kept.first.angular_momentum_z);
        EXPECT_LT(std::abs(kept.last.angular_momentum_z - kept.first.angular_momentum_z), 1e-12 * angular);
    }
}

// The discrete gradient carried out here, on a back end, with drifts added before some operations: (kind, fraction).
using Drifts = std::vector<std::pair<OperationKind, double>>;
struct Carried {
    double residual = 0;  // of the energy, over that exchanged, largest
    int most_rounds = 0;
};
Carried carry_out(const Overrides& overrides, int steps, const Drifts& drifts)
{
    const Problem problem = problem_of("inviscid-tank-2d", in_double + discrete + overrides);
    const Scheme scheme = scheme_of(problem);
    const std::unique_ptr<Backend> backend = make_cpu_backend(problem, {.threads = 1});
    const double step = static_cast<float>(problem.fixed_step / problem.units.time());
    for (const Operation& operation : operations_of(scheme.start)) backend->execute(operation, step);
    const auto energies = [&] {
        const LedgerSums sums = backend->ledger_totals().sums();
        return std::array{sums.kinetic, sums.potential, sums.compressive_fluid + sums.compressive_wall};
    };
    const auto start = energies();
    auto before = start;
    double exchanged = 0;
    Carried carried;
    for (int k = 0; k < steps; ++k) {
        for (const SchemeBlock& block : scheme.step) {
            // Until it converges, as Simulation judges it, and then once more, so that nothing of the rounds is left.
            bool converged = false;
            double off_before = std::numeric_limits<double>::infinity();
            for (int round = 1; round < 100; ++round) {
                for (const SchemeEntry& entry : block.entries) {
                    for (const auto& [kind, fraction] : drifts) {
                        if (entry.operation.kind == kind) backend->execute({kind_of<Drift>, fraction}, step);
                    }
                    backend->execute(entry.operation, step);
                }
                backend->complete();
                if (!block.loop || converged) break;
                const double off = backend->limits().residual;
                converged = off <= 1 || (off >= off_before && off <= 1000);
                off_before = off;
                carried.most_rounds = std::max(carried.most_rounds, round);
            }
        }
        const auto now = energies();
        double change = 0;
        for (std::size_t e = 0; e < now.size(); ++e) {
            exchanged += 0.5 * std::abs(now[e] - before[e]);
            change += now[e] - start[e];
        }
        before = now;
        carried.residual = std::max(carried.residual, std::abs(change));
    }
    carried.residual /= exchanged;
    return carried;
}

// The positions of the end in place of the midpoint's, in either of the two sums, break the identity.
TEST(DiscreteGradient, ASumAtTheEndOfTheStepIsCaught)
{
    const Drifts forces_at_end{{kind_of<FindForces>, 0.5}};
    const Drifts density_rate_at_end{{kind_of<FindDensityRate>, 0.5}, {kind_of<FindForces>, -0.5}};
    const Drifts there_and_back{{kind_of<FindForces>, 0.5}, {kind_of<FindForces>, -0.5}};
    for (const char* cfl : {"time.cfl=0.2", "time.cfl=0.02"}) {
        EXPECT_LT(carry_out({cfl}, 100, {}).residual, 2e-13) << cfl;
        EXPECT_LT(carry_out({cfl}, 100, there_and_back).residual, 2e-13) << cfl;
        EXPECT_GT(carry_out({cfl}, 100, forces_at_end).residual, 1e-6) << cfl;
        EXPECT_GT(carry_out({cfl}, 100, density_rate_at_end).residual, 1e-6) << cfl;
    }
}

// Density first, then velocity: few rounds, and fewer the shorter the step.
TEST(DiscreteGradient, ConvergesInAFewRounds)
{
    EXPECT_LE(carry_out({"time.cfl=0.2"}, 200, {}).most_rounds, 10);
    EXPECT_LE(carry_out({"time.cfl=0.05"}, 200, {}).most_rounds, 7);
}

}  // namespace
}  // namespace halfulp::test
