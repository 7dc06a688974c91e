#include "core/app/machine_failure.hpp"

#include <new>

#include <fmt/format.h>

#include "core/app/out_of_memory.hpp"

namespace halfulp {

namespace {

// The current exception as text; rethrows it if it is not a failure of the machine.
std::string failure_of_machine(const Problem& problem)
{
    try {
        throw;
    } catch (const Error& error) {
        if (error.code() != ExitCode::unsupported) throw;
        return error.what();
    } catch (const std::bad_alloc&) {
        return out_of_memory(problem);
    }
}

}  // namespace

void end_by_machine(const Problem& problem, const std::filesystem::path& folder, bool from_checkpoint,
                    const std::function<void(const std::string& why)>& keep)
{
    const std::string why = failure_of_machine(problem);
    try {
        keep(why);
    } catch (const std::exception&) {  // a lost device cannot finish an output either; report the first cause
    }
    throw Error(
        ExitCode::unsupported,
        fmt::format("{}. {}halfulp resume {} {}, on any back end", why,
                    from_checkpoint ? "" : "No checkpoint had been taken (--checkpoint-every): ", shown(folder),
                    from_checkpoint ? "goes on from the last checkpoint" : "starts the run again from its case"));
}

}  // namespace halfulp
