// A build without CUDA.
#include "core/error.hpp"
#include "validation/strategies/cuda/ladder.hpp"
#include "validation/strategies/lists/lists.hpp"

namespace halfulp::strategies {

namespace {

constexpr const char* why = "this build has no CUDA";

}  // namespace

DeviceEvaluated evaluate_on_device(const Problem& /*problem*/, const State& /*state*/,
                                   const DeviceStrategy& /*strategy*/, double /*seconds*/)
{
    throw input_error(why);
}

PartialSteps steps_partly_on_device(const Problem& /*problem*/, const State& /*state*/, int /*steps*/)
{
    throw input_error(why);
}

ListsEvaluated evaluate_on_device(const Problem& /*problem*/, const CanonicalLists& /*lists*/,
                                  const ListStrategy& /*strategy*/, double /*seconds*/)
{
    throw input_error(why);
}

}  // namespace halfulp::strategies
