// The interface of a batch: runs whose particles a back end holds together, and on which it carries out the operations
// of a step at once. Each run has the bits that it has alone.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/backends/backend.hpp"

namespace halfulp {

class Batch {
public:
    Batch() = default;
    virtual ~Batch() = default;
    Batch(const Batch&) = delete;
    Batch& operator=(const Batch&) = delete;

    // Carries out what the runs have been given to execute since the last call. A run that breaks a rule throws
    // SimulationBroke when it is completed; the others go on.
    virtual void carry_out() = 0;
    // Sums the ledgers of some runs at once, for the rows that are asked for before the next operation.
    virtual void sum_ledgers(const std::vector<std::size_t>& runs) = 0;
};

// The back ends of the runs of a batch. They record the operations that they are given until the batch carries them
// out; their complete() is valid after that. They keep the batch alive.
struct BatchOfRuns {
    std::shared_ptr<Batch> batch;
    std::vector<std::unique_ptr<Backend>> runs;
};

}  // namespace halfulp
