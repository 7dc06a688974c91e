// The runs of a sweep as processes, each with one thread, as many at a time as there are cores.
#pragma once

#include "core/app/sweep.hpp"

namespace halfulp {

// Carries out the runs that have not ended and are in no batch. Interrupts are passed on to the processes.
void carry_out_alone(Sweep& sweep);

}  // namespace halfulp
