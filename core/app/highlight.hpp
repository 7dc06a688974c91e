// Colours on a terminal for the lines that matter: warnings, ends before the end, errors, verdicts.
#pragma once

#include <cstdio>
#include <string>

namespace halfulp {

// Whether somebody reads the stream as it comes, on a terminal. Not of one of several processes: their launcher may
// have them write on a terminal of its own, and what it reads there into a file.
bool is_terminal(std::FILE* stream);

// The text in colours if the stream is a terminal that has them and NO_COLOR is not set (no-color.org); else as it is.
std::string highlighted(const std::string& text, std::FILE* stream);

}  // namespace halfulp
