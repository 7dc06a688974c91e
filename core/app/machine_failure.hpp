// The end of a run after a machine failure: a lost device, exhausted memory, a changed floating-point mode.
#pragma once

#include <functional>
#include <string>

#include "core/app/run.hpp"

namespace halfulp {

// To be called while handling an exception. One that is not a machine failure (a full disk's) is rethrown. Otherwise
// `keep` is called with the cause as text, to save as much as possible; then an Error (unsupported) is thrown that says
// how to continue.
[[noreturn]] void end_by_machine(const Problem& problem, const std::filesystem::path& folder, bool from_checkpoint,
                                 const std::function<void(const std::string& why)>& keep);

}  // namespace halfulp
