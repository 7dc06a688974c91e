// A file of a run, opened for reading: neither a device nor a pipe, which may have no end or block for ever.
#pragma once

#include "core/error.hpp"
#include "core/output/posix_file.hpp"
#include "core/output/run_folder.hpp"

namespace halfulp {

struct FileOfRun : PosixFile {
    explicit FileOfRun(const std::filesystem::path& path) : PosixFile(path, O_RDONLY | O_NONBLOCK)
    {
        if (!is_regular()) throw input_error("{} is no file but a device, a pipe or a folder.", shown(path));
    }
};

}  // namespace halfulp
