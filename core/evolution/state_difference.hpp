// The difference between two states of one simulation that were computed on different machines: there may be none.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/evolution/simulation.hpp"

namespace halfulp {

struct StateDifference {
    std::string sentence;         // what differs first, with its bits in the run and in its repetition
    std::int32_t id = -1;         // of the first particle that differs; -1: only numbers of the whole simulation do
    std::string field;            // the first of its fields that differs, e.g. "velocity.x"
    std::uint64_t particles = 0;  // that differ
};

// Compares all that checkpoints have: clock, next step, rebuilds, and every bit of the particles' fields. Of fields
// that are derived from the state only those of the particles that have them: what a back end leaves in the others is
// no result.
std::optional<StateDifference> difference_between(const SimulationState& run, const SimulationState& repetition);

}  // namespace halfulp
