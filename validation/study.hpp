// Many independent measurements: side by side on all processors, each kept as soon as it is done.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/backends/cpu/cpu_backend.hpp"
#include "core/setup/case.hpp"
#include "validation/study_cache.hpp"
#include "validation/study_options.hpp"

namespace halfulp {

// A measurement. Its rows must follow from the key and the program alone: no clock, no machine, no random numbers but
// from a seed in the key.
struct Job {
    std::string key;  // everything that it depends on; job_key makes it
    std::function<Results()> compute;
};

// Jobs run side by side, so a simulation in one takes a single thread. That changes no bit of it.
inline constexpr CpuOptions one_thread{.threads = 1};

// The key of a measurement on a case: its name, the completed case, the meshes and tables that the case reads, and
// parameters that are not in the case, "NAME=VALUE" each. Two jobs that differ must differ in one of these.
std::string job_key(const std::string& name, const Case& c, const std::vector<std::string>& parameters = {});
// Of one without a case.
std::string parameter_key(const std::string& name, const std::vector<std::string>& parameters);

class Study {
public:
    // Results are kept in FOLDER/cache. name: the experiment's, for the line that tells how far it is.
    Study(std::string name, const StudyOptions& options);

    // The results in the order of the jobs. `each` is called on this thread with every index in ascending order, as
    // soon as its result and all before are there. What a job throws is thrown here, after those that ran beside it
    // have ended and were kept; Ctrl-C throws an Error, exit code `interrupted`, likewise.
    std::vector<Results> run(const std::vector<Job>& jobs,
                             const std::function<void(std::size_t, const Results&)>& each = {});

private:
    std::string name_;
    StudyCache cache_;
    bool fresh_;
    std::set<std::string> own_;  // keys of the jobs that were run here
    unsigned threads_;
};

}  // namespace halfulp
