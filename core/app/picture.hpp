// A picture of a case before its run, drawn by the Python script that is installed with the program.
#pragma once

#include <filesystem>

#include "core/setup/problem.hpp"

namespace halfulp {

// Draws every particle at time 0 into a PNG file, whose folder is created if missing. Throws an Error, exit code
// `output`, if it cannot be drawn: no Python, no matplotlib, or an unwritable file.
void draw_picture(const Problem& problem, const std::filesystem::path& png);

}  // namespace halfulp
