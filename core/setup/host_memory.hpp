// The memory available to this process.
#pragma once

namespace halfulp {

struct HostMemory {
    double free = 0;    // available bytes
    double limit = 0;   // of this process's address space (ulimit -v); 0: none
    bool known = true;  // whether `free` is known
};

// From /proc/meminfo, the control group's limit and that of the address space, less the memory already in use.
HostMemory host_memory();

}  // namespace halfulp
