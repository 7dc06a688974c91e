// Faults in TOML text that must not reach the parser.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace halfulp {

struct TomlFault {
    std::size_t line;    // from 1
    std::size_t column;  // from 1, in letters
    std::string what;    // a clause with its remedy
};

// The first of three faults in a text, found in no valid case, that toml++ 3.3 cannot handle:
// - A control character: the file is not text.
// - A letter beyond ASCII outside of texts and comments, or behind a backslash in a text of several lines, for most of
//   which its search for blanks is undefined; or what would hide one, a quotation mark or bracket right behind a word.
// - A dotted key of more than 20 parts; those of cases have five at most. Each part is a table in the one before, and
//   the stack overflows on destroying some hundred thousand of them.
std::optional<TomlFault> fault_of(std::string_view toml);

}  // namespace halfulp
