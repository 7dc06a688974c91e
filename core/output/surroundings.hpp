// The surroundings of one particle as a small file of their own, to examine why a run broke down.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "core/results/snapshot.hpp"

namespace halfulp {

// Its first lines, by which the file is known.
inline constexpr std::string_view surroundings_heading = "# vtk DataFile Version 3.0\nhalfulp: ";

// Writes the particles within `radius` (m) of a particle, by its id, and all their columns, as points of a VTK file
// (legacy format, text; ParaView opens it). The column `distance` is that from the particle. Throws an Error naming the
// file and the cause.
void write_surroundings(const std::filesystem::path& path, const Snapshot& snapshot, std::uint32_t particle,
                        double radius);

}  // namespace halfulp
