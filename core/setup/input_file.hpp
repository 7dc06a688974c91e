// Files that a user gives, read whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace halfulp {

// The content of a file. `name`: what the sentence of an error starts with; `what`: "case file". Throws an Error for a
// folder, a file that cannot be read and one of more bytes than `most`, of which no more is kept.
std::string read_input_file(const std::filesystem::path& path, const std::string& name, const std::string& what,
                            std::uint64_t most);

}  // namespace halfulp
