#include "core/app/machine_failure.hpp"

#include <new>

#include <fmt/format.h>

#include "core/app/out_of_memory.hpp"
#include "core/machine_error.hpp"

namespace halfulp {

namespace {

struct Failure {
    std::string why;
    bool of_device = false;
};

// The current exception; rethrows it if it is not a failure of the machine.
Failure failure_of_machine(const Problem& problem)
{
    try {
        throw;
    } catch (const MachineError& error) {
        return {.why = error.cause(), .of_device = true};
    } catch (const Error& error) {
        if (error.code() != ExitCode::unsupported) throw;
        return {.why = error.what()};
    } catch (const std::bad_alloc&) {
        return {.why = out_of_memory(problem)};
    }
}

}  // namespace

void end_by_machine(const Problem& problem, const std::filesystem::path& folder, bool from_checkpoint,
                    const std::function<void(const std::string& why)>& keep)
{
    const Failure failure = failure_of_machine(problem);
    try {
        keep(failure.why);
    } catch (const std::exception&) {  // a lost device cannot finish an output either; report the first cause
    }
    throw Error(ExitCode::unsupported,
                fmt::format("{}{}{}halfulp resume {} {}, {}", failure.why, failure.of_device ? "; " : ". ",
                            from_checkpoint     ? ""
                            : failure.of_device ? "no checkpoint had been taken (--checkpoint-every): "
                                                : "No checkpoint had been taken (--checkpoint-every): ",
                            shown(folder),
                            from_checkpoint ? "goes on from the last checkpoint" : "starts the run again from its case",
                            failure.of_device ? "with --backend cpu without the device" : "on any back end"));
}

}  // namespace halfulp
