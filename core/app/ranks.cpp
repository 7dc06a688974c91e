#include "core/app/ranks.hpp"

#include <cstdio>
#include <new>

#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "core/app/floating_point.hpp"
#include "core/app/interrupts.hpp"
#include "core/app/out_of_memory.hpp"
#include "core/distribution/world.hpp"
#include "core/error.hpp"
#include "core/evolution/checkpoint.hpp"

namespace halfulp {

namespace {

int error_stream = 2;

}  // namespace

void keep_quiet_unless_first()
{
    const Peers* const all = world();
    if (all == nullptr || all->rank() == 0) return;
    error_stream = dup(2);
    const int nowhere = open("/dev/null", O_RDWR);
    if (nowhere < 0) return;
    dup2(nowhere, 1);
    dup2(nowhere, 2);
    close(nowhere);
}

std::optional<ExitCode> serve_as_rank(const BackendOptions& options, const std::function<Problem()>& problem)
{
    Peers* const all = world();
    if (all == nullptr || all->rank() == 0) return {};
    // A launcher or a batch system sends signals to every process; rank 0 ends the run as it should end.
    ignore_interrupts();
    const CallToRanks call = call_ranks({});
    if (!call.begins) return ExitCode::success;
    ExitCode code = ExitCode::unsupported;
    std::string why;
    try {
        const Problem mine = problem();
        if (fingerprint_of(mine).words != call.problem)
            throw input_error("it has read another case than rank 0: the same files must be there on every machine");
        check_floating_point_of_threads();
        serve_backend(mine, options, *all, [] { check_floating_point_of_threads(); });
        all->finish();
        return ExitCode::success;
    } catch (const OtherRankFailed&) {  // rank 0 says why
        all->finish();
        return code;
    } catch (const Error& error) {
        code = error.code();
        why = error.what();
    } catch (const std::bad_alloc&) {
        why = out_of_memory();
    } catch (const std::exception& error) {
        why = error.what();
    }
    const std::string sentence = fmt::format("halfulp: rank {} of {}: {}\n", all->rank(), all->ranks(), why);
    static_cast<void>(::write(error_stream, sentence.data(), sentence.size()) < 0);
    return code;
}

void begin_on_ranks(const StateHash& problem)
{
    if (world() != nullptr) call_ranks({.begins = true, .problem = problem.words});
}

}  // namespace halfulp
