#include "core/setup/input_file.hpp"

#include <cstddef>
#include <fstream>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "core/error.hpp"

namespace halfulp {

std::string read_input_file(const std::filesystem::path& path, const std::string& name, const std::string& what,
                            std::uint64_t most)
{
    std::error_code failure;
    if (std::filesystem::is_directory(path, failure))
        throw input_error(fmt::format("{}: this is a folder; give the path of the {}.", name, what));
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        throw input_error(fmt::format("{}: the {} cannot be read; check that it exists and may be read.", name, what));
    }
    // In pieces, since a pipe and a device have no size.
    std::string content;
    std::vector<char> piece(std::size_t{1} << 16U);
    while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0) {
        content.append(piece.data(), static_cast<std::size_t>(file.gcount()));
        if (content.size() > most) {
            throw input_error(fmt::format("{}: the {} has more than {} MiB, and cannot be one; give another.", name,
                                          what, most >> 20U));
        }
    }
    if (file.bad()) throw input_error(fmt::format("{}: the {} could not be read to its end; try again.", name, what));
    return content;
}

}  // namespace halfulp
