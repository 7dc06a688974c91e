// The folder of a run, held by a handle. It is locked, read and written through this one handle, so a run stays with
// its folder when that is moved, and another folder that takes its name is left alone.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/error.hpp"

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
    // Whether it still stands under a name.
    [[nodiscard]] bool is(const std::filesystem::path& folder) const;

private:
    void open_and_lock(const std::filesystem::path& folder, const char* remedy);

    std::shared_ptr<const int> handle_;
};

// A folder within that of a run, held by a handle: what takes its name while something is done in it, a link above all,
// has no effect.
class InnerFolder {
public:
    // Makes it if there is none. Throws an Error if that cannot be, or if a link stands there.
    InnerFolder(const std::filesystem::path& folder, const char* name);
    // None where there is no folder of that name, or a link.
    static std::optional<InnerFolder> existing(const std::filesystem::path& folder, const char* name);
    // Where a file of that name lies in it.
    [[nodiscard]] std::filesystem::path place_of(const std::filesystem::path& file) const;

private:
    explicit InnerFolder(int descriptor);

    std::shared_ptr<const int> handle_;
};

// The error for a link under a name that a run writes: nothing is written where a link leads, since that belongs to
// somebody else.
Error is_a_link(const std::filesystem::path& path);

// The name of a file for a message: where a path that begins with RunFolder::path() leads to at this moment, from the
// present folder if it lies in it.
std::string shown(const std::filesystem::path& path);

// A path as a word of a command that a message suggests.
std::string for_shell(const std::filesystem::path& path);

}  // namespace halfulp
