// The machine that a report was made on. Its name is left out: reports are shown to others.
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

}  // namespace halfulp
