// The end of a run that the machine cannot go on with: a device that went away, memory that ran out, a mode of
// floating point that something has changed.
#pragma once

#include <functional>
#include <string>

#include "core/app/run.hpp"

namespace halfulp {

// To be called where an exception is handled. One that is not the machine's (a full disk's) is thrown on as it is. Of
// another, `keep` is told in words what happened, to write what there is as well as it can; then an Error (unsupported)
// is thrown with how to go on.
[[noreturn]] void end_by_machine(const Problem& problem, const RunOptions& options, bool resumable,
                                 const std::function<void(const std::string& why)>& keep);

}  // namespace halfulp
