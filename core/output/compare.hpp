// Are two runs equal to the bit, and if not, where first and by how much?
#pragma once

#include <filesystem>
#include <string>

namespace halfulp {

struct Comparison {
    bool equal = false;
    std::string report;  // several lines; the first says the verdict
};

// Compares the state columns of every output the two runs have, cells relative to each run's origin.
Comparison compare_runs(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace halfulp
