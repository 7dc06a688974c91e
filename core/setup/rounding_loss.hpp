// Loss of a flow in plain single precision: an estimate from the steps, their size, the speeds and the distance
// from the origin of a case. docs/decisive.md derives it and compares it with measurements.
#pragma once

#include "core/setup/problem.hpp"

namespace halfulp {

// Coordinates in single precision to which plain additions are made twice a step.
enum class Coordinates {
    global,     // in m from the origin
    of_a_cell,  // in m from the centre of the particle's cell
};

// Of what coordinates represent. What absolute densities lose depends on the noise of sound that a flow has; only the
// speed below which they would stand still without it is known (docs/decisive.md).
struct RoundingLoss {
    double drift_error = 0;     // m/s; root mean square difference of the drift that is carried out from the velocity
    double speed = 0;           // m/s; of the flow, root mean square; 0: nothing in the case moves it
    double frequency = 0;       // rad/s; of the flow
    double steps = 0;           // at least
    double step = 0;            // s; at most
    double spacing = 0;         // m; of the particles
    double stalling_speed = 0;  // m/s; along gravity, slower than which no density changes in a step; 0: no gravity

    // Of a motion at that speed after `time` in s: the share of its amplitude that is lost; radians by which its phase
    // is off; both together, over the amplitude. 1 and more: nothing is left of it.
    [[nodiscard]] double amplitude(double time) const;
    [[nodiscard]] double phase(double time) const;
    [[nodiscard]] double error(double time) const;
};

RoundingLoss rounding_loss(const Problem& problem, Coordinates coordinates = Coordinates::global);

}  // namespace halfulp
