// The page of `bench strategies --backend cuda`.
#pragma once

#include "core/error.hpp"
#include "validation/device/chosen_backend.hpp"

namespace halfulp::strategies {

struct LadderArguments : MachineOptions {
    std::vector<double> sizes;  // empty: those of the bench
    double after = 0.2;         // s
    double seconds = 0.3;       // of each row, at least
};
ExitCode run_ladder(const LadderArguments& arguments);

}  // namespace halfulp::strategies
