// The parts of the flows of the decisive study: their arms, their windows of time, a wave's mode.
#pragma once

#include <numbers>

#include "validation/decisive/flows.hpp"

namespace halfulp::decisive {

constexpr double pi = std::numbers::pi;
constexpr double gravity = 9.81;  // m/s^2

// Precisions in which a part of robust is switched off.
extern const std::vector<std::string> parts_switched_off;
// Those that take every term.
extern const std::vector<std::string> parts_with_every_term;

// double first, then its controls, then the precisions. `more`: parts of robust exchanged, as the flow allows.
std::vector<Arm> arms_of(Scale scale, const std::vector<std::string>& more);

// Windows of time, evenly spread from the start to the end.
std::vector<std::array<double, 2>> windows_of(double end, double length);

// The first mode of a tank 1 m long: velocities are those of the potential a cosh(k y) cos(pi x), k = pi/m. In three
// dimensions the first diagonal one of a square tank: a cosh(k z) cos(pi x) cos(pi y), k = sqrt(2) pi/m.
struct Mode {
    double depth;
    bool diagonal = false;

    [[nodiscard]] double wave_number() const { return diagonal ? std::numbers::sqrt2 * pi : pi; }
    [[nodiscard]] double frequency() const
    {
        return std::sqrt(gravity * wave_number() * std::tanh(wave_number() * depth));
    }
    // At the surface along a wall, for a wave of that height there.
    [[nodiscard]] double speed(double height) const { return height * gravity * wave_number() / frequency(); }
    [[nodiscard]] std::array<double, 3> direction(const std::array<double, 3>& x) const
    {
        const double k = wave_number();
        const double scale = 1 / std::cosh(k * depth);
        if (!diagonal) {
            return {std::cosh(k * x[1]) * std::sin(pi * x[0]) * scale,
                    -std::sinh(k * x[1]) * std::cos(pi * x[0]) * scale, 0};
        }
        const double across = std::cosh(k * x[2]) * scale / std::numbers::sqrt2;
        return {across * std::sin(pi * x[0]) * std::cos(pi * x[1]), across * std::cos(pi * x[0]) * std::sin(pi * x[1]),
                -std::sinh(k * x[2]) * scale * std::cos(pi * x[0]) * std::cos(pi * x[1])};
    }
    // Of the projected velocity and displacement, as heights of the wave at the wall.
    [[nodiscard]] std::vector<double> heights(const FluidState& now, const FluidState& first) const
    {
        double speed = 0;
        double moved = 0;
        double norm = 0;
        for (std::size_t i = 0; i < first.position.size(); ++i) {
            const auto along = direction(first.position[i]);
            for (std::size_t c = 0; c < 3; ++c) {
                speed += along[c] * now.velocity[i][c];
                moved += along[c] * (now.position[i][c] - first.position[i][c]);
                norm += along[c] * along[c];
            }
        }
        const double of_speed = frequency() / (gravity * wave_number());
        return {of_speed * speed / norm, of_speed * frequency() * moved / norm};
    }
};

// Waves: the small one with one of its parameters changed at a time, in plain precisions; and one on particles that do
// not start on a lattice, whose frequency displacements change, in double.
std::vector<Flow> ladder_flows(Scale scale);
std::vector<Flow> displaced_flows(Scale scale);
// The larger waves in plain float from several starts an ulp apart: one run errs by more or less, by chance.
std::vector<Flow> starts_flows(Scale scale);
// Such waves in water that has come to rest before.
std::vector<Flow> settled_flows(double end, Scale scale);
// With the defaults and parts of them, in plain float from three starts.
std::vector<Flow> settled_starts_flows(Scale scale);

// The channel between two plates of which one has begun to move, so slowly that the lattice of particles is sheared by
// less than a spacing: a lattice sheared further breaks up, at a place that rounding decides.
Flow couette(double viscosity, double speed, int particles, double end, Scale scale);

// Shallow water in a tank that is swayed more slowly than its first mode, so gently that it does not break: the
// sloshing of Green and Peiro (Comput. Fluids 174 (2018) 179), who used double for it.
Flow low_fill(double spacing, int periods, Scale scale);

// Water at rest: what it moves by itself.
Flow rest(double spacing, double end, Scale scale);

}  // namespace halfulp::decisive
