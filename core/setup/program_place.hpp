// The place of the program's file, relative to which its cases and scripts are installed.
#pragma once

#include <filesystem>

namespace halfulp {

// Of this process's program, unless set_program_place has named another. Empty if the system does not tell.
std::filesystem::path program_place();

// For a process that is another program, such as Python, with halfulp's libraries: where halfulp's own program is.
void set_program_place(const std::filesystem::path& program);

}  // namespace halfulp
