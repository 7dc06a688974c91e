// Compiled for AVX-512 where the compiler can; see pair_loops.hpp for what that forbids here.
#include "core/backends/cpu/pair_loops_body.hpp"
#include "precision/policy.hpp"

namespace halfulp {

#if defined(__AVX512F__)
#define HALFULP_AVX512_TABLE(Policy, D, lanes) &PairLoopBody<Policy, D, lanes>::table
#else
#define HALFULP_AVX512_TABLE(Policy, D, lanes) nullptr
#endif

template <>
const PairLoops<RobustPolicy, 2>* pair_loops_avx512<RobustPolicy, 2>()
{
    return HALFULP_AVX512_TABLE(RobustPolicy, 2, 16);
}

template <>
const PairLoops<RobustPolicy, 3>* pair_loops_avx512<RobustPolicy, 3>()
{
    return HALFULP_AVX512_TABLE(RobustPolicy, 3, 16);
}

template <>
const PairLoops<DoublePolicy, 2>* pair_loops_avx512<DoublePolicy, 2>()
{
    return HALFULP_AVX512_TABLE(DoublePolicy, 2, 8);
}

template <>
const PairLoops<DoublePolicy, 3>* pair_loops_avx512<DoublePolicy, 3>()
{
    return HALFULP_AVX512_TABLE(DoublePolicy, 3, 8);
}

}  // namespace halfulp
