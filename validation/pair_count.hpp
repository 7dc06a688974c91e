// The number of pairs that interact in a state: what a pass over the pairs is paid for, whoever computes it.
#pragma once

#include <cstdint>
#include <optional>

#include "core/results/snapshot.hpp"
#include "core/setup/problem.hpp"

namespace halfulp {

// A pair counts that is nearer than this part of the support, beyond which its kernel is zero to rounding.
inline constexpr double within_support = 1 - 1e-6;

// The neighbours within the kernel's support of all fluid particles, fluid and walls: a pair of fluid particles counts
// twice, once for each. Nothing if the snapshot lacks particles, cells or offsets.
std::optional<std::uint64_t> neighbours_of_fluid(const Problem& problem, const Snapshot& snapshot);

}  // namespace halfulp
