// The machine that computed a run or report, without its name: both are shown to others.
#pragma once

#include <string>

namespace halfulp {

struct Machine {
    std::string processor = "unknown";
    unsigned processors = 0;  // logical ones that this process may use
    double memory = 0;        // bytes; 0: unknown
};

// From /proc; values missing there remain unknown.
Machine this_machine();

// The processor's model and those of its instruction sets that this program can use.
std::string describe_processor();

}  // namespace halfulp
