// A child process of the program, which ends with it.
#pragma once

#include <functional>
#include <optional>

#include <sys/types.h>

namespace halfulp {

// Forks and calls `become` in the child, which replaces itself by another program; if `become` returns, the child ends
// with status 127. Returns the process id, or -1. The child gets `signal` when the thread that called this ends.
pid_t start_child(const std::function<void()>& become, int signal);

// Forks, calls `become` in the child, which replaces itself by another program, and waits for that program: returns its
// exit status, or -1 if there is none. If `become` returns, the status is 127. Ctrl-C does not reach the child; once an
// interrupt is recorded that was not before (core/app/interrupts.hpp) the child is killed, and nothing is returned.
std::optional<int> run_child(const std::function<void()>& become);

}  // namespace halfulp
