// A child process of the program, which ends with it.
#pragma once

#include <functional>

namespace halfulp {

// Forks, calls `become` in the child, which replaces itself by another program, and waits for that: its exit status, or
// -1 if there is none. If `become` returns, the status is 127. Ctrl-C does not reach the child.
int run_child(const std::function<void()>& become);

}  // namespace halfulp
