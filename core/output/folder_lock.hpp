// A lock on the folder of a run, held from before the run is read until it is written, so that two programs never write
// into one folder.
#pragma once

#include <filesystem>
#include <utility>

namespace halfulp {

class FolderLock {
public:
    FolderLock() = default;
    ~FolderLock();
    FolderLock(FolderLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    FolderLock& operator=(FolderLock&& other) noexcept
    {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }

    // Throws an Error if another program holds it. A file system without locks counts as free.
    void take(const std::filesystem::path& folder);
    [[nodiscard]] bool taken() const { return descriptor_ >= 0; }

private:
    int descriptor_ = -1;
};

}  // namespace halfulp
