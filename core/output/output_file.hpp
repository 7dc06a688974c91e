// One output of a run, RUN/outputs/000000.h5: a sealed HDF5 file that is written once and never changed.
//
// attributes format ("halfulp output"), step, time, count (rows), particles (all that there are), hash, whole_state;
// a dataset a column, in their order, attributes unit, description, state.
// Private to this folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/output/run_file.hpp"

namespace halfulp {

// What write_output_file has written.
struct WrittenOutput {
    OutputInfo info;              // but for its name
    std::vector<Column> columns;  // without data
};

// The columns of a source, as they are chosen, in pieces. Throws an Error naming the file and the cause, and leaves
// none. doing: "output 12 (t = 0.6 s)", for that sentence.
WrittenOutput write_output_file(const std::filesystem::path& path, const SnapshotSource& source,
                                const Case::Output& chosen, const std::string& doing);

// Throws an Error if the file, by its head and length, is not the output that a run lists.
void refuse_other_output(const std::filesystem::path& path, const OutputInfo& info);

// Throws an Error if the file is not as it was written, or is not that output.
Snapshot read_output_file(const std::filesystem::path& path, const OutputInfo& info, RunReader::Columns wanted);

// The numbers 0 to count - 1, RUN/outputs/vertices-COUNT.h5: ParaView's second XDMF reader shows no points without a
// list of them.
void write_vertices_file(const std::filesystem::path& path, std::uint64_t count);

}  // namespace halfulp
