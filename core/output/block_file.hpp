// A file of named blocks of bytes, each with a checksum: the format of checkpoints. Nothing of it is used before the
// whole file has been verified. Blocks are written and read in pieces, so that never all of one are in memory.
//
// "halfulp checkpoint\n", the version and the number of blocks (32 bits each); for each block its size (64 bits), the
// checksum of its name, with the length in front, and bytes (two words of 64 bits, the upper first), the length of the
// name (64), the name, the bytes. Little-endian.
#pragma once

#include <filesystem>
#include <vector>

#include "core/named_bytes.hpp"

namespace halfulp {

using Block = NamedBytes;

// Writes a new file that is on disk when this returns, even if the machine then fails. On failure throws an Error
// naming the file and the cause, and removes the partial file.
void write_blocks(const std::filesystem::path& path, const std::vector<Block>& blocks);

// Verifies the checksums of a whole file. The bytes of a block are read again when they are asked for, and verified
// again if the block is read from its start to its end. Throws an Error that names the file and the fault: missing,
// truncated, a checksum that differs, another version.
std::vector<Block> read_blocks(const std::filesystem::path& path);

// Whether a file has this format by its first bytes; false for one that cannot be read.
bool holds_blocks(const std::filesystem::path& path);

}  // namespace halfulp
