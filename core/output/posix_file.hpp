// A file by its descriptor. Failures are thrown as error numbers (int), for the caller to explain.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace halfulp {

inline std::string words_of(int error) { return std::generic_category().message(error); }

// Flags to create a new file: opening fails if anything has its name, even a link.
inline constexpr int new_file = O_WRONLY | O_CREAT | O_EXCL;

// Removes whatever has this name, and returns the name: what an interrupted program left there, or a link, but not the
// link's target.
inline std::filesystem::path cleared(const std::filesystem::path& path)
{
    ::unlink(path.c_str());
    return path;
}

// The name under which a file is written before it takes the place of `path`.
inline std::filesystem::path partial_name(const std::filesystem::path& path) { return path.string() + ".new"; }
// The partial name of a path, after whatever has that name was removed.
inline std::filesystem::path fresh_name(const std::filesystem::path& path) { return cleared(partial_name(path)); }

// Whether a name leads to what a descriptor is of, through links, too.
inline bool leads_to(const std::filesystem::path& name, int descriptor)
{
    struct stat own {};
    struct stat named {};
    return fstat(descriptor, &own) == 0 && ::stat(name.c_str(), &named) == 0 && own.st_dev == named.st_dev &&
           own.st_ino == named.st_ino;
}

class PosixFile {
public:
    PosixFile() = default;  // none
    PosixFile(const std::filesystem::path& path, int flags) : descriptor_(::open(path.c_str(), flags | O_CLOEXEC, 0666))
    {
        if (descriptor_ < 0) throw errno;
    }
    ~PosixFile()
    {
        if (descriptor_ >= 0) ::close(descriptor_);
    }
    PosixFile(PosixFile&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
    PosixFile& operator=(PosixFile&& other) noexcept
    {
        std::swap(descriptor_, other.descriptor_);
        return *this;
    }

    void write(const void* data, std::size_t size) const
    {
        const auto* bytes = static_cast<const char*>(data);
        while (size > 0) {
            const ssize_t written = ::write(descriptor_, bytes, size);
            if (written < 0 && errno == EINTR) continue;
            if (written < 0) throw errno;
            bytes += written;
            size -= static_cast<std::size_t>(written);
        }
    }
    // The same at the file's end, or nothing where that fails.
    void append(const void* data, std::size_t size) const
    {
        const off_t before = ::lseek(descriptor_, 0, SEEK_CUR);
        try {
            write(data, size);
        } catch (int) {
            if (before >= 0 && ::ftruncate(descriptor_, before) == 0) ::lseek(descriptor_, before, SEEK_SET);
            throw;
        }
    }
    // Returns the number of bytes read, fewer than requested only at the end of the file.
    [[nodiscard]] std::size_t read(void* data, std::size_t size) const
    {
        auto* bytes = static_cast<char*>(data);
        std::size_t done = 0;
        while (done < size) {
            const ssize_t got = ::read(descriptor_, bytes + done, size - done);
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) throw errno;
            if (got == 0) break;
            done += static_cast<std::size_t>(got);
        }
        return done;
    }
    void go_to(std::uint64_t place) const
    {
        if (::lseek(descriptor_, static_cast<off_t>(place), SEEK_SET) < 0) throw errno;
    }
    [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
    [[nodiscard]] bool is_regular() const
    {
        struct stat status {};
        if (fstat(descriptor_, &status) != 0) throw errno;
        return S_ISREG(status.st_mode);
    }
    // A name that leads to this file, and to no other, as long as this object exists.
    [[nodiscard]] std::filesystem::path name() const { return "/proc/self/fd/" + std::to_string(descriptor_); }
    [[nodiscard]] bool is(const std::filesystem::path& path) const { return leads_to(path, descriptor_); }
    [[nodiscard]] std::uint64_t size() const
    {
        struct stat status {};
        if (fstat(descriptor_, &status) != 0) throw errno;
        return static_cast<std::uint64_t>(status.st_size);
    }
    // Room to read the file in pieces: no more than it needs, as most files of small runs are read often.
    [[nodiscard]] std::vector<std::byte> room_for_a_piece() const
    {
        return std::vector<std::byte>(std::clamp<std::uint64_t>(size(), 1, 1U << 20U));
    }
    // Has the file system reserve room for the first `size` bytes, or throws its error number. One that cannot reserve
    // fails later, when the data are written.
    void reserve(std::uint64_t size) const
    {
        const int error = posix_fallocate(descriptor_, 0, static_cast<off_t>(size));
        if (error == ENOSPC || error == EFBIG || error == EDQUOT || error == EIO) throw error;
    }
    void cut_off_at(std::uint64_t size) const
    {
        if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) throw errno;
    }
    // When this returns, all written data are on disk, even if the machine then fails.
    void sync() const
    {
        if (descriptor_ >= 0 && ::fsync(descriptor_) != 0) throw errno;
    }
    // The same, and it is closed.
    void finish()
    {
        sync();
        const int descriptor = std::exchange(descriptor_, -1);
        if (::close(descriptor) != 0) throw errno;
    }

private:
    int descriptor_ = -1;
};

// The first bytes of a file, fewer if it is shorter; empty if it cannot be read or is not a file.
inline std::string beginning_of(const std::filesystem::path& path, std::size_t length)
{
    try {
        const PosixFile file(path, O_RDONLY | O_NONBLOCK);
        std::string text(file.is_regular() ? length : 0, ' ');
        text.resize(file.read(text.data(), text.size()));
        return text;
    } catch (int) {
        return {};
    }
}

// Whether a file looks as if a program had been killed while writing one that begins with `whole`: it is empty, has
// zeros where its beginning will be, or has a part of the beginning.
inline bool is_begun(const std::filesystem::path& file, std::string_view whole)
{
    const std::string has = beginning_of(file, whole.size());
    return has.find_first_not_of('\0') == has.npos || whole.starts_with(has);
}

// Ensures that a new name in a folder is on disk, too.
inline void sync_folder(const std::filesystem::path& folder)
{
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    ::fsync(descriptor);
    ::close(descriptor);
}

}  // namespace halfulp
