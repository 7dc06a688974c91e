#include "core/backends/cpu/pair_loops_body.hpp"
#include "precision/policy.hpp"

namespace halfulp {

template <>
const PairLoops<RobustPolicy, 2>* pair_loops<RobustPolicy, 2>(int lanes)
{
    if (lanes == 1) return &PairLoopBody<RobustPolicy, 2, 1>::table;
    if (lanes == 4) return &PairLoopBody<RobustPolicy, 2, 4>::table;
    if (lanes == 8) return &PairLoopBody<RobustPolicy, 2, 8>::table;
    if (lanes == 16 && processor_has_avx512()) return pair_loops_avx512<RobustPolicy, 2>();
    return nullptr;
}

template <>
const PairLoops<RobustPolicy, 3>* pair_loops<RobustPolicy, 3>(int lanes)
{
    if (lanes == 1) return &PairLoopBody<RobustPolicy, 3, 1>::table;
    if (lanes == 4) return &PairLoopBody<RobustPolicy, 3, 4>::table;
    if (lanes == 8) return &PairLoopBody<RobustPolicy, 3, 8>::table;
    if (lanes == 16 && processor_has_avx512()) return pair_loops_avx512<RobustPolicy, 3>();
    return nullptr;
}

}  // namespace halfulp
