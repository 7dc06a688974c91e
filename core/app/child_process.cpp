#include "core/app/child_process.hpp"

#include <csignal>
#include <cstdio>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace halfulp {

int run_child(const std::function<void()>& become)
{
    std::fflush(stdout);
    const pid_t child = fork();
    if (child < 0) return -1;
    if (child == 0) {
        std::signal(SIGINT, SIG_IGN);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        become();
        _exit(127);
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}

}  // namespace halfulp
