// Threads that wait for each other give their processor away after some tens of microseconds. OpenMP's own choice is to
// spin for milliseconds; beside one other busy program that made two threads thirty times slower than with this.
#pragma once

#include <cstdlib>

#include <unistd.h>

namespace halfulp {

// The OpenMP library reads its settings when it is loaded, before main. So the program sets them and starts itself
// anew, once; a choice of the user's is left alone. To be called first thing in main; words: its argument vector.
inline void wait_briefly(char** words)
{
    if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
    if (setenv("GOMP_SPINCOUNT", "1000", 0) == 0) execv("/proc/self/exe", words);
    // Where that cannot be done, the program is slower on a busy machine and otherwise the same.
}

}  // namespace halfulp
