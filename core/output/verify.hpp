// Whether a run still is what was written.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace halfulp {

struct Verification {
    std::string whole;                 // one line about what is as it was written
    std::vector<std::string> damages;  // a sentence each
};

// Reads every file of a run, by its folder or its run.h5, and looks at its checksums; of text files, whether they say
// what run.h5 does. Throws an Error if there is no run.
Verification verify_run(const std::filesystem::path& run);

}  // namespace halfulp
