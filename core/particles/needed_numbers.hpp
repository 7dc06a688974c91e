// The numbers of a saved state that the next step reads.
#pragma once

#include <string_view>

#include "kernels/physics.hpp"

namespace halfulp {

// Of the state, everything; of derived and carried fields, du/dt of the fluid and its contributions, along the axes
// that the case has. The rest is computed before it is read, and until then may have any bits: a device sorts particles
// in the memory of derived fields.
struct NeededNumbers {
    int numbers = 4;  // of each element, where it has four
    bool walls = true;
};
NeededNumbers needed_numbers(std::string_view field, int dimensions, const Physics& physics);

}  // namespace halfulp
