// Sealed HDF5 files (core/output/sealed_file.hpp). Private to this folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "core/output/hdf5_file.hpp"
#include "core/output/hdf5_handles.hpp"
#include "core/output/sealed_file.hpp"

namespace halfulp {

// Context for messages about failed writes.
struct Writing {
    std::string doing;        // e.g. "output 12 (t = 0.6 s)"
    std::uint64_t bytes = 0;  // to be written; 0: few
    bool reserve = false;     // whether to reserve that room on the file system before anything is written
};

// Writes a new file over `path` through an action on its root, and seals it. Throws an Error naming the file and the
// cause. Any number of threads may write files at a time.
Seal write_sealed_hdf5(const std::filesystem::path& path, const std::string& kind, const Writing& writing,
                       const std::function<void(Hdf5Object&)>& action);

// Opens a file for reading once its seal has been verified, which is given to `seal`. Throws an Error.
Hdf5Id open_sealed_hdf5(const std::filesystem::path& path, const std::string& kind, Seal* seal = nullptr);

// Throws an Error.
[[noreturn]] void refuse_to_read(const std::string& what, const std::filesystem::path& path, const std::string& cause);

// Runs an action on an open file; failures of HDF5 become one sentence.
template <class Action>
auto reading_hdf5(const std::string& what, const std::filesystem::path& path, const Action& action)
{
    const SilentHdf5 silent;
    try {
        return action();
    } catch (const Hdf5Failure& cause) {
        refuse_to_read(what, path, cause.what());
    }
}

}  // namespace halfulp
