// Verification that a run is as it was written.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace halfulp {

struct Verification {
    std::string whole;                 // one line about the intact part
    std::vector<std::string> damages;  // a sentence each
};

// Whether a folder holds a run, or the outputs of one that has lost its run.h5.
bool is_or_was_run(const std::filesystem::path& folder);

// Verifies the checksums of every file of a run, given its folder or its run.h5; text files are compared with run.h5.
// Throws an Error if there is no run and no output of one.
Verification verify_run(const std::filesystem::path& run);

}  // namespace halfulp
