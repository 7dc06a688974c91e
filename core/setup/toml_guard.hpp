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

// The first fault in a text that toml++ 3.3 cannot handle; no valid case has one. There are three kinds:
// - A control character: the file is not text.
// - A character beyond ASCII outside of strings and comments, or after a backslash in a multi-line string: for most of
//   them the parser's search for blanks is undefined behaviour. Also a quotation mark or bracket directly after a word,
//   which could hide such a character.
// - A dotted key of more than 20 parts; those of cases have five at most. Each part is a table in the one before, and
//   the stack overflows when some hundred thousand of them are destroyed.
std::optional<TomlFault> fault_of(std::string_view toml);

}  // namespace halfulp
