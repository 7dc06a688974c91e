#include "core/app/highlight.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include <unistd.h>

#include "core/distribution/world.hpp"

namespace halfulp {

namespace {

constexpr std::string_view red = "\033[31m";
constexpr std::string_view green = "\033[32m";
constexpr std::string_view yellow = "\033[33m";
constexpr std::string_view plain = "\033[0m";

bool has_colours(std::FILE* stream)
{
    const char* const refused = std::getenv("NO_COLOR");
    const char* const terminal = std::getenv("TERM");
    return (refused == nullptr || *refused == '\0') && terminal != nullptr && std::string_view(terminal) != "dumb" &&
           is_terminal(stream);
}

std::string_view colour_of(std::string_view line)
{
    if (line.starts_with("  warning ") || line.starts_with("warning: ")) return yellow;
    if (line.starts_with("halfulp: ") || line.starts_with("different") || line.find(", STOPPED t = ") != line.npos)
        return red;
    if (line.starts_with("equal to the bit") || line.starts_with("verified: ")) return green;
    return {};
}

}  // namespace

bool is_terminal(std::FILE* stream) { return world() == nullptr && isatty(fileno(stream)) == 1; }

std::string highlighted(const std::string& text, std::FILE* stream)
{
    if (!has_colours(stream)) return text;
    std::string all;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        const std::string_view line = std::string_view(text).substr(begin, end - begin);
        const std::string_view colour = colour_of(line);
        all += colour;
        all += line;
        if (!colour.empty()) all += plain;
        if (end < text.size()) all += '\n';
        begin = end + 1;
    }
    return all;
}

}  // namespace halfulp
