// run.h5 and the texts beside it, from and to what they hold. Private to this folder.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/output/run_file.hpp"

namespace halfulp {

// Throws an Error naming the file and the cause; the file is then as it was.
void write_run_content(const std::filesystem::path& path, const RunContent& content);

// Throws an Error if the file is not as it was written.
RunContent read_run_content(const std::filesystem::path& path);

std::filesystem::path file_of(const std::filesystem::path& folder, const OutputInfo& output);
std::filesystem::path vertices_of(const std::filesystem::path& folder, std::uint64_t count);
std::filesystem::path copy_of(const std::filesystem::path& folder, const KeptInput& input);
std::filesystem::path table_of(const std::filesystem::path& folder, const ProbeSeries& series);

// Throws an Error if the copy is not as it was made.
void check_input(const std::filesystem::path& folder, const KeptInput& input);

std::string ledger_heading(int dimensions);
std::string heading_of(const ProbeSeries& series);

// run.xdmf: tells ParaView what lies in the outputs, as point clouds in time; nothing without a column
// `position`.
std::string xdmf_text(const RunContent& content);

}  // namespace halfulp
