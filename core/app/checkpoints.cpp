#include "core/app/checkpoints.hpp"

#include <cstdio>
#include <new>

#include <fmt/format.h>

#include "core/error.hpp"
#include "core/evolution/checkpoint.hpp"

namespace halfulp {

bool Checkpoints::take(const std::function<SimulationState()>& state, const RunLength& length, RunWriter& writer)
{
    last_ = WallClock::now();
    try {
        writer.sync();
        write_checkpoint(writer.folder(), {.number = number_ + 1,
                                           .problem = problem_,
                                           .length = length,
                                           .wall_seconds = wall_seconds(),
                                           .simulation = state()});
        ++number_;
        return true;
    } catch (const Error& refused) {
        complain(fmt::format("halfulp: no checkpoint could be taken: {}", refused.what()));
    } catch (const std::bad_alloc&) {
        complain("halfulp: no checkpoint could be taken: there is not enough memory.");
    }
    return false;
}

}  // namespace halfulp
