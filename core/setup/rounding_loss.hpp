// An estimate of how much of a flow is lost in plain single precision, from the number and size of the steps, the
// speeds, and the distance of the case from the origin. docs/decisive.md derives it and compares it with measurements.
#pragma once

#include "core/setup/problem.hpp"

namespace halfulp {

// Two kinds of single-precision coordinates, to which displacements are added twice a step without compensation.
enum class Coordinates {
    global,     // in m from the origin
    of_a_cell,  // in m from the centre of the particle's cell
};

// The loss by rounding of coordinates. That of absolute densities depends on the acoustic noise of the flow; only the
// speed below which they would not change without such noise is known (docs/decisive.md).
struct RoundingLoss {
    double drift_error = 0;     // m/s; root mean square difference between the actual drift and the velocity
    double speed = 0;           // m/s; of the flow, root mean square; 0: nothing in the case moves it
    double frequency = 0;       // rad/s; of the flow
    double steps = 0;           // at least
    double step = 0;            // s; at most
    double spacing = 0;         // m; of the particles
    double stalling_speed = 0;  // m/s; along gravity, slower than which no density changes in a step; 0: no gravity

    // For a motion at `speed`, after `time` (s): the fraction of its amplitude that is lost; its phase error in
    // radians; and both combined, relative to the amplitude. From 1 on nothing is left of the motion.
    [[nodiscard]] double amplitude(double time) const;
    [[nodiscard]] double phase(double time) const;
    [[nodiscard]] double error(double time) const;
};

RoundingLoss rounding_loss(const Problem& problem, Coordinates coordinates = Coordinates::global);

}  // namespace halfulp
