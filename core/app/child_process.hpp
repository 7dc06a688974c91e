// A child process of the program, which ends with it.
#pragma once

#include <functional>
#include <optional>

#include <sys/types.h>

namespace halfulp {

// Forks and calls `become` in the child, which replaces itself by another program; 127 is its status if `become`
// returns. Its process, or -1. It gets the signal when the thread that called this ends.
pid_t start_child(const std::function<void()>& become, int signal);

// Forks, calls `become` in the child, which replaces itself by another program, and waits for that: its exit status, or
// -1 if there is none. If `become` returns, the status is 127. Ctrl-C does not reach the child.
int run_child(const std::function<void()>& become);

// The same, but once an interrupt was recorded (core/app/interrupts.hpp) the child is killed; nothing then.
std::optional<int> run_child_until_interrupt(const std::function<void()>& become);

}  // namespace halfulp
