#include "core/backends/cpu/lane_engine_choice.hpp"
#include "precision/policy.hpp"

namespace halfulp {

template <>
std::unique_ptr<PairEngine<DoublePolicy, 3>> make_pair_engine<DoublePolicy, 3>(const PairSettings& settings)
{
    return engine_among<DoublePolicy, 3>(settings, std::integer_sequence<int, 1, 2, 4>{});
}

}  // namespace halfulp
