#include "core/app/child_process.hpp"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <future>
#include <system_error>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/app/interrupts.hpp"

namespace halfulp {

namespace {

pid_t start(const std::function<void()>& become)
{
    return start_child(
        [&] {
            std::signal(SIGINT, SIG_IGN);
            become();
        },
        SIGKILL);
}

int status_of(pid_t child)
{
    int status = 0;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status)) return -1;
    return WEXITSTATUS(status);
}

}  // namespace

pid_t start_child(const std::function<void()>& become, int signal)
{
    std::fflush(stdout);
    const pid_t parent = getpid();
    // A signal that the child gets before it becomes the other program must end it, or wait for that program: this
    // one's handler would only record it.
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const pid_t child = fork();
    if (child == 0) release_interrupts();
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    if (child != 0) return child;
    prctl(PR_SET_PDEATHSIG, signal);
    if (getppid() != parent) _exit(127);  // it has ended before
    become();
    _exit(127);
}

std::optional<int> run_child(const std::function<void()>& become)
{
    const bool before = interrupted();
    const pid_t child = start(become);
    if (child < 0) return -1;
    // Another thread waits, so that the end is noticed at once and a signal soon.
    std::future<void> ended;
    try {
        ended = std::async(std::launch::async, [child] {
            siginfo_t info{};
            waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
        });
    } catch (const std::system_error&) {  // no thread is left: signals wait, too
        return status_of(child);
    }
    while (ended.wait_for(std::chrono::milliseconds(50)) != std::future_status::ready) {
        if (interrupted() && !before) kill(child, SIGKILL);
    }
    const int status = status_of(child);
    if (status < 0 && interrupted() && !before) return {};
    return status;
}

}  // namespace halfulp
