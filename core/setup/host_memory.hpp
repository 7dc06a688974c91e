// The memory available to this process.
#pragma once

#include <cstddef>

namespace halfulp {

struct HostMemory {
    double free = 0;    // available bytes
    double limit = 0;   // of this process's address space (ulimit -v); 0: none
    bool known = true;  // whether `free` is known
};

// The content of a file of one number, such as a control group's limit; infinite without a number ("max").
double number_in(const char* path);

// From /proc/meminfo, the control group's limit and that of the address space, less the memory already in use.
HostMemory host_memory();

// Throws an Error if there is no room for the fields of an output of so many particles, `bytes` each: a system that
// overcommits memory would kill the program without a message.
void require_memory_for_output(std::size_t particles, std::size_t bytes);

}  // namespace halfulp
