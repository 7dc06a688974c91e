#include "core/backends/cpu/pair_loops_body.hpp"
#include "precision/policy.hpp"

namespace halfulp {

template <>
const PairLoops<DoublePolicy, 2>* pair_loops<DoublePolicy, 2>(int lanes)
{
    if (lanes == 1) return &PairLoopBody<DoublePolicy, 2, 1>::table;
    if (lanes == 2) return &PairLoopBody<DoublePolicy, 2, 2>::table;
    if (lanes == 4) return &PairLoopBody<DoublePolicy, 2, 4>::table;
    if (lanes == 8 && processor_has_avx512()) return pair_loops_avx512<DoublePolicy, 2>();
    return nullptr;
}

template <>
const PairLoops<DoublePolicy, 3>* pair_loops<DoublePolicy, 3>(int lanes)
{
    if (lanes == 1) return &PairLoopBody<DoublePolicy, 3, 1>::table;
    if (lanes == 2) return &PairLoopBody<DoublePolicy, 3, 2>::table;
    if (lanes == 4) return &PairLoopBody<DoublePolicy, 3, 4>::table;
    if (lanes == 8 && processor_has_avx512()) return pair_loops_avx512<DoublePolicy, 3>();
    return nullptr;
}

}  // namespace halfulp
