// Files that the process's limit of their size does not let grow (ulimit -f).
#pragma once

namespace halfulp {

// Growing one raises a fatal signal; ignored from now on, unless the program handles it, it becomes an ordinary error.
void turn_file_limit_into_an_error();

}  // namespace halfulp
