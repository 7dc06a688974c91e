#include "core/setup/toml_guard.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace halfulp {

namespace {

constexpr std::size_t most_key_parts = 20;

// The end of the string that starts at `at`; if it is not closed, the end of its line, or of the text if it may have
// several lines.
std::size_t string_end(std::string_view toml, std::size_t at)
{
    const char mark = toml[at];
    const std::string_view three = toml.substr(at, 3);
    if (three != std::string(3, mark)) {
        for (std::size_t i = at + 1; i < toml.size(); ++i) {
            if (toml[i] == '\\' && mark == '"') ++i;
            else if (toml[i] == '\n') return i;
            else if (toml[i] == mark) return i + 1;
        }
        return toml.size();
    }
    for (std::size_t i = at + 3; i < toml.size(); ++i) {
        if (toml[i] == '\\' && mark == '"') ++i;
        else if (toml.substr(i, 3) == three) {
            // Up to two more quotation marks belong to its content.
            std::size_t end = i + 3;
            while (end < i + 5 && end < toml.size() && toml[end] == mark) ++end;
            return end;
        }
    }
    return toml.size();
}

// Whether the last = ended a key, or is inside a value.
struct Place {
    bool key_ended = false;

    void pass(char letter)
    {
        if (letter == '[' || letter == '{') {
            outer_.push_back(state_);
            state_ = {.in_array = letter == '[', .in_value = false};
        } else if (letter == ']' || letter == '}') {
            if (!outer_.empty()) {
                state_ = outer_.back();
                outer_.pop_back();
            }
        } else if (letter == ',' || (letter == '\n' && outer_.empty())) {
            state_.in_value = false;
        } else if (letter == '=') {
            key_ended = !state_.in_array && !state_.in_value;
            state_.in_value = true;
        }
    }

private:
    struct State {
        bool in_array = false;
        bool in_value = false;
    };
    State state_;
    std::vector<State> outer_;
};

// Whether a text of several lines has a letter beyond ASCII behind a backslash, or behind the blanks that it removes.
bool continues_beyond_ascii(std::string_view text)
{
    if (!text.starts_with(R"(""")")) return false;
    for (std::size_t i = 3; i < text.size(); ++i) {
        if (text[i] != '\\') continue;
        const std::size_t next = text.find_first_not_of(" \t\r\n", i + 1);
        if (next < text.size() && static_cast<unsigned char>(text[next]) >= 0x80) return true;
        ++i;
    }
    return false;
}

// Line ends of two characters and tabs are allowed.
bool is_control(std::string_view toml, std::size_t at)
{
    const auto code = static_cast<unsigned char>(toml[at]);
    if (code == '\r') return toml.substr(at + 1, 1) != "\n";
    return (code < 0x20 && code != '\n' && code != '\t') || code == 0x7f;
}

}  // namespace

std::optional<TomlFault> fault_of(std::string_view toml)
{
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    constexpr std::string_view ends_key = "=,[]{}\n";
    constexpr std::string_view ends_word = ",[]{}\n \t";
    constexpr std::string_view opens = "\"'[{";
    if (toml.starts_with(byte_order_mark)) toml.remove_prefix(byte_order_mark.size());
    std::size_t line = 1;
    std::size_t parts = 1;
    Place place;
    const auto fault = [&](std::size_t at, std::string what) {
        const std::size_t before = toml.substr(0, at).rfind('\n');
        const std::string_view left = toml.substr(before == toml.npos ? 0 : before + 1, at - (before + 1));
        const auto begins_letter = [](char one) { return (static_cast<unsigned char>(one) & 0xc0U) != 0x80U; };
        const auto column = static_cast<std::size_t>(std::count_if(left.begin(), left.end(), begins_letter)) + 1;
        return TomlFault{line, column, std::move(what)};
    };
    for (std::size_t at = 0; at < toml.size();) {
        const char here = toml[at];
        std::size_t next = at + 1;
        // The parser takes it, and the rest, as part of the word: a text in it would not be recognised.
        const bool glued =
            at > 0 && (toml[at - 1] == '=' ? !place.key_ended : ends_word.find(toml[at - 1]) == std::string_view::npos);
        if (glued && opens.find(here) != std::string_view::npos)
            return fault(at, fmt::format("the character {} stands right behind a word or a dot; part them", here));
        place.pass(here);
        if (here == '"' || here == '\'') {
            next = std::min(string_end(toml, at), toml.size());
            if (continues_beyond_ascii(toml.substr(at, next - at)))
                return fault(at, "a letter beyond ASCII follows a backslash in this text; write it on one line");
        } else if (here == '#') {
            next = std::min(toml.find('\n', at), toml.size());
        } else if (at == 0 && (toml.starts_with("\xff\xfe") || toml.starts_with("\xfe\xff"))) {
            return fault(at, "the file is text in UTF-16; save it as UTF-8");
        } else if (static_cast<unsigned char>(here) >= 0x80) {
            return fault(at, "there is a letter beyond ASCII outside of quotation marks; put the text into them");
        } else if (here == '.') {
            if (++parts > most_key_parts)
                return fault(at, fmt::format("a key has more than {} parts, but no key of a case has; remove it",
                                             most_key_parts));
        } else if (ends_key.find(here) != std::string_view::npos) {
            parts = 1;
        }
        for (; at < next; ++at) {
            if (is_control(toml, at)) {
                return fault(at, fmt::format("there is the byte 0x{:02x}, which no text has; save the file as text",
                                             static_cast<unsigned>(static_cast<unsigned char>(toml[at]))));
            }
            line += toml[at] == '\n' ? 1 : 0;
        }
    }
    return std::nullopt;
}

}  // namespace halfulp
