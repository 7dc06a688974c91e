// The folder of a run by a handle: it is locked, read and written through this one handle, so that a folder that is
// moved away keeps its run, and another one that takes its name keeps its own.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

namespace halfulp {

class RunFolder {
public:
    RunFolder() = default;  // none
    // Makes the folder if there is none. Throws an Error if it cannot be made or another program holds it. A file
    // system without locks counts as free.
    RunFolder(const std::filesystem::path& folder);
    // The same for a folder that must be there, the one of a run that is read.
    static RunFolder existing(const std::filesystem::path& folder);
    explicit operator bool() const { return handle_ != nullptr; }
    // Leads to the folder by its handle while that is open, wherever the folder is by then.
    [[nodiscard]] std::filesystem::path path() const;

private:
    void open_and_lock(const std::filesystem::path& folder);

    std::shared_ptr<const int> handle_;  // closed with its last copy
};

// The name of a file for a message: where a path that begins with RunFolder::path() leads to at this moment, from the
// present folder if it lies in it.
std::string shown(const std::filesystem::path& path);

}  // namespace halfulp
