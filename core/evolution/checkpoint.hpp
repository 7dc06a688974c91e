// Checkpoints of a run: its simulation's state and how far its files have come, in two generations beside them.
//
// RUN/checkpoint.0 and RUN/checkpoint.1 are written in turn, each under another name first, so that at any moment one
// that is whole stands there, but for before the first.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/evolution/simulation.hpp"
#include "core/output/run_file.hpp"

namespace halfulp {

struct Checkpoint {
    std::uint64_t number = 0;  // of those of the run, from 1
    StateHash problem;         // what it belongs to: see fingerprint_of
    RunLength length;          // that had been written
    double wall_seconds = 0;   // that the run has taken
    SimulationState simulation;
};

// Of the initial particles, the constants and the files that the case names: equal where a run would be the same.
StateHash fingerprint_of(const Problem& problem);

// Throws an Error where the disk refuses; the generation before is then untouched.
void write_checkpoint(const std::filesystem::path& folder, const Checkpoint& checkpoint);

// The newest that is whole; `warnings`: a sentence for each that is damaged. Throws an Error if there is none.
Checkpoint read_checkpoint(const std::filesystem::path& folder, std::vector<std::string>& warnings);

// Of a run that is complete or begun anew.
void remove_checkpoints(const std::filesystem::path& folder);

}  // namespace halfulp
