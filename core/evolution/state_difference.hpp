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

// Compares the clock, the next step, the number of rebuilds, and every bit of the particles' needed numbers
// (core/particles/needed_numbers.hpp).
std::optional<StateDifference> difference_between(const SimulationState& run, const SimulationState& repetition,
                                                  int dimensions, const Physics& physics);

}  // namespace halfulp
