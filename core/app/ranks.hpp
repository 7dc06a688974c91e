// A run on the processes of an MPI launcher: what the others than rank 0 do, and what rank 0 tells them.
#pragma once

#include <functional>
#include <optional>

#include "core/app/run.hpp"

namespace halfulp {

// In other processes than rank 0, which print nothing from now on but what ends them.
void keep_quiet_unless_first();

// In another process than rank 0: takes part in its run until that ends, and returns the exit code; the problem is read
// when rank 0 has read its own. Nothing in rank 0 and in a process that was started alone.
std::optional<ExitCode> serve_as_rank(const BackendOptions& options, const std::function<Problem()>& problem);

// In rank 0, before it makes its back end: the others begin. Nothing in a process that was started alone.
void begin_on_ranks(const StateHash& problem);

}  // namespace halfulp
