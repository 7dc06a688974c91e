// The memory that this process can have.
#pragma once

namespace halfulp {

struct HostMemory {
    double free = 0;    // bytes that can be had now
    double limit = 0;   // of what this process may take: its address space (ulimit -v); 0: none
    bool known = true;  // is `free`?
};

// From /proc/meminfo, the control group's limit and that of the address space, of which what is taken already counts
// off.
HostMemory host_memory();

}  // namespace halfulp
