// From settings to one of the instantiated engines. Included by the files that instantiate them, a policy each.
#pragma once

#include <utility>

#include "core/backends/cpu/lane_engine.hpp"

namespace halfulp {

template <class Policy, int D, int W>
std::unique_ptr<PairEngine<Policy, D>> engine_with_lanes(const PairSettings& settings)
{
    if (settings.kernel == WendlandC2::name) return std::make_unique<LaneEngine<Policy, D, WendlandC2, W>>(settings);
    if (settings.kernel == CubicSpline::name) return std::make_unique<LaneEngine<Policy, D, CubicSpline, W>>(settings);
    throw_no_kernel(settings);
}

template <class Policy, int D, int... widths>
std::unique_ptr<PairEngine<Policy, D>> engine_among(const PairSettings& settings, std::integer_sequence<int, widths...>)
{
    std::unique_ptr<PairEngine<Policy, D>> engine;
    ((settings.lanes == widths && (engine = engine_with_lanes<Policy, D, widths>(settings), true)) || ...);
    if (!engine) throw_no_lanes(settings, Policy::name, {widths...});
    return engine;
}

}  // namespace halfulp
