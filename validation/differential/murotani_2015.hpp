// Operations and times of Murotani et al. 2015 (Comput. Part. Mech. 2, 261).
#pragma once

#include "validation/differential/machines.hpp"

namespace halfulp::differential {

// Operations of an evaluation. The paper prints the parts of one of them; in the cube the gradient needs |r|^2 of each
// neighbour, as no candidate does, and the Laplacian saves the root's step.
double operations(Operator which, Domain domain, const Visits& v);

// On a K20 in double: milliseconds and efficiency in percent; nothing where the paper prints none.
struct Printed {
    double milliseconds = 0;
    double efficiency = 0;
};
Printed printed_for(const Setting& setting, int divisions);

}  // namespace halfulp::differential
