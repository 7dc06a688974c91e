// Comparison of two runs to the bit, with the place and size of the first difference.
#pragma once

#include <filesystem>
#include <string>

namespace halfulp {

struct Comparison {
    bool equal = false;
    std::string report;  // several lines; the first says the verdict
};

// Compares the state columns of every output that both runs have, cells relative to each run's origin.
Comparison compare_runs(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace halfulp
