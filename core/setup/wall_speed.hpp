// The largest speed of walls under a prescribed motion.
#pragma once

#include <cstddef>

#include "core/setup/problem.hpp"

namespace halfulp {

struct FastestWall {
    double speed = 0;  // m/s
    double time = 0;   // s, when
};

// The vector from the pivot to a particle at the start, cell sides.
Vec<3, double> anchor_of(const Problem& problem, const InitialParticle& particle, const Pose& pose);

// The fastest wall particle of problem.motions[motion] from 0 to time.end, sampled 64 times per period of a sine and at
// four times between the rows of a table. In a moving frame: the speed relative to the laboratory.
FastestWall fastest_wall(const Problem& problem, std::size_t motion);

}  // namespace halfulp
