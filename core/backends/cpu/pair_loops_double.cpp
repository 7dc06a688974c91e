#include "core/backends/cpu/pair_loops_body.hpp"
#include "precision/policy.hpp"

namespace halfulp {

HALFULP_DEFINE_PAIR_LOOPS(DoublePolicy, 2, 2, 4, 8)
HALFULP_DEFINE_PAIR_LOOPS(DoublePolicy, 3, 2, 4, 8)

}  // namespace halfulp
