// How much memory there is for a problem.
#pragma once

namespace halfulp {

// Bytes that this process may still take without swapping: what the machine has to spare, but no more than its control
// group or a limit on its address space allows.
double available_memory();

}  // namespace halfulp
