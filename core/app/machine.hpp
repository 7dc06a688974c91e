// The machine that a run or report was made on. Its name is left out: both are shown to others.
#pragma once

#include <string>

namespace halfulp {

struct Machine {
    std::string processor = "unknown";
    unsigned processors = 0;  // logical ones that this process may use
    double memory = 0;        // bytes; 0: unknown
};

// From /proc; what is not told there stays unknown.
Machine this_machine();

// The processor's model and the instructions that this program makes use of where it has them.
std::string describe_processor();

}  // namespace halfulp
