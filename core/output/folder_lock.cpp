#include "core/output/folder_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "core/error.hpp"

namespace halfulp {

FolderLock::~FolderLock()
{
    if (descriptor_ >= 0) ::close(descriptor_);
}

void FolderLock::take(const std::filesystem::path& folder)
{
    descriptor_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor_ < 0 || ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
    throw output_error(
        fmt::format("another halfulp is writing a run into {}: choose another folder, or wait until it has ended.",
                    folder.string()));
}

}  // namespace halfulp
