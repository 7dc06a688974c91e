// Colours on a terminal for the lines that matter: warnings, premature ends of runs, errors, verdicts.
#pragma once

#include <cstdio>
#include <string>

namespace halfulp {

// Whether a stream is a terminal, where somebody reads it as it comes. False for one of several processes: their
// launcher may have them write on a terminal of its own, and write what it reads there to a file.
bool is_terminal(std::FILE* stream);

// The text in colours if the stream is a terminal that has them and NO_COLOR is not set (no-color.org); else as it is.
std::string highlighted(const std::string& text, std::FILE* stream);

}  // namespace halfulp
