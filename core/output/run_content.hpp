// Conversion of run.h5 and the text files beside it to and from their content. Private to this folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/output/run_file.hpp"

namespace halfulp {

// On failure throws an Error naming the file and the cause, and leaves the old file.
void write_run_content(const std::filesystem::path& path, const RunContent& content);

// Throws an Error if the file is not as it was written.
RunContent read_run_content(const std::filesystem::path& path, Tables tables = Tables::read);

std::filesystem::path file_of(const std::filesystem::path& folder, const OutputInfo& output);
// The first file of these outputs that is missing or has another length or seal; empty without any.
std::string lost_output(const std::filesystem::path& folder, const std::vector<OutputInfo>& outputs);
std::filesystem::path vertices_of(const std::filesystem::path& folder, std::uint64_t count);
std::filesystem::path copy_of(const std::filesystem::path& folder, const KeptInput& input);
std::filesystem::path table_of(const std::filesystem::path& folder, const ProbeSeries& series);

// The name of a copy until run.h5 lists it.
std::filesystem::path partial_copy_of(const std::filesystem::path& folder, const KeptInput& input);
// The path of the copy; it may still have its temporary name if the run was cut off as it began. Throws an Error if the
// copy has changed.
std::filesystem::path kept_copy(const std::filesystem::path& folder, const KeptInput& input);

std::string ledger_heading(int dimensions);
std::string heading_of(const ProbeSeries& series);

// run.xdmf: describes the outputs to ParaView as point clouds in time; empty without a column `position`.
std::string xdmf_text(const RunContent& content);

}  // namespace halfulp
