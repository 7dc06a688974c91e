#include "core/backends/cpu/pair_engine.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "kernels/smoothing.hpp"

namespace halfulp {

void throw_no_kernel(const PairSettings& settings)
{
    throw input_error(fmt::format("numerics.kernel: \"{}\" is unknown; allowed: \"{}\", \"{}\"", settings.kernel,
                                  WendlandC2::name, CubicSpline::name));
}

void throw_no_lanes(const PairSettings& settings, const char* precision, const std::vector<int>& allowed)
{
    throw input_error(fmt::format("--lanes {}: the precision \"{}\" runs with {} lanes", settings.lanes, precision,
                                  fmt::join(allowed, ", ")));
}

}  // namespace halfulp
