#include "core/error.hpp"

#include <cstddef>
#include <cstdio>
#include <string_view>

namespace halfulp {

namespace {

// The length of the UTF-8 sequence at the beginning of a text; 0 if it is invalid, overlong or a surrogate.
std::size_t sequence_length(std::string_view text)
{
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned char first = byte(0);
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xc2 ? 0
                               : first < 0xe0 ? 2
                               : first < 0xf0 ? 3
                               : first < 0xf5 ? 4
                                              : 0;
    if (length == 0 || length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xc0U) != 0x80U) return 0;
    }
    const bool overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
    const bool no_letter = (first == 0xed && byte(1) >= 0xa0) || (first == 0xf4 && byte(1) >= 0x90);
    return overlong || no_letter ? 0 : length;
}

std::string escaped(char letter)
{
    if (letter == '\n') return "\\n";
    if (letter == '\r') return "\\r";
    if (letter == '\t') return "\\t";
    char text[8];
    std::snprintf(text, sizeof text, "\\x%02x", static_cast<unsigned>(static_cast<unsigned char>(letter)));
    return text;
}

}  // namespace

void complain(const std::string& line) { static_cast<void>(std::fputs((line + '\n').c_str(), stderr)); }

std::string one_line(std::string_view text)
{
    std::string line;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = sequence_length(text.substr(at));
        const auto code = static_cast<unsigned char>(text[at]);
        // Beyond ASCII, the control characters of ISO 8859 begin with the byte 0xc2.
        const bool control = code < 0x20 || code == 0x7f ||
                             (code == 0xc2 && length == 2 && static_cast<unsigned char>(text[at + 1]) < 0xa0);
        if (length == 0 || control) {
            line += escaped(text[at++]);
            if (control && length == 2) line += escaped(text[at++]);
        } else {
            line += text.substr(at, length);
            at += length;
        }
    }
    return line;
}

std::string printable(std::string_view text)
{
    std::string lines;
    for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
        lines += one_line(text.substr(0, end)) + '\n';
        text.remove_prefix(end + 1);
    }
    return lines + one_line(text);
}

std::string shortened(std::string_view text)
{
    constexpr std::size_t longest = 80;  // bytes
    if (text.size() <= longest) return std::string(text);
    std::size_t end = longest;
    // Never inside a UTF-8 sequence.
    while (end > longest - 4 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
    return std::string(text.substr(0, end)) + "...";
}

Error::Error(ExitCode code, const std::string& sentence) : std::runtime_error(one_line(sentence)), code_(code) {}

}  // namespace halfulp
