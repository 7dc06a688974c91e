// Brief spinning of waiting threads: some tens of microseconds before they yield their processor. OpenMP's default is
// to spin for milliseconds, which made two threads thirty times slower beside one other busy program.
#pragma once

#include <cerrno>
#include <cstdlib>

#include <sys/prctl.h>
#include <unistd.h>

namespace halfulp {

// The OpenMP library reads its settings when it is loaded, before main. So the program sets them and restarts itself
// once; a user's setting is respected. To be called first in main; words: its argument vector.
inline void wait_briefly(char** words)
{
    prctl(PR_SET_NAME, program_invocation_short_name);  // after the restart it would be "exe", to ps and pkill
    if (std::getenv("OMP_WAIT_POLICY") != nullptr || std::getenv("GOMP_SPINCOUNT") != nullptr) return;
    if (setenv("GOMP_SPINCOUNT", "1000", 0) == 0) execv("/proc/self/exe", words);
    // If that fails, the program is slower on a busy machine but otherwise the same.
}

}  // namespace halfulp
