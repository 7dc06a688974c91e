// Symmetries of the scheme: run backwards it returns to the start; without gravity and walls it keeps the momentum.
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "tests/core/backends/trajectory.hpp"

namespace halfulp::test {
namespace {

template <class Real>
std::vector<double> numbers(const Snapshot& snapshot, const std::string& name)
{
    const auto values = values_of<Real>(column(snapshot, name));
    return {values.begin(), values.end()};
}

// Position relative to the origin in cell sides and velocity in m/s, residuals included; cells may have been carried.
struct State {
    std::vector<double> x, u;
};

State state_of(const Snapshot& snapshot, bool robust)
{
    State state;
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

// `steps` forwards and as many with the step negated, which is the same as negating all velocities.
Return there_and_back(const Overrides& overrides, int steps)
{
    const Problem problem = problem_of("inviscid-tank-2d", overrides);
    const bool robust = problem.source.numerics.precision == "robust";
    const auto backend = make_cpu_backend(problem, {.threads = 1, .lanes = 0});
    const Scheme scheme = scheme_by_name(problem.source.numerics.integrator);
    const double step = static_cast<float>(problem.fixed_step / problem.units.time());
    for (const Operation& operation : scheme.start) backend->execute(operation, 0);
    const State start = state_of(backend->snapshot(), robust);
    const auto go = [&](double interval) {
        for (int k = 0; k < steps; ++k)
            for (const Operation& operation : scheme.step) backend->execute(operation, interval);
    };
    go(step);
    const State far = state_of(backend->snapshot(), robust);
    go(-step);
    const State back = state_of(backend->snapshot(), robust);
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

TEST(TimeReversal, NotWithViscosity)
{
    const Return r =
        there_and_back({"numerics.precision=double", "time.cfl=0.1", "fluid.artificial_viscosity=0.05"}, 500);
    EXPECT_GT(r.position, 1e-5) << "a dissipative flow does not run backwards: this test would see a broken symmetry";
}

// Two drops of unequal size that collide in free space.
const char* const collision = R"(
dimensions = 2
gravity = [0, 0]
[resolution]
spacing = 0.1
smoothing_ratio = 1.7
[fluid]
sound_speed = 20
artificial_viscosity = 0.05
[time]
end = 1
[output]
interval = 1
[[shapes]]
name = "large"
kind = "fluid"
box = { from = [0, 0], to = [1, 0.9] }
velocity = [1.5, 0.25]
[[shapes]]
name = "small"
kind = "fluid"
box = { from = [1.2, 0.3], to = [1.8, 1.3] }
velocity = [-1, -0.75]
)";

// Pair forces are antisymmetric to the bit, so what changes the momentum is one particle's rounding at a time: some 4 u
// of its change of velocity a kick (sum, factor, product), and in double, whose update is plain, u of the velocity
// itself. Roundings of either sign: n of them grow as sqrt(n). Measured: a seventieth of that in robust, a fifth in
// double.
TEST(Momentum, OfAnIsolatedFluidIsKept)
{
    const auto file =
        std::filesystem::temp_directory_path() / ("halfulp-collision-" + std::to_string(getpid()) + ".toml");
    for (const std::string precision : {"robust", "double"}) {
        const bool robust = precision == "robust";
        const double u = robust ? 0x1p-24 : 0x1p-53;
        constexpr int steps = 500;
        std::ofstream(file) << collision;
        const Problem problem = prepare(read_case(file, {"numerics.precision=" + precision}));
        std::filesystem::remove(file);
        Simulation simulation = simulation_of(problem);
        const LedgerRow first = simulation.ledger_row();
        double roundings = 0;  // of one particle, kg m/s
        for (int k = 0; k < steps; ++k) {
            const double speed_gained = simulation.backend().limits().max_acceleration * simulation.next_step() *
                                        problem.units.velocity / problem.units.time();
            simulation.step();
            roundings +=
                problem.units.mass * (4 * u * speed_gained + (robust ? 0 : 2 * u * simulation.ledger_row().max_speed));
        }
        const LedgerRow last = simulation.ledger_row();
        ASSERT_LT(last.viscous_work, -0.1 * first.kinetic) << "the drops must have collided";
        const double count = static_cast<double>(problem.particles.size());
        const double allowed = roundings * std::sqrt(count / steps);
        EXPECT_LT(std::abs(last.momentum_x - first.momentum_x), allowed) << precision;
        EXPECT_LT(std::abs(last.momentum_y - first.momentum_y), allowed) << precision;
        EXPECT_LT(allowed, 1e-7 * first.momentum_x) << "the bound itself must say something";
    }
}

}  // namespace
}  // namespace halfulp::test
