// A lock held while a run is written, so that no two programs write into one folder. Private to this folder.
#pragma once

#include <filesystem>

namespace halfulp {

class FolderLock {
public:
    FolderLock() = default;
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

    // Throws an Error if another program holds it. A file system without locks counts as free.
    void take(const std::filesystem::path& folder);

private:
    int descriptor_ = -1;
};

}  // namespace halfulp
