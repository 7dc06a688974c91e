// The runs of a sweep in batches on a device: prepared and written by all threads, computed together.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/app/run_batch.hpp"
#include "core/app/sweep.hpp"

namespace halfulp {

// What batches are carried out on.
struct BatchMachine {
    // Reason why it cannot have a problem in a batch: a clause without a full stop. Empty if it can.
    std::function<std::string(const Problem&)> why_not;
    // The problems by batch, each as indices in order, of at most that many runs.
    std::function<std::vector<std::vector<std::size_t>>(const std::vector<const Problem*>&, std::size_t)> batches;
    MakeBatch make;
    std::string description;  // of the device
};

BatchMachine cuda_machine(int device);

// Throws an Error if the device cannot run even the first run.
void refuse_without_device(const Sweep& sweep);

// Carries out the runs that have not ended and can be in batches; the others are left for carry_out_alone.
void carry_out_batches(Sweep& sweep, const BatchMachine& machine);

}  // namespace halfulp
