// How fast a prescribed motion takes its walls along.
#pragma once

#include <cstddef>

#include "core/setup/problem.hpp"

namespace halfulp {

struct FastestWall {
    double speed = 0;  // m/s
    double time = 0;   // s, when
};

// The fastest wall particle of problem.motions[motion] from 0 to time.end. Looked at 64 times a period of a sine and at
// four places between the rows of a table. In a moving frame: as the laboratory sees the walls.
FastestWall fastest_wall(const Problem& problem, std::size_t motion);

}  // namespace halfulp
