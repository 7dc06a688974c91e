#include "core/backends/cpu/pair_loops_body.hpp"
#include "precision/policy.hpp"

namespace halfulp {

HALFULP_DEFINE_PAIR_LOOPS(RobustPolicy, 2, 4, 8, 16)
HALFULP_DEFINE_PAIR_LOOPS(RobustPolicy, 3, 4, 8, 16)

}  // namespace halfulp
