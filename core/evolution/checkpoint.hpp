// Checkpoints of a run: the simulation's state and the lengths of its files, in two generations beside them.
//
// RUN/checkpoint.0 and RUN/checkpoint.1 are written in turn, each under a temporary name first, so that after the first
// one a complete checkpoint exists at any moment.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/evolution/simulation.hpp"
#include "core/output/run_file.hpp"

namespace halfulp {

struct Checkpoint {
    std::uint64_t number = 0;  // sequence number in the run, from 1
    StateHash problem;         // fingerprint of its problem: see fingerprint_of
    RunLength length;          // of the files when it was taken
    double wall_seconds = 0;   // of the run so far
    SimulationState simulation;
};

// The fingerprint of the initial particles, the constants and the files that the case names: equal for runs with equal
// results.
StateHash fingerprint_of(const Problem& problem);

// Throws an Error if writing fails; the previous generation is then untouched.
void write_checkpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint);

// The newest complete one, if there is one; `warnings`: a sentence for each damaged one.
std::optional<Checkpoint> read_checkpoint(const std::filesystem::path& folder, std::vector<std::string>& warnings);

// Removes the checkpoints of a run that is complete or is started again.
void remove_checkpoints(const std::filesystem::path& folder);

}  // namespace halfulp
