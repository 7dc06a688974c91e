#include "validation/integrators/sound_wave.hpp"

#include <numbers>

#include "validation/columns.hpp"
#include "validation/experiment.hpp"

namespace halfulp {

namespace {

using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi;
constexpr double speed_of_sound = 10;  // m/s; of the case

double wave_number(const SoundWave& wave) { return 2 * pi * wave.waves; }
double smoothing_length(const SoundWave& wave) { return static_cast<double>(wave.smoothing) / wave.particles; }

WaveAmplitudes parts(const Complex& amplitude) { return {amplitude.real(), amplitude.imag()}; }

// y(n) of a recursion over two steps with the roots a and b, from 1 and 1 + i angle.
Complex from_two_roots(const Complex& a, const Complex& b, double angle, int n)
{
    const Complex first{1, angle};
    const Complex share = (first - b) / (a - b);
    return share * std::pow(a, n) + (1.0 - share) * std::pow(b, n);
}

}  // namespace

double frequency_times_step(const SoundWave& wave)
{
    const double h = smoothing_length(wave);
    const double spacing = 1.0 / wave.particles;
    const double k = wave_number(wave);
    // g = -sum over the lattice of V dW/dx sin kx, with dW/dr = -5 alpha q (1 - q/2)^3 / h, alpha = 7/(4 pi h^2).
    double derivative = 0;
    const int reach = 2 * wave.smoothing;
    for (int j = -reach; j <= reach; ++j) {
        for (int i = -reach; i <= reach; ++i) {
            const double q = std::hypot(i, j) / wave.smoothing;
            if (q >= 2 || q == 0) continue;
            const double slope = -5 * (7 / (4 * pi * h * h)) * q * std::pow(1 - q / 2, 3) / h;
            const double x = i * spacing;
            derivative -= spacing * spacing * slope * (x / (q * h)) * std::sin(k * x);
        }
    }
    return derivative * wave.cfl * h;  // the step is CFL h over c0
}

WaveAmplitudes amplitudes_by_theory(const std::string& integrator, double angle, int steps, int corrector_every)
{
    const double z = angle;
    const Complex iz{0, z};
    // y = U + i c0 S turns: y' = i frequency y. Kick-drift-kick mixes y and its conjugate: it turns (U / root, c0 S)
    // with root = sqrt(1 - z^2/4) by 2 arcsin(z/2).
    if (integrator == "kick-drift-kick") {
        const double turned = 2 * steps * std::asin(z / 2);
        return {std::cos(turned), std::sin(turned) / std::sqrt(1 - z * z / 4)};
    }
    // (1 + iz/2)/(1 - iz/2). A linear oscillation has a quadratic energy, for which the discrete gradient is the
    // midpoint's.
    if (integrator == "implicit-midpoint" || integrator == "discrete-gradient")
        return parts(std::polar(1.0, 2 * steps * std::atan(z / 2)));
    // The explicit midpoint; the density of the symplectic scheme differs from it in second order of s.
    if (integrator == "predictor-corrector" || integrator == "symplectic")
        return parts(std::pow(1.0 + iz + iz * iz / 2.0, steps));
    // The extrapolated states, of which the rates are taken, follow y(n+1) = y(n) + dt (3 f(n) - f(n-1))/2, Adams and
    // Bashforth's second method, after a first step of Euler's.
    if (integrator == "leap-frog") {
        const Complex half = (1.0 + 1.5 * iz) / 2.0;
        const Complex root = std::sqrt(half * half - 0.5 * iz);
        return parts(from_two_roots(half + root, half - root, z, steps));
    }
    // y(n+1) = y(n-1) + 2 i z y(n) after a step of Euler's, which each corrector takes again.
    if (integrator == "verlet") {
        const Complex root = std::sqrt(Complex(1 - z * z, 0));
        return parts(std::pow(from_two_roots(iz + root, iz - root, z, corrector_every), steps / corrector_every));
    }
    throw input_error(fmt::format("the integrator \"{}\" has no closed form here; add it.", integrator));
}

WaveAmplitudes amplitudes_of_run(const std::string& integrator, const SoundWave& wave, int steps, int corrector_every)
{
    std::vector<std::string> overrides{
        "numerics.precision=double",       "numerics.integrator=" + integrator,   "time.step=fixed",
        "numerics.density_diffusion=none", "shapes.fluid.velocity=[\"0\",\"0\"]", "shapes.fluid.pressure=0"};
    overrides.push_back(fmt::format("resolution.spacing={}", 1.0 / wave.particles));
    overrides.push_back(fmt::format("resolution.smoothing_ratio={}", wave.smoothing));
    overrides.push_back(fmt::format("time.cfl={}", wave.cfl));
    if (integrator == "verlet") overrides.push_back(fmt::format("numerics.corrector_every={}", corrector_every));
    Case c = case_with("taylor-green-2d", overrides);
    c.fluid.laminar_viscosity = LaminarViscosity::none;
    c.fluid.kinematic_viscosity = 0;
    Problem problem = prepare(c);
    const double k = wave_number(wave);
    const double start = wave.velocity * speed_of_sound;
    std::vector<double> x;
    for (InitialParticle& particle : problem.particles.stored()) {
        x.push_back(coordinate_of(problem, particle, 0));
        particle.velocity[0] = static_cast<float>(start / problem.units.velocity * std::cos(k * x.back()));
    }
    Simulation simulation(problem, make_cpu_backend(problem, one_thread));
    for (int n = 0; n < steps; ++n) simulation.step();
    const Snapshot now = simulation.snapshot();
    const Column& velocity = column_of(now, "velocity");
    const Column& density = column_of(now, "density_deviation");
    double u = 0;
    double s = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        u += number_at(velocity, 3 * i) * std::cos(k * x[i]);
        s += number_at(density, i) * std::sin(k * x[i]);
    }
    const double scale = 2 / (static_cast<double>(x.size()) * start);
    return {scale * u, scale * speed_of_sound * s};
}

WaveStep step_of(const WaveAmplitudes& after, int steps, double expected_angle)
{
    const Complex amplitude{after[0], after[1]};
    const double expected = expected_angle * steps;
    const double beyond = std::remainder(std::arg(amplitude) - expected, 2 * pi);
    return {.growth = std::log(std::abs(amplitude)) / steps, .angle = (expected + beyond) / steps};
}

}  // namespace halfulp
