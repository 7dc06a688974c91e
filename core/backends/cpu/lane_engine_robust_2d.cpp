#include "core/backends/cpu/lane_engine_choice.hpp"
#include "precision/policy.hpp"

namespace halfulp {

template <>
std::unique_ptr<PairEngine<RobustPolicy, 2>> make_pair_engine<RobustPolicy, 2>(const PairSettings& settings)
{
    return engine_among<RobustPolicy, 2>(settings, std::integer_sequence<int, 1, 4, 8>{});
}

}  // namespace halfulp
