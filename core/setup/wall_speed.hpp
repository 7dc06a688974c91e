// Speeds of walls under prescribed motions, and loads by the inertial forces of moving frames.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>

#include "core/setup/problem.hpp"

namespace halfulp {

struct FastestWall {
    double speed = 0;  // m/s
    double time = 0;   // s, when
};

// The key of problem.motions[motion]: motions.NAME, or shapes.NAME.velocity of a wall with a velocity of its own.
std::string key_of_motion(const Case& c, std::size_t motion);

// The vector from the pivot to a particle at the start, cell sides.
Vec<3, double> anchor_of(const Problem& problem, const InitialParticle& particle, const Pose& pose);

// The fastest wall particle of problem.motions[motion] from 0 to time.end, sampled 64 times per period of a sine and at
// four times between the rows of a table. In a moving frame: the speed relative to the laboratory.
FastestWall fastest_wall(const Problem& problem, std::size_t motion);

// The fluid's largest extent at the start over the period of problem.motions[motion], m/s; for a table or a steady
// motion over the period of a sine with the same largest rate and acceleration; 0 without acceleration.
double length_per_period(const Problem& problem, std::size_t motion);

// The load by the inertial forces of problem.motions[motion], whose frame moves: differences of their potential between
// places of the initial fluid. Divided by the square of the sound speed they are about the relative change of density.
struct FrameLoad {
    double potential = 0;     // m^2/s^2, the largest difference, sampled as above
    double time = 0;          // s, when
    double acceleration = 0;  // m/s^2, the largest of the translation
    double turning = 0;       // rad/s, the largest

    // What all of that difference would give fluid at rest, m/s.
    [[nodiscard]] double speed() const { return std::sqrt(2 * potential); }
};
FrameLoad load_of_frame(const Problem& problem, std::size_t motion);

}  // namespace halfulp
