// Symmetry of the scheme: run backwards it returns to the start.
#include <array>
#include <cmath>

#include "tests/core/backends/cases.hpp"

namespace halfulp::test {
namespace {

template <class Real>
std::vector<double> numbers(const Snapshot& snapshot, const std::string& name)
{
    const auto values = values_of<Real>(column(snapshot, name));
    return {values.begin(), values.end()};
}

// Position relative to the origin in cell sides and velocity in m/s, residuals included; cells may have been carried.
struct PositionsAndVelocities {
    std::vector<double> x, u;
};

PositionsAndVelocities state_of(const Snapshot& snapshot, bool robust)
{
    PositionsAndVelocities state;
    state.x = robust ? numbers<float>(snapshot, "offset") : numbers<double>(snapshot, "offset");
    state.u = robust ? numbers<float>(snapshot, "velocity") : numbers<double>(snapshot, "velocity");
    const auto cell = numbers<std::int32_t>(snapshot, "cell");
    for (std::size_t k = 0; k < cell.size(); ++k) state.x[k] += cell[k];
    if (robust) {
        const auto x = numbers<float>(snapshot, "offset_residual");
        const auto u = numbers<float>(snapshot, "velocity_residual");
        for (std::size_t k = 0; k < x.size(); ++k) state.x[k] += x[k], state.u[k] += u[k];
    }
    return state;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b)
{
    double largest = 0;
    for (std::size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(a[k] - b[k]));
    return largest;
}

struct Return {
    double moved;     // largest displacement on the way, cell sides
    double position;  // largest distance from the start after the way back, cell sides
    double velocity;  // largest velocity left, over the sound speed (the fluid started at rest)
};

// In every step the same number of rounds, which is enough for each.
void carry_out(Backend& backend, const std::vector<SchemeBlock>& blocks, double interval)
{
    for (const SchemeBlock& block : blocks) {
        for (int round = 0; round < (block.loop ? 12 : 1); ++round) {
            for (const SchemeEntry& entry : block.entries) backend.execute(entry.operation, interval);
        }
    }
}

// `steps` forwards and as many with the step negated, which is the same as negating all velocities.
Return there_and_back(const Overrides& overrides, int steps)
{
    const Problem problem = problem_of("inviscid-tank-2d", overrides);
    const bool robust = problem.source.numerics.precision == "robust";
    const auto backend = make_cpu_backend(problem, {.threads = 1, .lanes = 0});
    const Scheme scheme = scheme_of(problem);
    const double step = static_cast<float>(problem.fixed_step / problem.units.time());
    carry_out(*backend, scheme.start, 0);
    const PositionsAndVelocities start = state_of(backend->snapshot(), robust);
    const auto go = [&](double interval) {
        for (int k = 0; k < steps; ++k) carry_out(*backend, scheme.step, interval);
    };
    go(step);
    const PositionsAndVelocities far = state_of(backend->snapshot(), robust);
    go(-step);
    const PositionsAndVelocities back = state_of(backend->snapshot(), robust);
    return {largest_difference(start.x, far.x), largest_difference(start.x, back.x),
            largest_difference(start.u, back.u) / problem.source.fluid.sound_speed};
}

TEST(TimeReversal, InDouble)
{
    const Return r = there_and_back({"numerics.precision=double", "time.cfl=0.1"}, 500);
    EXPECT_GT(r.moved, 1);
    // Measured: 2e-15 cells and 7e-17 of the sound speed, which is rounding; 100 times that is left for other machines.
    EXPECT_LT(r.position, 2e-13);
    EXPECT_LT(r.velocity, 1e-14);
}

TEST(TimeReversal, InRobust)
{
    const Return r = there_and_back({"time.cfl=0.1"}, 500);
    EXPECT_GT(r.moved, 1);
    // The state is compensated; what does not reverse is the rounding of the rates. Measured: 2e-8 cells (an offset's
    // ulp is 6e-8) and 1.5e-9.
    EXPECT_LT(r.position, 2e-7);
    EXPECT_LT(r.velocity, 2e-8);
}

// Forces that depend on positions and densities only are symmetric too.
TEST(TimeReversal, WithForcesThatDoNotDissipate)
{
    const Return r = there_and_back({"numerics.precision=double", "time.cfl=0.1", "fluid.state_equation=linear",
                                     "numerics.tensile_correction=true", "central_force={rate=1,centre=[0.7,0.1]}"},
                                    500);
    EXPECT_GT(r.moved, 1);
    EXPECT_LT(r.position, 2e-13);
    EXPECT_LT(r.velocity, 1e-14);
}

// The midpoint is that of the way back too, whatever forces and rates read. Measured: 3e-13 cells.
TEST(TimeReversal, OfTheImplicitMidpointWithForcesThatDissipate)
{
    const Overrides all = {"numerics.precision=double",
                           "time.cfl=0.1",
                           "numerics.formulation=volume-weighted",
                           "fluid.artificial_viscosity=0.05",
                           "numerics.walls=extrapolated",
                           "numerics.density_diffusion=molteni-colagrossi"};
    const Return r = there_and_back(all + Overrides{"numerics.integrator=implicit-midpoint"}, 100);
    EXPECT_GT(r.moved, 0.03);
    EXPECT_LT(r.position, 1e-11);
    EXPECT_LT(r.velocity, 1e-12);
    EXPECT_GT(there_and_back(all, 100).position, 1e-6) << "kick-drift-kick is not symmetric with these";
}

// Extrapolated walls have no state of their own: their pressure is that of where the fluid is.
TEST(TimeReversal, WithExtrapolatedWalls)
{
    const Return r = there_and_back({"numerics.precision=double", "time.cfl=0.1", "numerics.walls=extrapolated"}, 500);
    EXPECT_GT(r.moved, 1);
    EXPECT_LT(r.position, 2e-12);
    EXPECT_LT(r.velocity, 1e-13);
}

std::vector<std::byte> all_state(const Snapshot& snapshot)
{
    std::vector<std::byte> state;
    for (const Column& one : snapshot.columns) {
        if (one.state) state.insert(state.end(), one.data.begin(), one.data.end());
    }
    return state;
}

const Overrides in_fixed_point = {"numerics.precision=reversible"};

// There and back in fixed point; returns the hash at the turn.
StateHash expect_exact_return(const Problem& problem, int steps, const CpuOptions& options)
{
    const auto backend = make_cpu_backend(problem, options);
    const Scheme scheme = scheme_of(problem);
    const double step = static_cast<float>(problem.fixed_step / problem.units.time());
    carry_out(*backend, scheme.start, 0);
    const Snapshot start = backend->snapshot();
    const auto go = [&](double interval) {
        for (int k = 0; k < steps; ++k) carry_out(*backend, scheme.step, interval);
    };
    go(step);
    const Snapshot far = backend->snapshot();
    go(-step);
    const Snapshot back = backend->snapshot();
    EXPECT_FALSE(start.hash == far.hash);
    EXPECT_EQ(start.hash, back.hash);
    EXPECT_EQ(all_state(start), all_state(back));
    return far.hash;
}

// Not one bit is left, also after impacts, over which an error of one ulp would grow beyond all bounds.
TEST(TimeReversal, ExactInFixedPoint)
{
    const auto tank = [](const Overrides& overrides) {
        return problem_of("inviscid-tank-2d", in_fixed_point + Overrides{"time.cfl=0.1"} + overrides);
    };
    const StateHash turn = expect_exact_return(tank({}), 1500, {.threads = 1, .lanes = 0});
    // The same on the way there for any number of threads and lanes, with neighbours stored or not.
    EXPECT_EQ(turn, expect_exact_return(tank({}), 1500, {.threads = 2, .lanes = 8}));
    EXPECT_EQ(turn, expect_exact_return(tank({"origin.cells=[1000000000,-1000000000]"}), 1500,
                                        {.threads = 1, .lanes = 1, .neighbours = NeighbourStorage::none}));
}

TEST(TimeReversal, ExactInFixedPointInOtherCases)
{
    const CpuOptions options{.threads = 1, .lanes = 0};
    expect_exact_return(problem_of("oscillating-drop-2d", in_fixed_point + Overrides{"resolution.spacing=0.1"}), 1000,
                        options);
    expect_exact_return(problem_of("inviscid-tank-2d",
                                   in_fixed_point + Overrides{"fluid.state_equation=linear", "numerics.kernel=gaussian",
                                                              "numerics.tensile_correction=true"}),
                        500, options);
    expect_exact_return(
        problem_of("dam-break-3d", in_fixed_point +
                                       Overrides{"resolution.spacing=0.06", "time.step=fixed",
                                                 "numerics.wall_tension=true", "fluid.artificial_viscosity=0"} +
                                       balance_laws_alone),
        100, options);
    // Many times across the seam of a period.
    expect_exact_return(
        problem_from(periodic_box(2),
                     in_fixed_point + Overrides{"shapes.water.velocity=[\"3+sin(2*pi*y)\",\"cos(2*pi*x)\"]"}),
        2000, options);
}

// Nor does a flow run backwards that takes a rate at the start of a step: this test would see a broken symmetry. So
// little diffusion and viscosity that the way back, where they amplify, stays bounded.
TEST(TimeReversal, NotWithViscosityDiffusionSmoothingOrPairTwo)
{
    for (const Overrides& one :
         {Overrides{"fluid.artificial_viscosity=0.01"},
          Overrides{"fluid.laminar_viscosity=morris", "fluid.kinematic_viscosity=0.001"},
          Overrides{"numerics.density_diffusion=molteni-colagrossi", "numerics.diffusion_coefficient=0.005"},
          Overrides{"numerics.velocity_smoothing=0.1"}, Overrides{"numerics.formulation=volume-weighted"}}) {
        const Return r = there_and_back(Overrides{"numerics.precision=double", "time.cfl=0.1"} + one, 300);
        EXPECT_GT(r.position, 1e-6) << one.front();
    }
}

}  // namespace
}  // namespace halfulp::test
