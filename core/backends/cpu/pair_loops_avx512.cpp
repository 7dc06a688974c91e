// AVX-512 pair loops, where the compiler supports them; see pair_loops.hpp for the resulting restrictions.
#include "core/backends/cpu/pair_loops_body.hpp"
#include "kernels/policy.hpp"

namespace halfulp {

#if defined(__AVX512F__)
#define HALFULP_TABLE(Policy, D) &PairLoopBody<Policy, D, 64 / sizeof(Policy::Real)>::table
#else
#define HALFULP_TABLE(Policy, D) nullptr
#endif

#define HALFULP_DEFINE(Policy)                                 \
    template <>                                                \
    const PairLoops<Policy, 2>* pair_loops_avx512<Policy, 2>() \
    {                                                          \
        return HALFULP_TABLE(Policy, 2);                       \
    }                                                          \
    template <>                                                \
    const PairLoops<Policy, 3>* pair_loops_avx512<Policy, 3>() \
    {                                                          \
        return HALFULP_TABLE(Policy, 3);                       \
    }
HALFULP_DEFINE(RobustPolicy)
HALFULP_DEFINE(DoublePolicy)

}  // namespace halfulp
