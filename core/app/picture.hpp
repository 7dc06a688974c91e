// A picture of a case before its run, drawn by the Python script that is installed with the program.
#pragma once

#include <filesystem>

#include "core/setup/problem.hpp"

namespace halfulp {

// Throws an Error for a name that no picture can have, or under which something else than a picture of a case stands.
void refuse_picture(const std::filesystem::path& file);

// Draws every particle at time 0 into a file, whose folder is created if missing. Throws an Error, exit code
// `output`, if it cannot be drawn: no Python, no matplotlib, or an unwritable file.
void draw_picture(const Problem& problem, const std::filesystem::path& file);

}  // namespace halfulp
