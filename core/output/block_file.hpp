// A file of named blocks of bytes, each with a checksum: what a checkpoint is written in. Nothing of it is used before
// all of it was found whole. Blocks are written and read one at a time, so that never all of them are in memory.
//
// "halfulp checkpoint\n", the version and the number of blocks (32 bits each); of each block its size (64 bits), the
// checksum of its name, with the length in front, and bytes (two words of 64 bits, the upper first), the length of the
// name (64), the name, the bytes. Little-endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace halfulp {

struct Block {
    std::string name;
    std::uint64_t size = 0;  // bytes
    // They are there until another block is taken.
    std::function<std::span<const std::byte>()> take;
};

// Writes a new file that stands on the disk, also if the machine goes down, when this returns. Throws an Error naming
// the file and the cause; what was written of it is then removed.
void write_blocks(const std::filesystem::path& path, const std::vector<Block>& blocks);

// Reads all of a file and looks at its checksums; the blocks' bytes are read again when they are taken. Throws an Error
// that names the file and what is wrong: no such file, cut off, a checksum that differs, another version.
std::vector<Block> read_blocks(const std::filesystem::path& path);

// Whether a file begins as one of these does; false for one that cannot be read.
bool holds_blocks(const std::filesystem::path& path);

}  // namespace halfulp
