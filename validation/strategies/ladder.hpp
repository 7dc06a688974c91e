// The page of `bench strategies --backend cuda`.
#pragma once

#include <string>
#include <vector>

#include "core/error.hpp"
#include "validation/device/chosen_backend.hpp"

namespace halfulp::strategies {

struct LadderArguments {
    std::string folder;
    ChosenMachine machine;
    std::vector<double> sizes;
    double after = 0;    // s
    double seconds = 0;  // of each row, at least
};
ExitCode run_ladder(const LadderArguments& arguments);

}  // namespace halfulp::strategies
