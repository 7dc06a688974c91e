// The number of pairs that interact in a state: what a pass over the pairs is paid for, whoever computes it.
#pragma once

#include <cstdint>
#include <optional>

#include "core/results/snapshot.hpp"
#include "core/setup/problem.hpp"

namespace halfulp {

// The neighbours within the kernel's support of all fluid particles, fluid and walls: a pair of fluid particles counts
// twice, once for each. Nothing if the snapshot lacks particles, cells or offsets.
std::optional<std::uint64_t> neighbours_of_fluid(const Problem& problem, const Snapshot& snapshot);

}  // namespace halfulp
