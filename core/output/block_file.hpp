// A file of named blocks of bytes, each with a checksum: what a checkpoint is written in. It is read whole or not at
// all, so that nothing of a damaged one is ever used.
//
// "halfulp checkpoint\n", the version and the number of blocks (32 bits each); of each block its size (64
// bits), the checksum of name and bytes (128), the length of the name (64), the name, the bytes. Little-endian.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace halfulp {

struct Block {
    std::string name;
    std::vector<std::byte> bytes;
};

// Writes a new file that stands on the disk, also if the machine goes down, when this returns. Throws an Error naming
// the file and the cause; what was written of it is then removed.
void write_blocks(const std::filesystem::path& path, const std::vector<Block>& blocks);

// Throws an Error that names the file and what is wrong: no such file, cut off, a checksum that differs, another
// version.
std::vector<Block> read_blocks(const std::filesystem::path& path);

}  // namespace halfulp
