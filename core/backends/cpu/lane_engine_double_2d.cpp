#include "core/backends/cpu/lane_engine_choice.hpp"
#include "precision/policy.hpp"

namespace halfulp {

template <>
std::unique_ptr<PairEngine<DoublePolicy, 2>> make_pair_engine<DoublePolicy, 2>(const PairSettings& settings)
{
    return engine_among<DoublePolicy, 2>(settings, std::integer_sequence<int, 1, 2, 4>{});
}

}  // namespace halfulp
