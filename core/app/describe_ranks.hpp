// A model of a run on several ranks: what they would hold, send and lose, as shown by `halfulp info CASE --ranks N`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/app/json.hpp"
#include "core/setup/problem.hpp"

namespace halfulp {

struct ModelOfRanks {
    std::size_t ranks = 0;
    std::uint64_t least_own = 0;  // particles of a rank
    std::uint64_t most_own = 0;
    std::uint64_t copies = 0;          // of others' particles, in all
    std::uint64_t bytes_of_fluid = 0;  // sent in a step for a copy
    std::uint64_t bytes_of_wall = 0;
    std::uint64_t sent = 0;       // bytes a step in all
    std::uint64_t most_sent = 0;  // to one rank
    double lost = 0;              // of a step of the rank with most to do, over that of equal shares without copies
    std::vector<double> work{};   // of each rank, as a part of all
    // What CUDA devices of one machine add, beside unequal shares of the work: messages, copies, waiting for each
    // other.
    double step_milliseconds = 0;
    double rebuild_milliseconds = 0;  // of the neighbour lists
    double memory = 0;                // bytes of one rank of a CPU at most
    // Of one that is a device, with neighbour lists and without; none where this build has no such devices.
    std::optional<double> device_memory{};
    std::optional<double> listless_device_memory{};
};

// Throws an Error for a number of ranks that there cannot be.
ModelOfRanks model_of_ranks(const Problem& problem, int ranks);
// The model as lines of a table.
std::string describe_ranks(const ModelOfRanks& model, std::size_t particles);
JsonObject ranks_as_json(const ModelOfRanks& model);

}  // namespace halfulp
