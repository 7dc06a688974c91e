// A sound wave of small amplitude on a periodic lattice, as an integrator computes it and as it must: the equations are
// linear there, and what each integrator makes of a linear oscillation is known in closed form.
#pragma once

#include <array>
#include <complex>
#include <string>

namespace halfulp {

// u = U cos kx and s = S sin kx obey U' = -c0^2 g S, S' = g U, an oscillation of frequency c0 g: g(k) is the derivative
// that sums over the lattice make of a sine. Amplitudes here are (U, c0 S), in units of U at the start, where S is 0.
using WaveAmplitudes = std::array<double, 2>;

struct SoundWave {
    int particles = 20;      // of the square lattice, along its edge of 1 m
    int waves = 1;           // along the edge
    double cfl = 0.2;        // of the fixed step, on c0
    int smoothing = 2;       // smoothing length, spacings
    double velocity = 1e-7;  // U over c0
};

// c0 g(k) times the step, by Wendland's kernel and the lattice alone.
double frequency_times_step(const SoundWave& wave);

// After `steps` steps of an integrator, of an oscillation with `angle` = frequency times step. corrector_every: of
// Verlet's scheme, a divisor of steps. Throws an Error for an integrator whose closed form is not here.
WaveAmplitudes amplitudes_by_theory(const std::string& integrator, double angle, int steps, int corrector_every);

// The same of a run in double.
WaveAmplitudes amplitudes_of_run(const std::string& integrator, const SoundWave& wave, int steps, int corrector_every);

// Growth and phase of an amplitude, a step.
struct WaveStep {
    double growth = 0;  // logarithm of the amplitude, a step
    double angle = 0;   // rad a step, whose whole turns are those of the expected angle
};
WaveStep step_of(const WaveAmplitudes& after, int steps, double expected_angle);

}  // namespace halfulp
