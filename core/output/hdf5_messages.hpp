// Parts of an HDF5 file's metadata: checksums, types, extents and places of data. Numbers in comments are sections of
// the specification. Private to this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/output/hdf5_file.hpp"

namespace halfulp::hdf5 {

constexpr std::uint64_t undefined = std::numeric_limits<std::uint64_t>::max();  // an address
constexpr std::size_t size_of_string = 16;                                      // its length, and where it is in a heap

// The checksum of metadata: hashlittle of Bob Jenkins, lookup3.c, in the public domain.
std::uint32_t checksum_of(const std::byte* data, std::size_t size);

// A datatype message (IV.A.2.d).
Hdf5Bytes type_of(Hdf5Number number);
// Of variable length and UTF-8, so that h5py returns it as str.
Hdf5Bytes string_message();

// A dataspace message (IV.A.2.b), version 2; a single value without extents.
Hdf5Bytes space_of(const std::vector<std::uint64_t>& extent);

// A data layout message (IV.A.2.i), version 3, of data in one piece.
Hdf5Bytes layout_in_one(std::uint64_t address, std::uint64_t size);

}  // namespace halfulp::hdf5
