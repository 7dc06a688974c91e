// Colours on a terminal for the lines that matter: warnings, ends before the end, errors, verdicts.
#pragma once

#include <cstdio>
#include <string>

namespace halfulp {

// The text in colours if the stream is a terminal that has them and NO_COLOR is not set (no-color.org); else as it is.
std::string highlighted(const std::string& text, std::FILE* stream);

}  // namespace halfulp
