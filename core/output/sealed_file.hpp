// Files that are written once, whole, and say themselves whether they still are what was written. Every HDF5 file of a
// run is one.
//
// The first 512 bytes are text, an HDF5 user block, which HDF5 and what is built on it pass over:
//     halfulp run            or "halfulp output", "halfulp vertices"
//     format 3
//     bytes 123456           of all that follows the 512
//     checksum 0123...       of it, 32 hexadecimal digits, as `tail -c +513 FILE | xxh128sum` prints them
// and zeros. It is read, and the checksum taken, before HDF5 sees the file: HDF5 may crash on one that is damaged.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "core/results/snapshot.hpp"

namespace halfulp {

inline constexpr std::uint64_t seal_size = 512;  // bytes; the least that a user block may have
inline constexpr std::uint64_t run_format_version = 3;

struct Seal {
    std::uint64_t bytes = 0;
    StateHash checksum;
    bool operator==(const Seal&) const = default;
};

// Writes a file through `write`, which is given another name beside `path` and leaves the first 512 bytes free; seals
// it, brings it to the disk and renames it over `path`: at any moment either the old file stands there or the new one.
// What was begun is removed if anything is thrown.
Seal write_sealed(const std::filesystem::path& path, const std::string& kind,
                  const std::function<void(const std::filesystem::path&)>& write);

// What a file says of itself; its length is that. Throws an Error that names the file and what is wrong: no such file,
// another kind of file, another version, cut off.
Seal read_seal(const std::filesystem::path& path, const std::string& kind);

// The same, and its bytes have that checksum.
Seal check_seal(const std::filesystem::path& path, const std::string& kind);

// Whether a file says that it is of that kind; false for one that cannot be read.
bool is_sealed(const std::filesystem::path& path, const std::string& kind);

// Of all bytes of any file. Throws an Error if it cannot be read.
StateHash checksum_of_file(const std::filesystem::path& path);

}  // namespace halfulp
