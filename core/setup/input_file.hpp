// Reading of whole user files and of the numbers in them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace halfulp {

// Whether a file is read only once, so that it may be a pipe, or again later, for the run's own copy.
enum class Reads { once, again };

// The content of a file. `name`: the first words of an error message; `what`: "case file". Throws an Error for a
// folder, an unreadable file, a pipe into which no program writes and one of more than `most` bytes, of which no more
// are read.
std::string read_input_file(const std::filesystem::path& path, const std::string& name, const std::string& what,
                            std::uint64_t most, Reads reads);

// The decimal number that a text is, with a sign + too, as some programs write it; none if it is anything else.
std::optional<double> decimal_number(std::string_view text);

}  // namespace halfulp
