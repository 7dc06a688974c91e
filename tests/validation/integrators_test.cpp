// Closed forms of what integrators make of a sound wave: against each other, and against short runs.
#include <gtest/gtest.h>

#include <cmath>

#include <Eigen/Dense>

#include "core/error.hpp"
#include "core/schemes/integrators.hpp"
#include "validation/integrators/sound_wave.hpp"

namespace halfulp::test {
namespace {

constexpr int every = 8;  // corrector of Verlet's scheme

#define HALFULP_NAME(enumerator, Model, ...) Model::name,
const std::vector<std::string> all{HALFULP_INTEGRATORS(HALFULP_NAME)};

TEST(SoundWave, RunsAreTheClosedFormsOfEveryIntegrator)
{
    const SoundWave wave{.waves = 2, .cfl = 0.4};
    const double angle = frequency_times_step(wave);
    EXPECT_GT(angle, 0.1);
    for (const std::string& integrator : all) {
        for (const int steps : {every, 12 * every}) {
            const WaveAmplitudes measured = amplitudes_of_run(integrator, wave, steps, every);
            const WaveAmplitudes expected = amplitudes_by_theory(integrator, angle, steps, every);
            const double size = std::hypot(expected[0], expected[1]);
            EXPECT_NEAR(measured[0], expected[0], 2e-5 * size) << integrator << ", " << steps;
            EXPECT_NEAR(measured[1], expected[1], 2e-5 * size) << integrator << ", " << steps;
        }
    }
}

// The closed forms against powers of the matrices of a step, in which the operations of the schemes stand one by one.
TEST(SoundWave, ClosedFormsArePowersOfTheMatrixOfAStep)
{
    for (const double z : {0.05, 0.3}) {
        Eigen::Matrix2d turn;  // rates of (U, c0 S), times the step
        turn << 0, -z, z, 0;
        const Eigen::Matrix2d one = Eigen::Matrix2d::Identity();
        Eigen::Matrix2d kick = one;
        kick(0, 1) = -z / 2;
        Eigen::Matrix2d density = one;
        density(1, 0) = z;
        const Eigen::Matrix2d midpoint = (one - turn / 2).inverse() * (one + turn / 2);
        const Eigen::Matrix2d predicted = one + turn * (one + turn / 2);
        for (const int steps : {every, 5 * every}) {
            const auto expect = [&](const std::string& integrator, const Eigen::Vector2d& made) {
                const WaveAmplitudes told = amplitudes_by_theory(integrator, z, steps, every);
                EXPECT_NEAR(told[0], made[0], 1e-12) << integrator;
                EXPECT_NEAR(told[1], made[1], 1e-12) << integrator;
            };
            Eigen::Vector2d kicked{1, 0}, turned{1, 0}, corrected{1, 0};
            for (int n = 0; n < steps; ++n) {
                kicked = kick * density * kick * kicked;
                turned = midpoint * turned;
                corrected = predicted * corrected;
            }
            expect("kick-drift-kick", kicked);
            expect("implicit-midpoint", turned);
            expect("discrete-gradient", turned);
            expect("predictor-corrector", corrected);
            expect("symplectic", corrected);

            Eigen::Vector2d between{1, 0}, seen{1, 0};
            for (int n = 0; n < steps; ++n) {
                const Eigen::Vector2d rates = turn * seen;
                between += (n == 0 ? 0.5 : 1) * rates;
                seen = between + rates / 2;
            }
            expect("leap-frog", seen);

            Eigen::Vector2d before{1, 0}, now{1, 0};
            for (int n = 0; n < steps; ++n) {
                const Eigen::Vector2d next =
                    n % every == 0 ? Eigen::Vector2d(now + turn * now) : Eigen::Vector2d(before + 2 * turn * now);
                before = now;
                now = next;
            }
            expect("verlet", now);
        }
    }
    EXPECT_THROW(amplitudes_by_theory("another", 0.1, 1, 1), Error);
}

// Long waves: the lattice's derivative is that of the kernel's transform, close to k.
TEST(SoundWave, LongWavesTravelWithTheSpeedOfSound)
{
    const SoundWave wave{.particles = 200, .waves = 1, .cfl = 0.1};
    EXPECT_NEAR(frequency_times_step(wave) / (2 * M_PI * 0.1 * 2 / 200), 1, 2e-3);
}

TEST(SoundWave, GrowthAndPhaseOfAStep)
{
    const WaveStep step = step_of({1.1 * std::cos(20.0), 1.1 * std::sin(20.0)}, 100, 0.201);
    EXPECT_NEAR(step.growth, std::log(1.1) / 100, 1e-15);
    EXPECT_NEAR(step.angle, 0.2, 1e-14);
}

}  // namespace
}  // namespace halfulp::test
