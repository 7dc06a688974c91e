// A build without CUDA: neither strategies nor layouts on a device.
#include "core/error.hpp"
#include "validation/layouts/swarm.hpp"
#include "validation/strategies/cuda/ladder.hpp"
#include "validation/strategies/lists/lists.hpp"

namespace halfulp {

constexpr const char* why = "this build has no CUDA";

namespace strategies {

DeviceEvaluated evaluate_on_device(const Problem&, const State&, const DeviceStrategy&, double)
{
    throw input_error(why);
}
PartialSteps steps_partly_on_device(const Problem&, const State&, int) { throw input_error(why); }
ListsEvaluated evaluate_on_device(const Problem&, const CanonicalLists&, const ListStrategy&, double)
{
    throw input_error(why);
}

}  // namespace strategies

namespace layouts {

Timed time_swarm_on_device(Structure, std::size_t, int) { throw input_error(why); }
Timed time_wide_update_on_device(int, std::size_t, int, int) { throw input_error(why); }

}  // namespace layouts

}  // namespace halfulp
