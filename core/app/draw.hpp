// Figures of a run, by the Python script that is installed with the program.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace halfulp {

// Draws into RUN/figures and prints the paths. Without Python or matplotlib, or after an interrupt, it prints that and
// returns.
void draw_figures(const std::filesystem::path& run);

// A file shipped with the program (share/halfulp/NAME, or its place in the source tree); empty if not found.
std::filesystem::path shipped_script(const std::string& name, const std::string& place_in_source);

// Runs `python3 script argument`, or the Python that HALFULP_PYTHON names; its exit status, 127 if there is none
// (why_no_python, with the remedy), or -1 if it could not be started; none if an interrupt has ended it.
std::optional<int> run_python(const std::filesystem::path& script, const std::filesystem::path& argument);
std::string why_no_python();

}  // namespace halfulp
