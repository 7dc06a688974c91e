// Files that are written once and contain the data to verify that they are intact. Every HDF5 file of a run is sealed.
//
// The first 512 bytes are text, an HDF5 user block, which HDF5 and software built on it ignore:
//     halfulp run            or "halfulp output", "halfulp vertices"
//     format 3
//     bytes 123456           number of bytes after the 512
//     checksum 0123...       of these bytes, 32 hexadecimal digits, as `tail -c +513 FILE | xxh128sum` prints them
// and zeros. Seal and checksum are verified before HDF5 opens the file, since HDF5 may crash on a damaged one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "core/results/snapshot.hpp"

namespace halfulp {

class PosixFile;

inline constexpr std::uint64_t seal_size = 512;  // bytes; the smallest user block allowed
inline constexpr std::uint64_t run_format_version = 3;

struct Seal {
    std::uint64_t bytes = 0;
    StateHash checksum;
    bool operator==(const Seal&) const = default;
};

// Writes a file through `write`, which gets another name beside `path` and leaves the first 512 bytes free; seals it,
// syncs it to disk and renames it to `path`: at any moment either the old file or the new one is there. A partial file
// is removed if anything is thrown.
Seal write_sealed(const std::filesystem::path& path, const std::string& kind,
                  const std::function<void(const std::filesystem::path&)>& write);

// The seal of a file whose length agrees with it. Throws an Error that names the file and the fault: missing, another
// kind of file, another version, truncated.
Seal read_seal(const std::filesystem::path& path, const std::string& kind);

// The same, but also verifies the checksum of the bytes; the second form is for a file that is open, at its beginning.
Seal check_seal(const std::filesystem::path& path, const std::string& kind);
Seal check_seal(const PosixFile& file, const std::filesystem::path& path, const std::string& kind);

// Whether a file is marked as of that kind; false for one that cannot be read.
bool is_sealed(const std::filesystem::path& path, const std::string& kind);

// Of all bytes of any file. Throws an Error if it cannot be read.
StateHash checksum_of_file(const std::filesystem::path& path);

}  // namespace halfulp
