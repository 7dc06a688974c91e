// The numbers of a saved state that the next step reads.
#pragma once

#include <string_view>

#include "kernels/physics.hpp"

namespace halfulp {

// Of the state, everything; of derived and carried fields, du/dt of the fluid and its contributions, along the axes
// that the case has, and the share of diffusion in ds/dt, which some integrators book at the beginning of a step. A
// device sorts particles in the memory of derived fields: what a step computes before it reads it may have any bits
// until then. Not among them is ds/dt, with which the same integrators begin: reversible runs leave something else in
// its place.
struct NeededNumbers {
    int numbers = 4;  // of each element, where it has four
    bool walls = true;
};
NeededNumbers needed_numbers(std::string_view field, int dimensions, const Physics& physics);

}  // namespace halfulp
