// One output of a run, RUN/outputs/000000.h5: a sealed HDF5 file that is written once and never changed.
//
// attributes format ("halfulp output"), step, time, count (rows), particles (total number), hash, whole_state;
//     one dataset per column, in order, with attributes unit, description, state.
// Private to this folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/output/run_file.hpp"

namespace halfulp {

// Description of a written output.
struct WrittenOutput {
    OutputInfo info;              // except its name
    std::vector<Column> columns;  // without data
};

// Writes the selected columns of a source in pieces. On failure throws an Error naming the file and the cause, and
// leaves no file. doing: "output 12 (t = 0.6 s)", for that message.
WrittenOutput write_output_file(const std::filesystem::path& path, const SnapshotSource& source,
                                const Case::Output& chosen, const std::string& doing);

// Ids are below this bound, which therefore limits the number of particles, too.
inline constexpr std::uint64_t most_particles = std::uint64_t{1} << 31U;

// Throws an Hdf5Failure for a column that outputs do not have, by its name, type and components.
void require_known(const Column& column);

// Throws an Error if the file is not, to its last bit, the output that a run lists.
void check_output(const std::filesystem::path& path, const OutputInfo& info);

// Throws an Error if the file is not as it was written, or is another output.
Snapshot read_output_file(const std::filesystem::path& path, const OutputInfo& info, RunReader::Columns wanted);

// Writes the numbers 0 to count - 1, RUN/outputs/vertices-COUNT.h5: ParaView's second XDMF reader shows no points
// without a list of them.
void write_vertices_file(const std::filesystem::path& path, std::uint64_t count);

}  // namespace halfulp
