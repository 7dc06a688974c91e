// The integrators against what is known of them without a simulation: closed forms for one particle, recursions written
// out here, orders of the energy error, symmetry.
#include <cmath>

#include "tests/core/backends/cases.hpp"

namespace halfulp::test {
namespace {

Overrides by(const std::string& integrator) { return {"numerics.integrator=" + integrator}; }

// A particle alone, drawn to the origin: x'' = -rate^2 x.
const std::string oscillator = R"(
dimensions = 2
gravity = [0, 0]
central_force = { rate = 2, centre = [0, 0] }
[resolution]
spacing = 0.01
[fluid]
sound_speed = 20
[numerics]
skin = 1
[time]
end = 1
step = "fixed"
size = 0.01
[output]
interval = 1
[[shapes]]
name = "particle"
kind = "fluid"
box = { from = [0.3, 0], to = [0.31, 0.01] }
velocity = [0, 0.5]
)";

struct PhasePoint {
    double x, u;
};

struct Orbit {
    double rate;  // rounded to single precision, as the step
    double step;
    std::vector<PhasePoint> points;  // after every step
};

// Along one axis.
Orbit orbit_of(const std::string& integrator, const Overrides& more, std::size_t steps, std::size_t axis)
{
    const Problem problem = problem_as_given(oscillator, balance_laws_alone + by(integrator) + more);
    EXPECT_EQ(problem.particles.size(), 1U);
    Simulation simulation = simulation_of(problem);
    Orbit orbit{.rate = std::sqrt(double(problem.parameters.central_stiffness)) / problem.units.time(),
                .step = simulation.next_step(),
                .points = {}};
    for (std::size_t k = 0; k <= steps; ++k) {
        if (k > 0) simulation.step();
        const Snapshot now = simulation.snapshot();
        orbit.points.push_back({doubles_of(now, "position").at(axis), doubles_of(now, "velocity").at(axis)});
    }
    return orbit;
}

// What the scheme gives, by a recursion in double that shares nothing with it.
template <class Next>
void expect_orbit(const std::string& integrator, const Overrides& more, double tolerance, Next next)
{
    for (const std::size_t axis : {0U, 1U}) {
        const auto [rate, step, points] = orbit_of(integrator, more, 400, axis);
        std::vector<PhasePoint> expected{points.front()};
        for (std::size_t k = 0; k + 1 < points.size(); ++k) {
            expected.push_back(next(expected, k, rate, step));
            ASSERT_NEAR(points[k + 1].x, expected.back().x, tolerance) << integrator << ", step " << k;
            ASSERT_NEAR(points[k + 1].u, expected.back().u, tolerance * rate) << integrator << ", step " << k;
        }
    }
}

// The rule turns (rate x, u) by twice the arc tangent of half rate dt, exactly.
TEST(Integrators, MidpointOfAnOscillatorIsARotation)
{
    const auto turned = [](const std::vector<PhasePoint>& before, std::size_t k, double rate, double length) {
        const double angle = 2 * std::atan(0.5 * rate * length) * static_cast<double>(k + 1);
        const PhasePoint start = before.front();
        return PhasePoint{start.x * std::cos(angle) + start.u / rate * std::sin(angle),
                          start.u * std::cos(angle) - rate * start.x * std::sin(angle)};
    };
    for (const char* rule : {"implicit-midpoint", "discrete-gradient"}) {
        expect_orbit(rule, in_double, 2e-6, turned);
        expect_orbit(rule, {}, 2e-6, turned);
    }
    // Its energy is that of the start: no orbit of another scheme keeps it.
    for (const auto& [precision, allowed] : {std::pair{"double", 1e-12}, std::pair{"robust", 1e-6}}) {
        const Overrides chosen = {"numerics.precision=" + std::string(precision)};
        const auto [rate, step, points] = orbit_of("implicit-midpoint", chosen, 1000, 0);
        const auto energy = [rate = rate](const PhasePoint& p) { return rate * rate * p.x * p.x + p.u * p.u; };
        double largest = 0;
        for (const PhasePoint& p : points)
            largest = std::max(largest, std::abs(energy(p) / energy(points.front()) - 1));
        EXPECT_LT(largest, allowed) << precision;
    }
}

TEST(Integrators, KickDriftKickOfAnOscillatorIsItsRecursion)
{
    const auto next = [](const std::vector<PhasePoint>& before, std::size_t /*k*/, double rate, double length) {
        const auto [x, u] = before.back();
        const double half = u - 0.5 * length * rate * rate * x;
        const double there = x + length * half;
        return PhasePoint{there, half - 0.5 * length * rate * rate * there};
    };
    expect_orbit("kick-drift-kick", in_double, 2e-6, next);
}

// Dominguez et al. 2013, eq. A.7.
TEST(Integrators, VerletOfAnOscillatorIsItsRecursion)
{
    for (const std::size_t every : {1U, 2U, 7U, 40U, 1000U}) {
        const auto next = [every](const std::vector<PhasePoint>& before, std::size_t k, double rate, double length) {
            const auto [x, u] = before.back();
            const double a = -rate * rate * x;
            const double there = x + length * u + 0.5 * length * length * a;
            if (k % every == 0) return PhasePoint{there, u + length * a};
            return PhasePoint{there, before[k - 1].u + 2 * length * a};
        };
        const Overrides corrector = {"numerics.corrector_every=" + std::to_string(every)};
        expect_orbit("verlet", in_double + corrector, 2e-6, next);
        expect_orbit("verlet", corrector, 2e-6, next);
    }
}

TEST(Integrators, LeapFrogOfAnOscillatorIsItsRecursion)
{
    const auto next = [](const std::vector<PhasePoint>& before, std::size_t k, double rate, double length) {
        const auto a = [&](std::size_t of) { return -rate * rate * before[of].x; };
        const double half =
            k == 0 ? before[0].u + 0.5 * length * a(0) : before[k].u - 0.5 * length * a(k - 1) + length * a(k);
        return PhasePoint{before[k].x + length * half, half + 0.5 * length * a(k)};
    };
    expect_orbit("leap-frog", in_double, 2e-6, next);
    expect_orbit("leap-frog", {}, 2e-6, next);
}

TEST(Integrators, PredictorCorrectorOfAnOscillatorIsItsRecursion)
{
    const auto next = [](const std::vector<PhasePoint>& before, std::size_t /*k*/, double rate, double length) {
        const auto [x, u] = before.back();
        const double there = u - length * rate * rate * (x + 0.5 * length * u);
        return PhasePoint{x + 0.5 * length * (u + there), there};
    };
    for (const char* integrator : {"predictor-corrector", "symplectic"}) {
        expect_orbit(integrator, in_double, 2e-6, next);
        expect_orbit(integrator, {}, 2e-6, next);
    }
}

double residual_of(const Overrides& overrides, double end)
{
    const Problem problem = problem_of("inviscid-tank-2d", overrides);
    Simulation simulation = simulation_of(problem);
    double largest = 0;
    while (simulation.time() < end) {
        simulation.step();
        largest = std::max(largest, std::abs(simulation.ledger_row().residual) / problem.available_energy);
    }
    return largest;
}

// rho+ = rho (2 - e)/(2 + e), from rates which the other schemes tell: the first step of leap-frog takes that at the
// start, that of the predictor-corrector the predicted one.
TEST(Symplectic, DensityOfTheCorrector)
{
    const auto densities = [](const std::string& integrator, int steps) {
        const Problem problem = problem_as_given(
            oscillator, balance_laws_alone + in_double + by(integrator) +
                            Overrides{"shapes.particle.box={from=[0,0],to=[0.2,0.2]}",
                                      "shapes.particle.velocity=[\"-8*x\",\"-3*y\"]", "time.size=0.001"});
        Simulation simulation = simulation_of(problem);
        for (int k = 0; k < steps; ++k) simulation.step();
        return doubles_of(simulation.snapshot(), "density_deviation");
    };
    const auto start = densities("symplectic", 0);
    const auto at_rate_of_start = densities("leap-frog", 1);
    const auto at_predicted_rate = densities("predictor-corrector", 1);
    const auto after = densities("symplectic", 1);
    double largest = 0;
    for (std::size_t i = 0; i < start.size(); ++i) {
        const double middle = start[i] + 0.5 * (at_rate_of_start[i] - start[i]);
        const double e = -(at_predicted_rate[i] - start[i]) / (1 + middle);
        EXPECT_NEAR(after[i], (1 + start[i]) * (2 - e) / (2 + e) - 1, 1e-15);
        largest = std::max(largest, std::abs(after[i] - at_predicted_rate[i]));
    }
    EXPECT_GT(largest, 1e-9) << "it must differ from the predictor-corrector";
}

// The schemes that predict and leap-frog are of second order, in double and in robust.
TEST(Integrators, EnergyErrorOfTheOthersIsOfSecondOrder)
{
    for (const char* integrator : {"leap-frog", "predictor-corrector", "symplectic"}) {
        const double coarse = residual_of(by(integrator) + in_double + Overrides{"time.cfl=0.2"}, 0.1);
        const double fine = residual_of(by(integrator) + in_double + Overrides{"time.cfl=0.1"}, 0.1);
        EXPECT_NEAR(coarse / fine, 4, 0.7) << integrator;
        EXPECT_NEAR(residual_of(by(integrator) + Overrides{"time.cfl=0.2"}, 0.1), coarse, 0.01 * coarse) << integrator;
    }
}

// With constant acceleration all of them are exact: one drop of rounding a step is left.
TEST(Integrators, FallAsGalileoSaid)
{
    for (const char* integrator : {"kick-drift-kick", "verlet", "implicit-midpoint", "leap-frog", "predictor-corrector",
                                   "symplectic", "discrete-gradient"}) {
        const Problem problem = problem_as_given(oscillator, balance_laws_alone + by(integrator) + in_double +
                                                                 Overrides{"central_force={rate=1e-9,centre=[0,0]}",
                                                                           "gravity=[1.5,-9.81]", "time.size=0.001"});
        Simulation simulation = simulation_of(problem);
        const auto start = doubles_of(simulation.snapshot(), "position");
        for (int k = 0; k < 300; ++k) simulation.step();
        const double t = simulation.time();
        const auto x = doubles_of(simulation.snapshot(), "position");
        const auto u = doubles_of(simulation.snapshot(), "velocity");
        EXPECT_NEAR(x[0] - start[0], 0.75 * t * t, 1e-7 * 0.75 * t * t) << integrator;
        EXPECT_NEAR(x[1] - start[1], 0.5 * t - 4.905 * t * t, 1e-7 * 4.905 * t * t) << integrator;
        EXPECT_NEAR(u[1], 0.5 - 9.81 * t, 1e-7 * 9.81 * t) << integrator;
    }
}

// The collapse of a column: what the energy errs by falls with the square of the step and is a hundredth of
// kick-drift-kick's, in robust as in double. Measured: 1.1e-7 and 2.7e-8 of the available energy; 1.3e-5.
TEST(ImplicitMidpoint, EnergyErrorIsOfSecondOrder)
{
    const Overrides midpoint = by("implicit-midpoint");
    const double coarse = residual_of(midpoint + in_double + Overrides{"time.cfl=0.2"}, 0.2);
    const double fine = residual_of(midpoint + in_double + Overrides{"time.cfl=0.1"}, 0.2);
    EXPECT_NEAR(coarse / fine, 4, 0.3);
    EXPECT_LT(coarse, 3e-7);
    EXPECT_GT(residual_of(by("kick-drift-kick") + in_double + Overrides{"time.cfl=0.2"}, 0.2), 30 * coarse);
    EXPECT_NEAR(residual_of(midpoint + Overrides{"time.cfl=0.2"}, 0.2), coarse, 0.05 * coarse);
}

// Every work that is booked explains its share of the change, in both, to the error of the integrator: of the corrector
// steps, which are of first order, with Verlet's.
TEST(Integrators, WorksExplainTheChangeOfTheEnergy)
{
    struct Booked {
        Overrides overrides;
        double LedgerRow::*work;
        // Residual over work: some three times what was measured. 0: the integrator refuses it.
        double verlet;
        double midpoint;
        double leap_frog;
        double predicted;
    };
    for (const Booked& booked : {
             Booked{{"fluid.artificial_viscosity=0.1"}, &LedgerRow::viscous_work, 1.2e-3, 5e-7, 4.5e-4, 9e-5},
             Booked{{"fluid.laminar_viscosity=morris", "fluid.kinematic_viscosity=0.02"},
                    &LedgerRow::laminar_work,
                    2.2e-3,
                    5e-7,
                    8e-4,
                    1.6e-4},
             Booked{{"numerics.tensile_correction=true"}, &LedgerRow::tensile_work, 7e-2, 1.8e-5, 3.3e-2, 8e-3},
             Booked{{"numerics.density_diffusion=molteni-colagrossi"},
                    &LedgerRow::diffusion_work,
                    1e-3,
                    4e-6,
                    3.3e-4,
                    1.2e-4},
             Booked{{"numerics.density_diffusion=balanced"}, &LedgerRow::diffusion_work, 1.2e-3, 4e-6, 4e-4, 1.4e-4},
             Booked{{"numerics.walls=extrapolated"}, &LedgerRow::wall_pressure_work, 1.3e-3, 7e-8, 7e-4, 2.4e-4},
             Booked{{"numerics.velocity_smoothing=0.5"}, &LedgerRow::smoothing_work, 1.2e-2, 0, 0, 0},
             Booked{{"numerics.particle_shifting=2"}, &LedgerRow::shifting_work, 7e-2, 0, 0, 0},
             Booked{{"numerics.density_filter=shepard", "numerics.filter_every=20"},
                    &LedgerRow::filter_work,
                    0.11,
                    0,
                    0,
                    0},
         }) {
        for (const auto& [integrator, allowed] :
             {std::pair{"verlet", booked.verlet}, std::pair{"implicit-midpoint", booked.midpoint},
              std::pair{"leap-frog", booked.leap_frog}, std::pair{"predictor-corrector", booked.predicted},
              std::pair{"symplectic", booked.predicted}}) {
            if (allowed == 0) continue;
            const Problem problem = problem_of(
                "inviscid-tank-2d", in_double + by(integrator) + booked.overrides + Overrides{"time.cfl=0.1"});
            Simulation simulation = simulation_of(problem);
            double largest = 0;
            while (simulation.time() < 0.2) {
                simulation.step();
                largest = std::max(largest, std::abs(simulation.ledger_row().residual));
            }
            const double work = std::abs(simulation.ledger_row().*booked.work);
            EXPECT_GT(work, 1) << integrator << ' ' << booked.overrides.front() << ": it must do something";
            EXPECT_LT(largest, allowed * work) << integrator << ' ' << booked.overrides.front();
        }
    }
}

// Between correctors Verlet's scheme is of second order; each corrector adds an error of first order.
TEST(Verlet, EnergyErrorIsThatOfItsCorrectors)
{
    const auto with = [](const char* corrector, const char* cfl) {
        return residual_of(by("verlet") + in_double + Overrides{corrector, cfl}, 0.1);
    };
    EXPECT_NEAR(with("numerics.corrector_every=100000", "time.cfl=0.1") /
                    with("numerics.corrector_every=100000", "time.cfl=0.05"),
                4, 1);
    EXPECT_NEAR(
        with("numerics.corrector_every=1", "time.cfl=0.02") / with("numerics.corrector_every=1", "time.cfl=0.01"), 2,
        0.5);
}

// The residual of an implicit step falls to rounding in a few rounds, or the run ends and says so.
TEST(ImplicitMidpoint, EndsARunThatDoesNotConverge)
{
    const Problem problem = problem_of("inviscid-tank-2d", by("implicit-midpoint") + Overrides{"time.size=0.0054"});
    Simulation simulation = simulation_of(problem);
    try {
        for (int k = 0; k < 200; ++k) simulation.step();
        FAIL() << "a step of three times the time that sound takes over h went through";
    } catch (const SimulationBroke& broke) {
        EXPECT_EQ(broke.breakdown.what, "the iterations of its implicit step do not converge");
    }
}

}  // namespace
}  // namespace halfulp::test
