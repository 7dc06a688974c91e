// Damping of a lattice's shortest waves: rates against sums by another program (NumPy, over 17 and 25 wave vectors
// along each axis), and the limits of integrators against their recurrences.
#include <cmath>

#include <gtest/gtest.h>

#include "core/schemes/integrators.hpp"
#include "core/setup/damping.hpp"
#include "said_of_cases.hpp"

namespace halfulp {
namespace {

struct Sums {
    SmoothingKernel kernel;
    int dimensions;
    double ratio;
    double scalar;
    double softened;
    double lengthwise;
};

TEST(Damping, RatesAreThoseOfTheLattice)
{
    const auto near = [](double is, double expected) { EXPECT_NEAR(is / expected, 1, 5e-3); };
    for (const Sums& s : {Sums{SmoothingKernel::wendland_c2, 2, 2, 3.403, 3.305, 2.090},
                          Sums{SmoothingKernel::wendland_c2, 2, 1.2, 3.081, 3.038, 2.047},
                          Sums{SmoothingKernel::wendland_c2, 3, 1.732, 3.459, 3.396, 1.613},
                          Sums{SmoothingKernel::cubic_spline, 2, 1.2, 2.880, 2.840, 1.943},
                          Sums{SmoothingKernel::gaussian, 3, 1.2, 1.998, 1.978, 1.003}}) {
        Case c = s.dimensions == 2 ? tank_with({water(0.5)})
                                   : tank_with({box("water", Kind::fluid, {0, 0, 0}, {1, 1, 0.5})}, 3);
        c.numerics.kernel = s.kernel;
        c.resolution.spacing = 0.1;
        c.resolution.smoothing_ratio = s.ratio;
        c.fluid.sound_speed = 30;
        c.fluid.artificial_viscosity = 0.3;
        c.fluid.kinematic_viscosity = 0.7;
        c.numerics.density_diffusion = DensityDiffusion::balanced;
        c.numerics.diffusion_coefficient = 0.2;
        const double h = 0.1 * s.ratio;
        near(damping_rates(c).density, 2 * 0.2 * 30 / h * s.softened);
        near(damping_rates(c).artificial, 0.5 * 0.3 * 30 / h * s.lengthwise);
        EXPECT_EQ(damping_rates(c).laminar, 0);
        c.fluid.laminar_viscosity = LaminarViscosity::brookshaw;
        near(damping_rates(c).laminar, 2 * 0.7 / (h * h) * s.scalar);
        c.fluid.laminar_viscosity = LaminarViscosity::morris;
        near(damping_rates(c).laminar, 2 * 0.7 / (h * h) * s.softened);
        c.fluid.laminar_viscosity = LaminarViscosity::monaghan_gingold;
        near(damping_rates(c).laminar, 2 * (s.dimensions + 2) * 0.7 / (h * h) * s.lengthwise);
        c.numerics.density_diffusion = DensityDiffusion::none;
        EXPECT_EQ(damping_rates(c).density, 0);
    }
}

// What becomes of 1 under dx/dt = -x in 1000 steps of z.
double after_steps_of_verlet(double z, int corrector_every)
{
    double before = 1;
    double now = 1;
    for (int step = 0; step < 1000; ++step) {
        const double next = step % corrector_every == 0 ? now - z * now : before - 2 * z * now;
        before = now;
        now = next;
    }
    return std::abs(now);
}

double after_steps_of_leap_frog(double z)
{
    double now = 1;
    double rate = -1;
    for (int step = 0; step < 1000; ++step) {
        const double present = -now;
        now += z * (1.5 * present - 0.5 * rate);
        rate = present;
    }
    return std::abs(now);
}

TEST(Damping, IntegratorsBearWhatTheirStepsDo)
{
    for (const int every : {1, 2, 4, 10, 20, 40, 100}) {
        const double most = info_of(Integrator::verlet).most_damping(every);
        EXPECT_LT(after_steps_of_verlet(0.97 * most, every), 1) << every;
        EXPECT_GT(after_steps_of_verlet(1.03 * most, every), 1) << every;
    }
    const double most = info_of(Integrator::leap_frog).most_damping(40);
    EXPECT_LT(after_steps_of_leap_frog(0.99 * most), 1);
    EXPECT_GT(after_steps_of_leap_frog(1.01 * most), 1);
    // 1 - z, 1 - z + z^2/2 and (1 - z/2) x (implicit stage) begin to grow or to diverge at 2.
    for (const Integrator one : {Integrator::kick_drift_kick, Integrator::symplectic, Integrator::predictor_corrector,
                                 Integrator::implicit_midpoint})
        EXPECT_EQ(info_of(one).most_damping(40), 2);
}

}  // namespace
}  // namespace halfulp
