// The laboratory's numbers of lanes: half the usual number, and AVX-512's.
#include "core/backends/cpu/more_lanes.hpp"
#include "core/backends/cpu/pair_loops_body.hpp"
#include "kernels/policy.hpp"

namespace halfulp {

namespace {

template <class Policy, int D>
const PairLoops<Policy, D>* find(int lanes)
{
    constexpr int narrow = 16 / sizeof(typename Policy::Real);
    if (lanes == narrow) return &PairLoopBody<Policy, D, narrow>::table;
    return lanes == 4 * narrow && processor_has_avx512() ? pair_loops_avx512<Policy, D>() : nullptr;
}

template <class Policy, int D>
const bool added = add_to_registry(MoreLanes<Policy, D>{find<Policy, D>});

template const bool added<RobustPolicy, 2>;
template const bool added<RobustPolicy, 3>;
template const bool added<DoublePolicy, 2>;
template const bool added<DoublePolicy, 3>;

}  // namespace

}  // namespace halfulp
