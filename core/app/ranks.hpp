// A run on the processes of an MPI launcher: the work of processes other than rank 0, and what rank 0 tells them.
#pragma once

#include <functional>
#include <optional>

#include "core/app/run.hpp"

namespace halfulp {

// In a process other than rank 0: from now on prints nothing but the error that ends it.
void keep_quiet_unless_first();

// In a process other than rank 0: takes part in rank 0's run until that ends, and returns the exit code; the problem is
// read after rank 0 has read its own. Returns nothing in rank 0, and in a process that was started alone.
std::optional<ExitCode> serve_as_rank(const BackendOptions& options, const std::function<Problem()>& problem);

// In rank 0, before it makes its back end: tells the others to begin. Does nothing in a process that was started alone.
void begin_on_ranks(const StateHash& problem);

}  // namespace halfulp
